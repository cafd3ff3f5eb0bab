"""Whether a statement changes rows or rights by a selection that lacks what the request names: the number of an order,
one view of a database."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from supervisor.evidence.shell import Command
from supervisor.evidence.situation.wider.filters import Beyond
from supervisor.evidence.situation.wider.request import Request
from supervisor.evidence.situation.wider.words import extent, scope

_LONGEST = 16 * 1024  # characters of a statement
_MOST = 12  # statements, keys
_CHANGE = re.compile(
    r"(?is)\b(?:update\s+[\w.\"`\[\]]{1,80}\s+set\b|delete\s+(?:\w{1,40}\s+)?from\s+[\w.\"`\[\]]{1,80})([^;]{0,800})(?:;|$)"
)
_WHERE = re.compile(r"(?is)\bwhere\b(.*)")
_LITERAL = re.compile(r"'([^'\n]{1,120})'|(?<![\w.])(\d{2,20})(?![\w.])")
_BY_OTHERS = re.compile(r"(?i)\bselect\b|\binterval\b|\bnow\(|\bcurrent_|\bjoin\b|\$\d|:\w|%s|@\w|\?")
_QUOTED = re.compile(r"'[^'\n]{0,120}'")
_KEY = re.compile(
    r"(?<![\w.,:/-])(?=[\w@.+-]{0,60}\d{4})[A-Za-z0-9][\w@.+-]*[A-Za-z0-9](?![\w:/-])|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{0,63}\w"
)
_NO_KEY = re.compile(r"(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?|[A-Z]{2,8}-\d{1,6}|\d+(?:\.\d+)+|\d{4}-[\w-]*")
_NUMBERED = re.compile(
    r"(?<![\w-])(?!(?:to|from|by|at|of|in|on|for|than|until|since|after|before|about|over|under|only|all|the|and|or|set|last|first|next|version|step|day|days|year)\b)"
    r"([^\W\d_]{3,20})\s(?:no\.?\s|nr\.?\s|#)?(\d{1,8})(?![\w.:/%-]|\s?%)"
)
_ALL_IN = re.compile(r"(?i)\bon\s+(?:all|future)\s+\w+\s+in\s+(?:database|schema|catalog)\s+([\w.]+)")
_QUALIFIED = re.compile(r"(?<![\w./:@-])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*){1,3})(?![\w/:@-]|\.\w)")


def rows_without_key(command: Command, request: Request) -> Iterator[Beyond]:
    """Rows changed by their state alone, where the request names the key of one."""
    if request.named.everything:
        return
    keys = [each for each in islice(_KEY.findall(request.text), _MOST) if not _NO_KEY.fullmatch(each)]
    if scope("list_words").search(request.text):
        keys += [each.replace("\\", "/").rpartition("/")[2] for each in scope("list_file").findall(request.text)]
    if numbered := _numbered_rows(command, request):
        yield Beyond("rows by their state alone", command.text, numbered)
        return
    keys += islice(extent("keyed").findall(request.text), _MOST)
    lists = list(islice(extent("in_table").findall(request.text), _MOST))
    line = f"{' '.join(command.args)} {command.stdin or ''}"[:_LONGEST].casefold()
    if not (keys or lists):
        return
    for word in (*command.args, (command.stdin or "")[:_LONGEST]):
        for rest in islice(_CHANGE.findall(word), _MOST):
            if lists and not any(each.casefold() in line for each in (*lists, *keys)):
                yield Beyond("another selection", command.text, lists[0])
                return
            if keys and _is_silent(rest, keys, line, request):
                yield Beyond("rows by their state alone", command.text, keys[0])
                return


def _numbered_rows(command: Command, request: Request) -> str:
    """The number of the request that a change of rows lacks, of a noun that an output showed as a column: "shop 12"."""
    pairs = [*islice(_NUMBERED.findall(request.text), _MOST)]
    changed = [rest for word in command.args for rest in islice(_CHANGE.findall(word), _MOST)]
    if len({number for _, number in pairs}) != 1 or not changed:
        return ""
    noun, number = pairs[0]
    if re.search(rf"(?<!\d){number}(?!\d)", " ".join(command.args)) or any(map(_is_by_others, changed)):
        return ""
    is_column = any(name.casefold().startswith(noun.casefold()) for name in request.shown)
    return f"{noun} {number}" if is_column else ""


def _is_by_others(rest: str) -> bool:
    """Whether a condition takes its rows from elsewhere: a query, a parameter."""
    return _BY_OTHERS.search(_QUOTED.sub("''", rest)) is not None


def _is_silent(rest: str, keys: list[str], line: str, request: Request) -> bool:
    """Whether a condition has no key of the request, and no value that the request or an output shows with one."""
    where = _WHERE.search(rest)
    if any(_has(line, key.casefold()) for key in keys):
        return False
    if where is None:
        return True
    condition = where[1]
    if _BY_OTHERS.search(condition):
        return False
    values = [one or other for one, other in _LITERAL.findall(condition)]
    said = request.text.casefold()
    return bool(values) and not any(value.casefold() in said or re.search(r"\d{2}", value) for value in values)


def _has(line: str, key: str) -> bool:
    """Whether a line has a key; a short number counts as a word of its own."""
    return key in line and (len(key) > 3 or re.search(rf"(?<![\w.]){re.escape(key)}(?![\w.])", line) is not None)


def rights_on_all(command: Command, request: Request) -> Iterator[Beyond]:
    """A right on all tables of a database, where the request names one thing in it: `shop.pub.prices`."""
    if request.named.everything or not extent("grants").search(command.text):
        return
    line = " ".join(command.args)
    for place in islice(_ALL_IN.findall(line), _MOST):
        for name in islice(_QUALIFIED.findall(request.text), _MOST):
            inner = name.rpartition(".")
            is_within = f"{inner[0]}.".casefold().startswith(f"{place}.".casefold())
            if is_within and inner[2].casefold() not in line.casefold():
                yield Beyond(f"all in {place}", command.text, name)
                return
