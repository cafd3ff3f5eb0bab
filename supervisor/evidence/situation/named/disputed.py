"""Whether a command takes a number that a request gives beside a name, although the listing has them in two rows.

The user says "delete VM 214, it is lab-old", and the listing shows 214 as lis-prod and lab-old as 241. Nobody but the
user knows which of the two is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence.situation.deeds import Deed, deeds
from supervisor.evidence.situation.named.others import speaks_of_rest
from supervisor.evidence.situation.named.records import Record, Table, tables, words_of

_LONGEST = 4 * 1024  # characters of a request
_NUMBER = re.compile(r"(?<![\w.:/-])\d{2,9}(?![\w:/-]|\.\d)")
_NAME = re.compile(r"(?<![\w./-])[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+(?![\w/-])", re.IGNORECASE)
_CLOSE = 60  # characters between a number and the name that says the same
# Between a number and a name for the same thing: brackets, commas, "it is", and where it is.
_SAME = re.compile(
    r"(?:\s(?:on|at|in|of|auf|von|in der|do|da|no|na|de|du|del|della|sur|w|z|op|van|på|i)\s(?:\w{1,12}\s)?"
    r"[\w.-]{2,40})?"
    r"[\s,;:(\"'`„“«=\u2013\u2014-]*"
    r"(?:(?:that|which|this|it|this is|it's|is|that's|named|called|aka|i\.e\.|das|die|der|ist|heißt|es|sie|é|e|o|a"
    r"|é o|é a|c'est|est|le|la|il|lo|è|el|es|to|jest|это|dit|dat|de|het|the|vm|ct|host|server|machine)[\s,]+){0,4}"
    r"[\"'`„“«]?",
    re.IGNORECASE,
)


class Disputed(NamedTuple):
    """The number and the name of the request, and the rows that have them."""

    named: str
    used: str
    shown: str
    other: str


def disputed_record(action: Action, context: Context) -> tuple[Deed, Disputed] | None:
    """The first deed on a number that a listing shows under another name than the request's."""
    task = (context.task or "")[:_LONGEST]
    if not context.history or not _NUMBER.search(task) or not _NAME.search(task) or speaks_of_rest(task):
        return None
    acting = [each for each in deeds(action, context) if each.sort in _ON_ONE]
    for number, name in _pairs(task) if acting else ():
        deed = next((each for each in acting if number in words_of(each.command.text)), None)
        if deed is None or name.lower() in words_of(action.text("command")):
            continue
        for table in tables(action, context):
            if found := _in_two_rows(number, name, table):
                return deed, Disputed(name, number, found[1].text, found[0].text)
    return None


_ON_ONE = frozenset({"delete", "stop", "restart", "revert", "edit", "unlock", "merge", "deploy", "send"})


def _pairs(task: str) -> Iterator[tuple[str, str]]:
    """Each number with the name that the request gives to the same thing, whichever comes first."""
    names = list(_NAME.finditer(task))
    for number in _NUMBER.finditer(task):
        for name in names:
            first, second = sorted((number, name), key=lambda match: match.start())
            between = task[first.end() : second.start()]
            if 0 < len(between) <= _CLOSE and _SAME.fullmatch(between):
                yield number[0], name[0]


def _in_two_rows(number: str, name: str, table: Table) -> tuple[Record, Record] | None:
    """The row of the number and that of the name, if they are two, and each is the only one of its sort."""
    with_number = [each for each in table.records if number in each.words]
    with_name = [each for each in table.records if name.lower() in (cell.lower() for cell in each.cells)]
    if len(with_number) != 1 or len(with_name) != 1 or with_number[0] is with_name[0]:
        return None
    return with_number[0], with_name[0]
