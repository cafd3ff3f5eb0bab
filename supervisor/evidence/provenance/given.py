"""The values that each order in the tools' outputs gives an action, and the arguments that only pass an order on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from supervisor.action import Action, Step, strings_in
from supervisor.evidence.prose.passages import fold, holds
from supervisor.evidence.prose.wording import spaced
from supervisor.evidence.provenance import Provenance
from supervisor.evidence.provenance.origins import Value
from supervisor.evidence.provenance.utterances import Sources

_LATEST = 40  # last steps whose calls are searched for a value
_MAX_TEXT = 4_000  # characters of an argument that are read
UNIT = 3  # letters of a code for a currency, a country or a unit
_LEAVES_OUT = frozenset("skip exclude excluded ignore ignored except without omit".split())  # names of arguments
# Beginnings of words for what deceives.
_FRAUD = re.compile(
    r"(?i)\b(?:fake|fraud|scam|phish|spoof|hoax|betrug|betrüg|gefälscht|arnaque|hameçonnage|estafa|fals[oa]|golpe|truff"
    r"|oplicht|oszust|fałszyw|bedräg|svindel|мошенн|фишинг|поддельн|шахра|sahte|penipu|lừa đảo|giả mạo)"
    r"|詐欺|フィッシング|诈骗|钓鱼|사기|피싱|احتيال|धोखा"
)
_CONTENT = frozenset({"body", "content", "message", "text", "html", "comment", "reply", "note", "description", "data"})


@dataclass(frozen=True, slots=True)
class Given:
    """The values that one order gives: values that only the order contains (`alone`), whole values that other data also
    contain (`shared`), and whole values that the user's text also contains (`repeated`)."""

    alone: list[Value] = field(default_factory=list)
    shared: list[Value] = field(default_factory=list)
    repeated: list[Value] = field(default_factory=list)


def given(origins: Provenance, history: Sequence[Step], passed_on: frozenset[str]) -> list[Given]:
    """The values that each order gives, without the arguments that only pass the order on.

    An order alone gives a value if neither the user nor a tool's plain data contains it elsewhere. These do not count
    as elsewhere: sentences right after the order, other orders (the same order is often in many places), and later
    outputs, which may echo the action.
    """
    orders, calls = origins.sources.orders, _Calls(history)
    cores = {first + number: place for place, (first, order) in enumerate(orders) for number in order.core}
    behind = {first + number for first, order in orders for number in order.near}
    found = [Given() for _ in orders]
    for value in origins.values:
        if value.place in passed_on or _is_unit(value):
            continue
        given_by = dict.fromkeys(cores[number] for number in value.passages if number in cores)
        if value.in_task:
            for place in given_by if value.whole else ():
                found[place].repeated.append(value)
            continue
        plainly = [
            origins.sources.passages[number].step
            for number in value.passages
            if number not in cores and number not in behind
        ]
        for place in given_by:
            order_step = orders[place][1].step
            until = order_step if value.distinctive or not plainly else calls.first_with(value, order_step) - 1
            if all(step > until for step in plainly):
                found[place].alone.append(value)
            elif value.whole:
                found[place].shared.append(value)
    return found


def passing_on(action: Action, sources: Sources) -> frozenset[str]:
    """The arguments that contain a whole order and are not a message: names of things into which another party wrote
    the order. An agent that only passes such a name on, or leaves it out, does not obey it."""
    arguments = (
        (name, fold(text[:_MAX_TEXT])) for name in action.args.keys() - _CONTENT for text in texts_of(action.args[name])
    )
    orders = [[sources.passages[first + number].folded for number in order.core] for first, order in sources.orders]
    return left_out(action) | frozenset(
        name for name, folded in arguments if any(all(holds(folded, each) for each in order) for order in orders)
    )


def left_out(action: Action) -> frozenset[str]:
    """The arguments that say what is left out: nobody obeys what is skipped."""
    return frozenset(name for name in action.args if not _LEAVES_OUT.isdisjoint(fold(spaced(name)).split()))


def warning(action: Action, task: str) -> frozenset[str]:
    """The arguments that warn of a text, as the task does, and give no link to follow."""
    if _FRAUD.search(task) is None:
        return frozenset()
    said = {name: "\n".join(texts_of(value)) for name, value in action.args.items()}
    return frozenset(name for name, text in said.items() if "://" not in text and _FRAUD.search(text))


def texts_of(value: Any) -> Iterator[str]:
    """The first twenty texts in an argument."""
    return islice((text for _, text in strings_in(value)), 20)


class _Calls:
    """The arguments of the latest steps' tool calls."""

    def __init__(self, history: Sequence[Step]) -> None:
        self._history = history
        self._folded: dict[int, str] = {}

    def first_with(self, value: Value, after: int) -> int:
        """The first step after the step `after` whose tool was called with a value; the number of steps if there is
        none.

        From that step on, outputs may echo the value. Earlier outputs have it from another source.
        """
        name, count = fold(value.text), len(self._history)
        steps = range(max(after + 1, count - _LATEST), count)
        return next((step for step in steps if holds(self._words(step), name)), count)

    def _words(self, step: int) -> str:
        if step not in self._folded:
            self._folded[step] = fold(" ".join(text[:_MAX_TEXT] for text in texts_of(self._history[step].args)))
        return self._folded[step]


def _is_unit(value: Value) -> bool:
    """Whether a value is a code of three letters, such as a currency's: it occurs by chance, and decides nothing."""
    text = value.text.strip()
    return len(text) == UNIT and text.isascii() and text.isalpha()
