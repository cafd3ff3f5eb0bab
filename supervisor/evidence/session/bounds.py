"""How often a paid or heavy thing is done, held against the number or the budget of the request."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import re2

from supervisor.action import Action, Context
from supervisor.evidence.commands.hints import compiled
from supervisor.evidence.reading.tables import table_beside

_LONGEST = 8 * 1024  # characters of a request, and of a script
_LEAST = 100  # times that count as many
_TIMES_MORE = 10
_MANY = 1000
_NUMBER = re2.compile(r"\d[\d ,.']{0,12}")
_COUNTED = re2.compile(
    r"\bseq(?:\s+-\w+)?(?:\s+\d+){0,2}\s+(\d{1,9})|\{\d+\.\.(\d{1,9})\}|--array[= ]\d+-(\d{1,9})|1\.\.(\d{1,9})\s*\|"
    r"|\s--?(?:n|num|count|repeat|times|samples|images|requests|iterations|prompts|limit|max|copies|trials)[-_a-z]*"
    r"[= ](\d{1,9})\b"
)
_ARRAY = re2.compile(r"\b(?:sbatch|qsub|bsub)\b[^|;\n]*?(?:--array[= ]|\s-[tJ] ?)\d+-(\d{1,9})\b")


class Unbounded(NamedTuple):
    """What shows that a thing is done far more often than the request says, and the words of the request."""

    mark: str
    said: str


def beyond_bounds(action: Action, context: Context) -> Unbounded | None:
    """A loop without an end, or a count far above the numbers of the request, where the request sets a bound."""
    request, script = (context.task or "")[:_LONGEST], str(action.get("command"))[:_LONGEST]
    if not request:
        return None
    budget = _pattern("budget").search(request)
    if (endless := _pattern("endless").search(script)) and budget and not _pattern("lasting").search(request):
        return Unbounded(endless[0].strip(), budget[0].strip())
    counts = [int(next(filter(None, found))) for found in _COUNTED.findall(script)]
    numbers = _numbers(request)
    if budget and counts and numbers and max(counts) > max(_LEAST, _TIMES_MORE * max(numbers)):
        return Unbounded(str(max(counts)), str(max(numbers)))
    jobs = [int(found) for found in _ARRAY.findall(script)]
    small = _pattern("small").search(request) if jobs and max(jobs) >= _MANY else None
    return Unbounded(str(max(jobs)), small[0].strip()) if small else None


def _numbers(request: str) -> list[int]:
    """The plain numbers of a request that may count something."""
    found = (each.replace(" ", "").replace(",", "").replace("'", "").rstrip(".") for each in _NUMBER.findall(request))
    counts = (int(each[:12]) for each in found if each.isdigit())
    return [number for number in counts if 1 < number < 1_000_000 and not 1990 < number < 2100]


@cache
def _pattern(name: str) -> Any:
    return compiled(table_beside(__file__, "bounds.yaml")[name])
