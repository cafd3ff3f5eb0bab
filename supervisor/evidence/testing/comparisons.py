"""Whether a test compares code with itself: what it expects is what the code under test answers."""

from __future__ import annotations

import re
from bisect import bisect
from functools import cache
from typing import NamedTuple

from supervisor.evidence.reading.tables import table_beside
from supervisor.evidence.testing.assertions import Assertion, Strength, assertions
from supervisor.evidence.testing.reading import plainly

_ASSIGNED = re.compile(
    r"^[ \t]*(?:(?:const|let|var|val|auto|final|my)\s+|(?:[\w<>\[\],.?]+\s+)?)?\$?(\w+)(?:\s*:\s*[\w<>\[\].?|,"
    r" ]{1,60})?"
    r"\s*:?=\s*(?![=>])([^\n]{1,300})$",
    re.MULTILINE,
)
_EXPECTING = (
    *("expect", "want", "correct", "should", "erwart", "esperad", "attendu", "oczekiw", "golden", "truth", "reference"),
)
_EXPECTS = re.compile("|".join(_EXPECTING), re.IGNORECASE)
_CALL = re.compile(r"^[\w.$:>@&\[\]\"'-]*?([a-z_]\w*)[!?]?\(")
_ASSERTING = ("assert", "expect(", "self.assert", "$this->assert", "#", "//")
_RAISES = re.compile(r"(?i)raises|throw")
_TEST = re.compile(
    r"\bdef\s+(test\w*)|\b(?:it|test|describe|context|specify)\(?\s*[\"'`]([^\"'`\n]{1,160})|\bfunc(?:tion)?\s+(\w*[Tt]est\w*)"
    r"|\b(?:fun|void|fn|Task|public)\s+(`[^`\n]{1,160}`|\w+)\s*\("
)
# Functions whose answers differ from call to call, or that only show their argument.
_VARIES = frozenset(
    "next pop read recv get readline random now time len hash id repr str list tuple set dict sorted iter array zeros"
    " ones arange shift popleft uuid4 compile type int float bool bytes frozenset range".split()
)


class _Assigned(NamedTuple):
    start: int
    end: int
    value: str


def compared_with_itself(text: str) -> str:
    """The assertion that compares the answer of a call with the answer of the same call, which the test names as what
    it expects; empty for most texts."""
    assigned: dict[str, list[_Assigned]] = {}
    lowered = text.lower()
    if not any(word in lowered for word in _EXPECTING):
        return ""
    for each in _ASSIGNED.finditer(text):
        value = plainly(each[2].rstrip(" ;"))
        assigned.setdefault(each[1], []).append(_Assigned(each.start(), each.end(), value))
    if not any(map(_EXPECTS.search, assigned)):
        return ""
    for asserted in assertions(text):
        is_own = asserted.strength is Strength.EQUAL and _is_own(asserted, assigned, text)
        if is_own and not _is_of_agreement(text, asserted.start):
            return asserted.text.strip()
    return ""


def _is_own(assertion: Assertion, assigned: dict[str, list[_Assigned]], text: str) -> bool:
    """Whether one side is a call, and the other one a name for the answer of the same call with nothing between them
    that could change it."""

    def last(name: str) -> _Assigned | None:
        known = assigned.get(name.strip().lstrip("$&"), [])
        at = bisect(known, assertion.start, key=lambda each: each.end)
        return known[at - 1] if at else None

    for one, other in ((assertion.subject, assertion.expected), (assertion.expected, assertion.subject)):
        wanted = last(other) if _EXPECTS.search(other) else None
        result = last(one)
        call = result.value if result else plainly(one)
        name = _CALL.match(call)
        if wanted is None or name is None or name[1] in _VARIES or wanted.value != call:
            continue
        between = text[wanted.end : assertion.start]
        if result:
            between = between.replace(text[result.start : result.end], "")
        if all(_is_quiet(line) for line in between.split("\n")):
            return True
    return False


def _is_quiet(line: str) -> bool:
    """Whether a line calls nothing, or only asserts."""
    return "(" not in line or (_RAISES.search(line) is None and line.lstrip().startswith(_ASSERTING))


def _is_of_agreement(text: str, place: int) -> bool:
    """Whether the test around an assertion says that it is about two calls that agree."""
    above = [next(filter(None, found.groups()), "") for found in _TEST.finditer(text, max(0, place - 4_000), place)]
    return any(word in above[-1].lower() for word in _agrees()) if above else False


@cache
def _agrees() -> tuple[str, ...]:
    return tuple(table_beside(__file__, "frameworks.yaml")["agrees"].split())
