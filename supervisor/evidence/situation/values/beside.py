"""Values that a command changes beside the requested ones: another setting of the same object, a limit, a row that was
copied from an output with another number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from supervisor.action import Context
from supervisor.evidence.situation.values.quantities import parts_of
from supervisor.evidence.situation.values.seen import MOST_TEXT, Mismatch, has, lines, pattern
from supervisor.evidence.situation.values.settings import written

_MOST = 60  # settings, rows
_SET = re.compile(
    r"(?<![\w.$-])(?:--?)?([A-Za-z][\w.-]{3,60})[\"'\\]{0,2}\s{0,2}[=:]\s{0,2}[\"'\\]{0,2}"
    r"(\d{1,18}(?:\.\d{1,6})?|true|false)(?![\w.:/-])"
)
_LIMITS = frozenset("max maximum limit quota cap budget ceiling threshold".split())
_FAR = 10  # times a limit that was shown
_ROW = re.compile(r"[^\n]{5,200}")
_NUMBER = re.compile(r"(?<![\w.-])\d{1,12}(?:\.\d{1,9})?(?![\w.-])")
_WORD = re.compile(r"[^\W\d_]{2,30}")
_DELIMITED = re.compile(r"[,;\t|]")
_REQUESTED_AND_OTHER = 2  # settings
_ENOUGH = 2  # rows that were copied right


def other_beside(script: str, task: str, context: Context) -> Iterator[Mismatch]:
    """Another setting, which an output shows with another value, where the request names one of those that are set."""
    given = _settings(written(script))
    if len(given) < 2 or not context.history:
        return
    if not any(has(key, task) for key in given if _is_identifier(key)):
        return
    shown = _shown(context)
    for key, value in given.items():
        is_own = not _is_identifier(key) or has(key, task) or has(value, task)
        if not is_own and (before := shown.get(key)) and value not in before:
            yield Mismatch(f"{key}={min(before)}", f"{key}={value}")
            return


def raised_limits(script: str, task: str, context: Context) -> Iterator[Mismatch]:
    """A limit far above the one that an output shows, where the request speaks of no limit."""
    given = {key: value for key, value in _settings(script).items() if value.isdigit() and _is_limit(key)}
    if not given or pattern("limits").search(task):
        return
    shown = _shown(context)
    for key, value in given.items():
        before = [int(each) for each in shown.get(key, ()) if each.isdigit()]
        if before and 0 < _FAR * max(before) <= int(value) and not has(value, task):
            yield Mismatch(f"{key}={max(before)}", f"{key}={value}")
            return


def miscopied_rows(script: str, task: str, context: Context) -> Iterator[Mismatch]:
    """A row with a number that its source in an output has not, where other rows agree with theirs."""
    if not context.history or not _DELIMITED.search(script):
        return
    rows = [*islice(_rows(script), _MOST)]
    if len(rows) <= _ENOUGH:  # none can be the one that was copied wrong
        return
    shown = [line for line in islice(lines(context), 400) if _NUMBER.search(line)]
    right, wrong = 0, []
    for row in rows:
        source = _source(row, shown)
        if source is None:
            continue
        missing = set(_NUMBER.findall(row)) - set(_NUMBER.findall(source))
        if missing:
            wrong.append(Mismatch(source.strip()[:120], row.strip()[:120]))
        else:
            right += 1
    if right >= _ENOUGH and len(wrong) == 1:
        yield wrong[0]


def _rows(script: str) -> Iterator[str]:
    for row in _ROW.findall(script[:MOST_TEXT]):
        if len(_DELIMITED.findall(row)) > 1 and _NUMBER.search(row) and len(set(_WORD.findall(row))) > 1:
            yield row


def _source(row: str, shown: list[str]) -> str | None:
    """The one line of the outputs that has all words of a row, and as many numbers."""
    words = {word.casefold() for word in _WORD.findall(row)}
    found = [line for line in shown if words <= {word.casefold() for word in _WORD.findall(line)}]
    count = len(_NUMBER.findall(row))
    same = [line for line in found if len(_NUMBER.findall(line)) == count]
    exact = [line for line in same if set(_NUMBER.findall(row)) == set(_NUMBER.findall(line))]
    return exact[0] if exact else same[0] if same else None


def _settings(text: str) -> dict[str, str]:
    return dict(islice(_SET.findall(text[:MOST_TEXT]), _MOST))


def _shown(context: Context) -> Mapping[str, set[str]]:
    """The values with which the outputs show each setting."""
    found: dict[str, set[str]] = {}
    for line in lines(context):
        for key, value in islice(_SET.findall(line[:2000]), _MOST):
            found.setdefault(key, set()).add(value)
    return found


def _is_identifier(key: str) -> bool:
    """Whether a key is no plain word: it has a mark or a capital inside."""
    return any(letter in "_.-" or letter.isupper() for letter in key[1:-1])


def _is_limit(key: str) -> bool:
    return _is_identifier(key) and not _LIMITS.isdisjoint(parts_of(key))
