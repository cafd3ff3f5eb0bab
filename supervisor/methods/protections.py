"""How it is judged that a change of code takes a protection out: by its sort, by what the change does besides, and by
what the user asked for."""

from __future__ import annotations

import re
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.changes.asked import task_mentions
from supervisor.evidence.changes.clauses import fold
from supervisor.evidence.changes.edits import Edit, edits
from supervisor.evidence.changes.protections import Lost, Sort, is_code, lost
from supervisor.evidence.changes.rules import from_workspace, is_test
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import is_asked
from supervisor.evidence.changes.writes import is_own
from supervisor.evidence.shell import shown
from supervisor.specialist import flag, nudge, ok
from supervisor.verdict import Finding

_LONGEST_TASK = 8 * 1024
_WORD = re.compile(r"[^\W\d_]{4,}")
_TAKES_OUT = frozenset({Verb.DELETE, Verb.STOP})
# What a user who asks for the loss in other words than the code's speaks of.
_ASKS: dict[Sort, tuple[str, ...]] = {
    Sort.ACCESS: (
        *("anonym", "public", "unauthent", "everyone", "everybody", "guest", "someone else", "other user", "others'"),
        *("moderator", "mods ", "staff", "support agent", "all users", "team member"),
    ),
    Sort.INPUT: ("unvalidat", "unchecked", "lenient", "permissive"),
    Sort.CONSISTENCY: ("lockless", "lock-free", "autocommit"),
    Sort.TRACE: ("audit",),
    Sort.CONSENT: ("transactional", "service mail", "mandatory", "legal notice"),
}


class Lesson(NamedTuple):
    """The texts of a specialist: the fault, which follows "It", and what to do instead."""

    fault: str
    correction: str
    sharper: str


def taken_out(sort: Sort, lesson: Lesson, action: Action, context: Context) -> Finding:
    """The finding on the protections of one sort that an action takes out of code."""
    path, losses = _losses(action, context)
    found = next((each for each in losses if each.sort is sort), None)
    if found is None:
        return ok()
    name = shown(path.rpartition("/")[2])
    reason = f"It {lesson.fault} in {name}: “{shown(found.text)}”."
    evidence = (found.text[:200],)
    if _is_asked(found, context, action):
        return flag(reason, confidence=0.5, evidence=evidence)
    if not found.is_pure and sort in (Sort.INPUT, Sort.CONSISTENCY):
        return flag(f"{reason} The rest of the change may stand for it.", confidence=0.4, evidence=evidence)
    return nudge(reason, correction=lesson.correction, sharper=lesson.sharper, evidence=evidence)


@reader
def _losses(action: Action, context: Context) -> tuple[str, list[Lost]]:
    """The first file of code that an action changes, and the protections that the changes of all its files lose. They
    are taken together, because a check may move from one to another."""
    changed = [each for each in edits(action, context) if _counts(each, action, context)]
    return (changed[0].path, lost(changed)) if changed else ("", [])


def _counts(edit: Edit, action: Action, context: Context) -> bool:
    """Whether an edit is of code that runs for others, and that the agent has not written itself just now."""
    local = from_workspace(edit.path, context.workspace)
    return is_code(local) and not is_test(local) and not is_own(edit.path, action, context)


def _is_asked(found: Lost, context: Context, action: Action) -> bool:
    """Whether the user asks for the loss: for less of what the line names, or for a service without the protection."""
    if task_mentions(action, context, *_ASKS[found.sort]):
        return True
    said = fold((context.task or "")[:_LONGEST_TASK])
    named = any(word in said for word in _WORD.findall(fold(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", found.text))))
    return named and is_asked(_TAKES_OUT, context)
