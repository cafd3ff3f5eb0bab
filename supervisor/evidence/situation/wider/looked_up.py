"""Whether a change selects by something else than what the user named and the agent looked up.

The request names `7712`, an earlier step showed that row, and the change takes `WHERE country = 'JP'`. Or a step looked
at one service, and the command takes a listing of services. A change reaches what is named if its text has the name,
or a value that the outputs show only beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from supervisor.action import strings_in
from supervisor.evidence.situation.deeds import Deed
from supervisor.evidence.situation.named.others import REST
from supervisor.evidence.situation.wider.filters import Beyond
from supervisor.evidence.situation.wider.request import Request, has_word
from supervisor.evidence.situation.wider.words import extent, scope

_MOST = 24  # names, values
_LATEST = 40  # steps
_MOST_TEXT = 24 * 1024  # characters of one output
_MOST_CODE = 8 * 1024
_FEW = 3  # lines with one key
_LONGEST_CONDITION = 800
_TOKEN = re.compile(r"(?<![\w./:@-])[A-Za-z0-9][\w.@-]{1,60}\w(?![\w/@-]|\.\w)", re.ASCII)
_VALUE = re.compile(r"[\"']([^\"'\n]{1,80})[\"']|(?<![\w.])(\d{1,20})(?![\w.])")
_CHANGE = re.compile(
    r"(?is)\b(?:update\s+[\w.\"`\[\]]{1,80}\s+set\b|delete\s+from\s+[\w.\"`\[\]]{1,80})([^;]{0,800})(?:;|$)"
)
_WHERE = re.compile(r"(?is)\bwhere\b(.*)")
_OF_DOCUMENTS = re.compile(
    r"\.(?:update|updateMany|deleteMany|remove|updateOne|deleteOne|update_many|delete_many)\s?\("
)
# Values that a statement gets from elsewhere: another query, a parameter, a variable.
_FROM_ELSEWHERE = re.compile(
    r"(?i)\bselect\b|\bjoin\b|\$\d|\$\{?[a-z_]\w*\}?(?=\s*['\")])|%s|(?<!\w)@\w|(?<!\w):[a-z]\w|\?"
)
_BARE = re.compile(r":\s*(?!(?:true|false|null|new|ISODate|ObjectId|NumberLong|NumberInt|Date)\b)[A-Za-z_]\w*[,.}\[\]]")
_PIPED = re.compile(
    r"(?i)\b(get-\w+)\b[^;\n]{0,400}\|[^;\n]{0,200}\b(?:remove|stop|disable|restart|unregister|clear|set|suspend|revoke|reset|dismount|uninstall|move)-\w"
)
_AMOUNT = re.compile(r"\d+(?:[.,:/-]\d+)*(?:[a-z%]{1,3})?|v?\d+(?:\.\d+)+(?:[-.]\w+)*|[A-Z]{2,8}-\d+")
_NUMBERED = re.compile(r"\d{2,4}[-/]\d{5,10}")  # a year or a department with a running number: no amount, no date
_PLACE = re.compile(
    r"(?i)\b(?:on|in|at|from|via|auf|bei|aus|sur|dans|chez|en|desde|em|su|da|na|w|op|bij|uit|на|в)\s[\"'`]?$"
)


def selected_otherwise(deed: Deed, text: str, request: Request) -> Iterator[Beyond]:
    """A deed whose selection has nothing of what the user named and an earlier step looked up."""
    if not request.context.history or request.named.everything or REST.search(request.text):
        return
    text = text[:_MOST_CODE]
    for condition in islice(_conditions(deed, text), 4):
        if absent := _absent(condition, text, _looked_up(request), request):
            yield Beyond(condition.strip()[:80] or "no condition", deed.command.text, absent)
            return
    found = _PIPED.search(text)
    if found and not extent("from_file").search(text):
        names = (*_looked_up(request), *_given_to(found[1], request))
        if absent := _absent(found[0], text, names, request, of_place=False):
            yield Beyond(found[0][:80], deed.command.text, absent)


def _conditions(deed: Deed, text: str) -> Iterator[str]:
    """The conditions of the statements that change rows."""
    for word in deed.command.args[:_MOST]:
        for rest in islice(_CHANGE.findall(word[:_MOST_CODE]), _MOST):
            where = _WHERE.search(rest)
            if where and not _FROM_ELSEWHERE.search(where[1]):
                yield where[1]
    for match in islice(_OF_DOCUMENTS.finditer(text), _MOST):
        condition = _balanced(text, match.end())
        if not _BARE.search(condition) and condition.startswith("{"):
            yield condition


def _balanced(text: str, start: int) -> str:
    """The object with which the arguments of a call begin."""
    depth = 0
    for at in range(start, min(len(text), start + _LONGEST_CONDITION)):
        depth += (text[at] in "{[(") - (text[at] in "}])")
        if depth <= 0:
            return text[start : at + 1].strip()
    return ""


def _absent(condition: str, text: str, names: tuple[str, ...], request: Request, *, of_place: bool = True) -> str:
    """The first looked-up name that a selection neither has nor reaches; empty if it has one that tells as much."""
    folded = text.casefold()
    if any(name.casefold() in folded and any(map(str.isdigit, name)) for name in names):
        return ""
    missing = [name for name in names if name.casefold() not in folded]
    if not of_place:
        missing = [name for name in missing if not _PLACE.search(request.text[: request.text.find(name)][-12:])]
    said = request.text.casefold()
    values = [one or other for one, other in _VALUE.findall(condition)]
    is_reached = any(_stands_for_named(value, request) for value in values if value.casefold() not in said)
    return "" if is_reached or not missing else missing[0]


def _stands_for_named(value: str, request: Request) -> bool:
    """Whether an output shows a value beside something that the request names: it is its key."""
    words = {word.casefold() for word in re.findall(r"[\w@.-]*\w", request.text) if _may_be_name(word)}
    for step in islice(reversed(request.context.history), _LATEST):
        if not has_word(text := step.text[:_MOST_TEXT], value):
            continue
        lines = [line for line in text.splitlines() if has_word(line, value)]
        if any(word.casefold() in words for line in lines for word in re.findall(r"[\w@.-]*\w", line)):
            return len(lines) <= _FEW
        given = " ".join(each for _, each in islice(strings_in(step.args), 6)).casefold()
        if any(word in given for word in words):
            return len(lines) <= _FEW
    return False


def _may_be_name(word: str) -> bool:
    return len(word) >= 3 and (not word.islower() or any(not letter.isalpha() for letter in word))


def _looked_up(request: Request) -> tuple[str, ...]:
    """The names of the request that are a value in an earlier command or a cell of its output."""
    found = dict.fromkeys(match[0] for match in _TOKEN.finditer(request.text) if _is_key(match[0]))
    tickets = {each for match in scope("ticket").finditer(request.text) for each in _TOKEN.findall(match[0])}
    return tuple(name for name in islice(found, _MOST) if name not in tickets and _is_value(name, request))


def _is_key(word: str) -> bool:
    """Whether a word tells one thing or one group: digits and letters, a long number, capitals."""
    if word.isdigit():
        return len(word) >= 4 and not re.fullmatch(r"(?:19|20)\d\d", word)
    if _AMOUNT.fullmatch(word) and not _NUMBERED.fullmatch(word):
        return False
    return any(letter.isdigit() for letter in word) or (word.isupper() and 3 <= len(word) <= 12)


def _is_value(name: str, request: Request) -> bool:
    quoted = re.compile(rf"(?:['\"=:\s|(]){re.escape(name)}(?:['\"\s|,;)]|$)")
    return any(map(quoted.search, request.lines)) or any(map(quoted.search, request.given))


def _given_to(getter: str, request: Request) -> tuple[str, ...]:
    """The names of the request that an earlier step gave to the same command: `Get-Service Spooler`."""
    said = {word.casefold(): word for word in re.findall(r"[\w.@$-]*\w", request.text)}
    given = re.compile(rf"(?i)\b{re.escape(getter)}\s+(?:-(?:name|identity|id|vmname)\s+)?['\"]?([\w.@$-]{{3,60}})")
    found: dict[str, None] = {}
    for step in islice(reversed(request.context.history), _LATEST):
        for _, text in islice(strings_in(step.args), 6):
            found.update(
                dict.fromkeys(
                    said[name.casefold()] for name in given.findall(text[:_MOST_TEXT]) if name.casefold() in said
                )
            )
    return tuple(found)
