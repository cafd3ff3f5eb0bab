"""Whether this session has seen the thing that an action is on: an earlier step named it, or an output shows it."""

from __future__ import annotations

import re

from supervisor.action import Context, strings_in
from supervisor.evidence.changes.clauses import fold
from supervisor.evidence.changes.names import has_name, looped
from supervisor.evidence.changes.word import Word
from supervisor.evidence.effects.effect import is_known

_LONGEST_LINE = 300
_MOST_LINES = 6
_DISTINCT = re.compile(r"^(?=.*[a-z])[\w.]{2,}(?:[-_.][\w.]+)+$|^(?=.*\d)[a-z][\w-]{3,}$")
_LATEST = 40  # steps in which a listing still counts
_LONGEST = 32 * 1024  # characters of a step's arguments, and of its output


def is_settled(said: Word, target: str, context: Context, text: str = "") -> bool:
    """Whether the user asks for the act on this very target, and the session has seen the target.

    `text` is the text of the action: the values of its loop stand for a target that only running it shows.
    """
    if said is not Word.NAMED:
        return False
    if target.count("/") > 1 and has_name(fold(context.task or ""), (fold(target).strip("/"),)):
        return True  # nobody spells out a whole path by accident
    names = [target] if target and is_known(target) and "$" not in target else looped(fold(text))
    return bool(names) and all(was_shown(name, context) for name in names)


def aliases(target: str, context: Context) -> tuple[str, ...]:
    """Other names of a target: the distinct words of the one line of an earlier output that shows it, as `build-7` in
    `5be0aa17  linux  build-7  ready`. Words of other lines too, and plain words, are no names."""
    last = fold(target.strip().rstrip("/").rpartition("/")[2])
    if len(last) < 3 or not is_known(target):
        return ()
    lines = [line for step in context.history[-_LATEST:] for line in fold(step.text[:_LONGEST]).splitlines()]
    telling = [line for line in lines if len(line) < _LONGEST_LINE and has_name(line, (last,))]
    if not 0 < len(telling) < _MOST_LINES:
        return ()
    others = " ".join(line for line in lines if line not in telling)
    words = (word.strip("\"',:;()[]{}|") for line in telling for word in line.split())
    return tuple(
        dict.fromkeys(word for word in words if _DISTINCT.search(word) and word != last and word not in others)
    )


def was_shown(name: str, context: Context) -> bool:
    """Whether an earlier step that did not fail has this name, as itself, in its arguments or in its output."""
    plain = name.replace("/dev/rdisk", "/dev/disk")
    last = fold(plain.rstrip("/").rpartition("/")[2])
    if len(last) < 2 and not last.isdigit():
        return False
    whole = re.compile(rf"(?<![\w-]){re.escape(last)}(?![\w-])")
    return any(
        whole.search(fold(text[:_LONGEST]))
        for step in context.history[-_LATEST:]
        if not step.failed
        for text in (*(value for _, value in strings_in(step.args)), step.text)
    )
