"""Whether a reader of what an action runs or changes gave up on it: too large, too deep, too long to parse.

What is in a language that nobody reads is no such case: it hides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from supervisor.action import Action, Context
from supervisor.errors import CutOff, NoReader, Unreadable
from supervisor.evidence.actions.patched import may_hold_patch
from supervisor.evidence.actions.statements import statements
from supervisor.evidence.effects import effects


def why_unread(action: Action, context: Context) -> str:
    """Why what an action runs or changes cannot be read, as words that end a sentence; empty where it can be.

    Raises CutOff where time ended a reading: another machine might have got through it.
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
    """A patch; any other edit names its one file beside the text."""
    if may_hold_patch(action):
        _read_effects(action, context)


# What is read of each kind that runs something or changes files by a text; whoever reads more of one adds it here.
_READINGS: Mapping[str, Callable[[Action, Context], None]] = {
    "shell": _read_effects,
    "python": _read_effects,
    "javascript": _read_effects,
    "sql": _read_query,
    "file_edit": _read_patch,
}
