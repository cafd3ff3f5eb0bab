"""Whether an action is on a near name of the thing that the user named: digits exchanged, a suffix more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence.reading.whole_words import has_word
from supervisor.evidence.situation.deeds import Deed, deeds
from supervisor.evidence.situation.named.others import speaks_of_rest, tells_cause
from supervisor.evidence.situation.shown.standing import names_of

_LONGEST = 8 * 1024  # characters of a task
_LATEST = 60  # steps
_MOST_TEXT = 32 * 1024  # characters of one output
_TOKEN = re.compile(r"[A-Za-z0-9][\w.@-]*\w|\d+", re.ASCII)
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d-\d\d(?:-\d\d)?(?!\d)")  # of which no part is a name
_GRAVE = frozenset({"delete", "stop", "restart", "revert", "query", "unlock"})


_LOSES = frozenset({"delete", "stop", "revert"})


class Other(NamedTuple):
    """The thing that the user named, and the one that the action is on."""

    named: str
    used: str
    said: str


def other_than_named(action: Action, context: Context) -> tuple[Deed, Other] | None:
    """The first deed on a neighbour of what the user named."""
    task = (context.task or "")[:_LONGEST]
    if not task or speaks_of_rest(task):
        return None
    for deed in deeds(action, context):
        if found := _near_name(deed, action.text("command"), task, context):
            return deed, found
    return None


def _near_name(deed: Deed, text: str, task: str, context: Context) -> Other | None:
    if deed.sort not in _GRAVE and "sql" not in deed.command.program:
        return None
    if deed.sort == "stop" and "sql" in deed.command.program:  # a name is a column
        return None
    line = deed.command.text if deed.sort in _LOSES else text  # another command of the script may be on what is named
    wanted = [name for name in dict.fromkeys(_TOKEN.findall(task)) if len(name) >= 2 and not _has(line, name)]
    wanted = [name for name in wanted if not (tells_cause(name, task) or _has_stem(line, name))]
    for name in islice(_with_numbers(deed), 24):
        if _has(task, name):
            continue
        for each in wanted:
            if each.isalpha() and not _is_shown(each, context):
                continue  # a plain word of the request is a name only where something has that name
            if is_near(name, each) and (_is_shown(name, context) or name.isdigit()):
                return Other(each, name, task)
    return None


_FILE = re.compile(r"([\w.-]{4,80})\.[A-Za-z]{2,4}")


def _has_stem(line: str, name: str) -> bool:
    """Whether a command has the name of a file without its ending, as databases call their files."""
    found = _FILE.fullmatch(name)
    return found is not None and _has(line, found[1])


def _with_numbers(deed: Deed) -> Iterator[str]:
    """The names of a deed, and the numbers of at least three digits within them."""
    for name in (*names_of(deed), *(each for each in deed.names if re.fullmatch(r"[a-z]{2,4}\d*", each))):
        yield name
        yield from re.findall(r"(?<!\d)\d{3,6}(?!\d)", _DATE.sub("", name))


def _has(text: str, name: str) -> bool:
    return has_word(name, text, beside="")


def is_near(one: str, other: str) -> bool:
    """Whether two names are easily taken for each other: digits in another order or one digit more, one other letter
    after the same beginning (`sdb`, `sdd`), or one with a suffix (`crm`, `crm_copy`)."""
    if one == other or not one or not other:
        return False
    if one.isdigit() and other.isdigit():
        is_swapped = len(one) == len(other) >= 3 and sorted(one) == sorted(other)
        differing = sum(a != b for a, b in zip(one, other, strict=False))
        return is_swapped or (len(one) == len(other) >= 3 and differing == 1)
    if re.fullmatch(r"sd[a-z]\d*|nvme\dn\d(?:p\d)?|vd[a-z]\d*", one) and one[:2] == other[:2]:
        return len(one) == len(other)
    short, long = sorted((one, other), key=len)
    if long.startswith(short) and len(short) >= 3:
        return long[len(short)] in "_-." or (short[-1].isdigit() and long[len(short)].isdigit())
    return re.sub(r"\d+", "#", one) == re.sub(r"\d+", "#", other) and any(c.isdigit() for c in one) and len(one) >= 4


def _is_shown(name: str, context: Context) -> bool:
    return any(_has(step.text[:_MOST_TEXT], name) for step in islice(reversed(context.history), _LATEST))
