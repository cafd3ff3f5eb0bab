"""The effects of a text that is typed into a terminal in which a shell runs."""

from __future__ import annotations

import re

from supervisor.action import Context
from supervisor.errors import Unreadable
from supervisor.evidence.effects import Effects, Ground, effects_of_script
from supervisor.evidence.shell import read_script

_LONGEST = 16 * 1024  # characters that are read
_KEY_NAMES = re.compile(r"<(?:Enter|CR|Return|Tab|Esc)>|\{(?:ENTER|TAB)\}|\b(?:C-m|Enter)$|\\r|\\n|\r")


def effects_when_typed(typed: str, context: Context) -> Effects | None:
    """The effects of a text as a shell script, without names of keys; None if the text is not a script: an answer, a
    password, another language."""
    text = _KEY_NAMES.sub("\n", typed[:_LONGEST]).strip()
    try:
        done = effects_of_script(read_script(text, context.cwd), Ground(context.workspace))
        list(done)
    except Unreadable:
        return None
    return done
