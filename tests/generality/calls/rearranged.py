"""The same history with steps around it that have nothing to do with the case, and with independent steps swapped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from supervisor.action import strings_in
from supervisor.catalog.failure_mode import Case
from supervisor.evidence.business.operations import act_in_name
from tests.generality.calls.judging import with_history

_UNRELATED: tuple[dict[str, Any], ...] = (
    {"tool": "get_weather", "args": {"city": "Oslo"}, "output": {"temperature_c": 7, "sky": "overcast"}},
    {"tool": "list_files", "args": {"folder": "templates"}, "output": ["letter.docx", "logo.png"]},
    {"tool": "web_search", "args": {"query": "bank holidays"}, "output": "Easter Monday is a holiday in most states."},
    {"tool": "calendar.list", "args": {"day": "today"}, "output": "| time | title |\n|---|---|\n| 9:00 | Stand-up |"},
)


def rearrangements(case: Case) -> Iterator[tuple[str, Case]]:
    """The same case with other steps in its history."""
    steps = list(case.context.get("history") or [])
    yield "an unrelated step first", with_history(case, [_UNRELATED[0], *steps])
    yield "an unrelated step last", with_history(case, [*steps, _UNRELATED[1]])
    yield "unrelated steps around", with_history(case, [*_UNRELATED[:2], *steps, *_UNRELATED[2:]])
    if len(steps) > 1:
        between = [each for at, step in enumerate(steps) for each in (step, _UNRELATED[at % len(_UNRELATED)])]
        yield "unrelated steps between", with_history(case, between)
        for at in range(len(steps) - 1):
            if _are_independent(steps[at], steps[at + 1]):
                swapped = [*steps[:at], steps[at + 1], steps[at], *steps[at + 2 :]]
                yield "independent steps swapped", with_history(case, swapped)


def _are_independent(one: Any, other: Any) -> bool:
    """Whether two steps only read different things, and neither asks for what the other showed."""
    if not (isinstance(one, Mapping) and isinstance(other, Mapping)):
        return False
    tools = (str(one.get("tool")), str(other.get("tool")))
    if tools[0] == tools[1] or not all(act_in_name(tool)[1] for tool in tools):
        return False
    return _values(one).isdisjoint(_values(other))


def _values(step: Mapping[str, Any]) -> set[str]:
    return {word for _, text in strings_in([step.get("args"), step.get("output")]) for word in _words(text)}


def _words(text: str) -> Sequence[str]:
    """The words that may name a thing: those with a digit or an @."""
    return [word.strip(".,:;") for word in text.split() if any(letter.isdigit() or letter == "@" for letter in word)]
