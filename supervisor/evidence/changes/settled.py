"""Whether nobody needs to be told of an act: the user asks for it on this very target, which the session has seen."""

from __future__ import annotations

import re

from supervisor.action import Context
from supervisor.evidence.changes.clauses import fold, said_by_user
from supervisor.evidence.changes.names import has_name, looped, names_of
from supervisor.evidence.changes.shown import was_shown
from supervisor.evidence.changes.word import Word, names_said
from supervisor.evidence.effects.effect import is_known

# A name with letters and a digit, which nobody gives to something else by accident: `lab01`, `portal-pr-88`.
_IS_OWN = re.compile(r"(?=.*[a-z])(?=.*\d)[\w-]{4,60}")


def is_settled(said: Word, target: str, context: Context, text: str = "") -> bool:
    """Whether the user asks for the act on this very target, and the session has seen the target.

    `text` is the text of the action: the values of its loop stand for a target that only running it shows.
    """
    if said is not Word.NAMED:
        return False
    if target.count("/") > 1 and has_name(fold(context.task or ""), (fold(target).strip("/"),)):
        return True  # nobody spells out a whole path by accident
    if _IS_OWN.fullmatch(fold(target)) and has_name(fold(said_by_user(context)), (fold(target),)):
        return True
    names = [target] if target and is_known(target) and "$" not in target else looped(fold(text))
    names = names or [name for name in names_said(context) if has_name(fold(text), names_of(name))]
    return bool(names) and all(was_shown(name, context) for name in names)
