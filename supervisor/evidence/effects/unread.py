"""Whether a reader gave up on the code or text of an action: too large, too deep, too long to parse.

Code in a language without a reader here does not count: its author does not evade a reader.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from supervisor.action import Action, Context
from supervisor.errors import CutOff, NoReader, Unreadable
from supervisor.evidence.actions.patched import may_hold_patch
from supervisor.evidence.actions.statements import statements
from supervisor.evidence.effects import effects


def why_unread(action: Action, context: Context) -> str:
    """Why the code or text of an action cannot be read, as words that end a sentence; empty if it can be read.

    Raises CutOff if a deadline ended the reading: a faster machine might have finished it.
    """
    try:
        _READINGS[action.kind](action, context)
    except CutOff:
        raise
    except NoReader:
        return ""
    except Unreadable as unreadable:
        return str(unreadable)
    return ""


def _read_effects(action: Action, context: Context) -> None:
    """The script or the code, and each of its effects."""
    effects(action, context).read()


def _read_query(action: Action, context: Context) -> None:
    statements(action, context)
    _read_effects(action, context)


def _read_patch(action: Action, context: Context) -> None:
    """A patch. Any other edit names its one file in an argument of its own."""
    if may_hold_patch(action):
        _read_effects(action, context)


# How each kind of action that runs code or applies a text to files is read. A new reader of a kind is added here.
_READINGS: Mapping[str, Callable[[Action, Context], None]] = {
    "shell": _read_effects,
    "python": _read_effects,
    "javascript": _read_effects,
    "sql": _read_query,
    "file_edit": _read_patch,
}
