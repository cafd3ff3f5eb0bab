"""What is written for sessions to come that steers the guard or its hosts: variables in start-up files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.action import Action, Context
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.guard.assets import Assets
from supervisor.evidence.effects.guard.variables import LASTING, OWN
from supervisor.evidence.effects.key_files import meaning_of, written
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.machine.agents import HOMES
from supervisor.evidence.shell import shown

_NAMES = "|".join(sorted((*OWN, *LASTING, *HOMES, "CLAUDE_CODE_SIMPLE")))
_SET = re.compile(rf"(?<![\w$#{{])({_NAMES})\s*\+?=|\b(?:setenv|set\s+-\w*x\w*|unset|unsetenv|set\s+-e)\s+({_NAMES})\b")
_COMMENT = re.compile(r"^\s*#.*$", re.MULTILINE)


def read(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """The variables that an action writes into files which every session or shell begins with."""
    for effect in effects(action, context).of(Act.WRITE):
        target = f"~{effect.target[len(known.home) :]}" if effect.target.startswith(f"{known.home}/") else effect.target
        if effect.is_remote or (meaning_of(target) or (None, ""))[1] != "rc":
            continue
        for found in _SET.finditer(_COMMENT.sub("", written(effect) or "")):
            name = found[1] or found[2]
            how = How.STEERED if name in LASTING else How.REMOVED
            yield Disarming(how, f"sets {name} in {shown(effect.target)}", name, shown(effect.target))
