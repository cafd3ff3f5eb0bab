"""What of an action's values each order in the tools' outputs gives, and which of its arguments only pass it on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from supervisor.action import Action, Step, strings_in
from supervisor.evidence.prose.passages import fold, holds
from supervisor.evidence.provenance import Provenance
from supervisor.evidence.provenance.origins import Value
from supervisor.evidence.provenance.utterances import Sources

_LATEST = 40  # steps in which somebody may have asked for what a tool says
_MAX_TEXT = 4_000  # characters of an argument that are looked at
_CONTENT = frozenset({"body", "content", "message", "text", "html", "comment", "reply", "note", "description", "data"})


@dataclass(frozen=True, slots=True)
class Given:
    """What one order gives: values that it says alone, whole ones that it says among others, and whole ones that the
    user says too."""

    alone: list[Value] = field(default_factory=list)
    shared: list[Value] = field(default_factory=list)
    repeated: list[Value] = field(default_factory=list)


def given(origins: Provenance, history: Sequence[Step], passed_on: frozenset[str]) -> list[Given]:
    """What each order gives, but for the arguments that only pass it on.

    It says a value alone where nobody did apart from it: neither the user nor a tool as plain data. What goes on right
    behind an order does not stand apart from it, other orders may say it (the same one often stands in many places),
    and so may later outputs, which echo what was done.
    """
    orders, calls = origins.sources.orders, _Calls(history)
    cores = {first + number: place for place, (first, order) in enumerate(orders) for number in order.core}
    behind = {first + number for first, order in orders for number in order.near}
    found = [Given() for _ in orders]
    for value in origins.values:
        if value.place in passed_on:
            continue
        told_by = dict.fromkeys(cores[number] for number in value.passages if number in cores)
        if value.in_task:
            for place in told_by if value.whole else ():
                found[place].repeated.append(value)
            continue
        plainly = [
            origins.sources.passages[number].step
            for number in value.passages
            if number not in cores and number not in behind
        ]
        for place in told_by:
            told = orders[place][1].step
            until = told if value.distinctive or not plainly else calls.first_with(value, told) - 1
            if all(step > until for step in plainly):
                found[place].alone.append(value)
            elif value.whole:
                found[place].shared.append(value)
    return found


def passing_on(action: Action, sources: Sources) -> frozenset[str]:
    """The arguments that hold a whole order, and are not what is said to somebody: names of things into which others
    have written it. Who only passes a name on obeys nothing in it."""
    said = (
        (name, fold(text[:_MAX_TEXT])) for name in action.args.keys() - _CONTENT for text in texts_of(action.args[name])
    )
    orders = [[sources.passages[first + number].folded for number in order.core] for first, order in sources.orders]
    return frozenset(
        name for name, folded in said if any(all(holds(folded, each) for each in order) for order in orders)
    )


def texts_of(value: Any) -> Iterator[str]:
    """The texts in an argument: the first twenty."""
    return islice((text for _, text in strings_in(value)), 20)


class _Calls:
    """With what the tools of the latest steps were called."""

    def __init__(self, history: Sequence[Step]) -> None:
        self._history = history
        self._said: dict[int, str] = {}

    def first_with(self, value: Value, after: int) -> int:
        """The first step after another one whose tool was called with a value: from there on outputs may echo it. What
        tools came up with before that is theirs. The number of steps where there is no such call."""
        name, count = fold(value.text), len(self._history)
        steps = range(max(after + 1, count - _LATEST), count)
        return next((step for step in steps if holds(self._words(step), name)), count)

    def _words(self, step: int) -> str:
        if step not in self._said:
            self._said[step] = fold(" ".join(text[:_MAX_TEXT] for text in texts_of(self._history[step].args)))
        return self._said[step]
