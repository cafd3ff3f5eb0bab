"""Variables that steer the guard or its hosts, written into start-up files for later sessions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.action import Action, Context
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.effects.guard.assets import Assets
from supervisor.evidence.effects.guard.variables import LASTING, OWN
from supervisor.evidence.effects.key_files import meaning_of, written
from supervisor.evidence.guard.disarming import Disarming, How
from supervisor.evidence.guard.settings_texts import parsed
from supervisor.evidence.machine.agents import HOMES
from supervisor.evidence.shell import shown

_NAMES = "|".join(sorted((*OWN, *LASTING, *HOMES, "CLAUDE_CODE_SIMPLE")))
_SET = re.compile(rf"(?<![\w$#{{])({_NAMES})\s*\+?=|\b(?:setenv|set\s+-\w*x\w*|unset|unsetenv|set\s+-e)\s+({_NAMES})\b")
_COMMENT = re.compile(r"^\s*#.*$", re.MULTILINE)


# Files from which terminals, editors and sessions take the variables of what they start.
_LAUNCHES = re.compile(
    r"^~/\.|(?:^|/)(?:\.vscode|\.idea|\.zed|\.devcontainer|environment\.d|systemd/user|LaunchAgents)/"
    r"|(?:^|/)(?:\.envrc|\.?mise(?:\.local)?\.toml|devcontainer\.json|[\w.-]+\.(?:code-workspace|plist|desktop))$"
)
_NAMED = re.compile(
    rf"(?<![\w$#{{])({'|'.join(sorted((*OWN, 'CLAUDE_CODE_SIMPLE')))})\b[\"']?\s*(?:</key>|[=:,\s]\s*\S)"
)


_FOR_ALL = re.compile(r"environment\.d/|\.pam_environment$")


def _settings_without_hooks(effect: Effect) -> Iterator[Disarming]:
    """A settings file, at any path, that switches hooks off."""
    if effect.is_remote or not effect.target.endswith(".json"):
        return
    text = written(effect) or ""
    settings = parsed(text) if "isableAllHooks" in text else None
    if settings is not None and settings.get("disableAllHooks") is True:
        yield Disarming(How.UNGUARDED, f"writes {shown(effect.target)} with `disableAllHooks`", effect.target)


def read(action: Action, context: Context, known: Assets) -> Iterator[Disarming]:
    """The variables that an action writes into files that sessions or shells read at their start. Raises Unreadable as
    `effects` does."""
    for effect in effects(action, context).of(Act.WRITE):
        yield from _settings_without_hooks(effect)
        target = f"~{effect.target[len(known.home) :]}" if effect.target.startswith(f"{known.home}/") else effect.target
        if effect.is_remote:
            continue
        if (meaning_of(target) or (None, ""))[1] != "rc":
            text = _COMMENT.sub("", written(effect) or "") if _LAUNCHES.search(target) else ""
            if text and (found := _NAMED.search(text) or (_FOR_ALL.search(target) and _SET.search(text))):
                yield Disarming(
                    How.REMOVED, f"sets {found[1]} in {shown(effect.target)}", found[1], shown(effect.target)
                )
            continue
        for found in _SET.finditer(_COMMENT.sub("", written(effect) or "")):
            name = found[1] or found[2]
            how = How.STEERED if name in LASTING else How.REMOVED
            yield Disarming(how, f"sets {name} in {shown(effect.target)}", name, shown(effect.target))
