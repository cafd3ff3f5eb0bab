"""What a text does that is typed into a terminal, where a shell reads it."""

from __future__ import annotations

import re

from supervisor.action import Context
from supervisor.errors import Unreadable
from supervisor.evidence.effects import Effects, Ground, effects_of_script
from supervisor.evidence.shell import read_script

_LONGEST = 16 * 1024  # characters that are read
_KEY_NAMES = re.compile(r"<(?:Enter|CR|Return|Tab|Esc)>|\{(?:ENTER|TAB)\}|\b(?:C-m|Enter)$|\\r|\\n|\r")


def effects_when_typed(typed: str, context: Context) -> Effects | None:
    """The effects of a text as a shell script, names of keys left out; None where it reads as none: an answer, a
    password, another language."""
    text = _KEY_NAMES.sub("\n", typed[:_LONGEST]).strip()
    try:
        done = effects_of_script(read_script(text, context.cwd), Ground(context.workspace))
        list(done)
    except Unreadable:
        return None
    return done
