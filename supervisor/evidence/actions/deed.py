"""The deed of an action: its fingerprint with the options, and where it is done. A memory of refused acts keeps it.

A fingerprint leaves out the options of a command that has operands, because a nudged agent that only drops an option
should get the sharper correction. In another session that is too coarse: `git push` is no new try of a refused
`git push --force`, but what the refusal asked for.
"""

from __future__ import annotations

from supervisor.action import Action, Context
from supervisor.errors import Unreadable
from supervisor.evidence import reader
from supervisor.evidence.actions.fingerprint import fingerprint
from supervisor.memory import OPTION, bounded, short_name

# Kinds whose effect depends on the directory in which the agent works.
_PLACED = frozenset("shell python javascript file_read file_write file_edit file_delete".split())


@reader
def deed(action: Action, context: Context) -> frozenset[str]:
    """The features of one action, and the options of its commands with the prefix `option:`."""
    return fingerprint(action, context) | _options(action, context)


def bounded_deed(action: Action, context: Context) -> frozenset[str]:
    """The same, bounded for comparison with acts that a memory keeps."""
    return bounded(deed(action, context))


def where(action: Action, context: Context) -> str:
    """The place of a deed: the directory of the agent; "" for acts on a business's or another machine's things."""
    if action.kind not in _PLACED:
        return ""
    return short_name(context.workspace or "")


def _options(action: Action, context: Context) -> frozenset[str]:
    if action.kind != "shell":
        return frozenset()
    from supervisor.evidence import shell
    from supervisor.evidence.actions import scripts

    try:
        return frozenset(f"{OPTION}{each}" for each in shell.options_of(scripts.script(action, context)))
    except Unreadable:
        return frozenset()
