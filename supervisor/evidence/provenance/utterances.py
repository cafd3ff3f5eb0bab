"""What a session's tools have said: each output read once, all of them searchable together.

An utterance is read when it is first looked at, and kept as long as it is among the last of its session.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from supervisor.action import Context, Step
from supervisor.errors import Unreadable
from supervisor.evidence.language.disguise import hidden_in
from supervisor.evidence.language.passages import (
    Joins,
    Passage,
    folded_lines,
    is_numeric,
    plainly,
    positions,
    same_number,
    same_word,
    sentences,
)
from supervisor.evidence.language.wording import stems
from supervisor.evidence.provenance.instructions import MAX_ORDERS, Order, orders_in, speaks_to_agent
from supervisor.evidence.session.past import Growing, grown

MAX_STEPS = 40
MAX_OUTPUT = 256 * 1024  # characters of all outputs together
_KEPT = 3 * MAX_STEPS  # utterances
_ROUGHLY = 16 * 1024  # characters; the room that is left for an output is rounded, so that it is not cut anew each time
_MAX_BETWEEN = 64  # characters between two words of a value that is split
_SURE_ALONE = 10  # characters that nobody writes one after the other by chance


class _Run(NamedTuple):
    """Folded passages in one string, and where each of them starts."""

    text: str
    starts: list[int]


class Utterance:
    """What the tool of one step has said. `step` is its index in the history; `loud`: it may speak to an agent."""

    def __init__(self, step: int, text: str, *, loud: bool = True) -> None:
        self.step = step
        self.text = text
        self.loud = loud

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """Its sentences and lines."""
        told = list(sentences(self.text))
        return tuple(Passage(self.step, *pair) for pair in zip(told, folded_lines(told), strict=True) if pair[1])

    @cached_property
    def words(self) -> _Run:
        """Its passages in one string."""
        return _run(passage.folded for passage in self.passages)

    @cached_property
    def figures(self) -> _Run:
        """The same without spaces inside a passage, since people write long numbers in groups."""
        return _run(passage.folded.replace(" ", "") for passage in self.passages)

    @cached_property
    def squeezed(self) -> _Run:
        """The same without any space, for values that are spread over sentences."""
        return _run((passage.folded.replace(" ", "") for passage in self.passages), "")

    @cached_property
    def orders(self) -> list[Order]:
        """What of it reads like an order."""
        return orders_in(self.passages)

    @cached_property
    def plain(self) -> tuple[int, frozenset[str]]:
        """How many of its passages belong to no order, and the stems of their words."""
        ordered = frozenset(number for order in self.orders for number in order.core)
        plain = [passage.folded for number, passage in enumerate(self.passages) if number not in ordered]
        return len(plain), stems(" ".join(plain))


class Sources:
    """Utterances in which values can be looked up, in the order in which they were made.

    Passages are known by their numbers, which run on from one utterance to the next.
    """

    def __init__(self, said: Iterable[Utterance]) -> None:
        self._said = [each for each in said if each.passages]
        self._firsts = list(accumulate((len(each.passages) for each in self._said), initial=0))
        self.passages = [passage for each in self._said for passage in each.passages]

    def find(self, folded: str) -> tuple[int, ...]:
        """The passages that hold a folded value, also one that is written with other spaces in between."""
        found = self._places(folded, self._words, same_word)
        if not found and is_numeric(folded):
            found = self._places(folded.replace(" ", ""), self._figures, same_number)
        return found

    def find_split(self, folded: str) -> tuple[int, ...]:
        """The passages where a folded value begins that is written with a few other words, or spaces, inside."""
        texts, joined = self._words
        first, *rest = folded.split() or [""]
        found = [at for at in positions(first, joined.text, same_word) if rest and _follow(rest, joined.text, at)]
        places = tuple(dict.fromkeys(self._number_at(at, texts, joined.starts) for at in found))
        squeezed = folded.replace(" ", "")
        if places or len(squeezed) < _SURE_ALONE:
            return places
        return self._places(squeezed, self._squeezed, same_number)

    @cached_property
    def orders(self) -> list[tuple[int, Order]]:
        """The orders in what the tools have said: the MAX_ORDERS that speak up most, in the order they were said.

        Each comes with the number of the first passage of its utterance.
        """
        found = [(first, order) for first, each in zip(self._firsts, self._said, strict=False) for order in each.orders]
        if len(found) > MAX_ORDERS:
            loudest = sorted(range(len(found)), key=lambda at: (-found[at][1].loudness, -at))[:MAX_ORDERS]
            found = [found[at] for at in sorted(loudest)]
        return found

    @cached_property
    def ordered(self) -> frozenset[int]:
        """The passages that make up these orders."""
        return frozenset([first + number for first, order in self.orders for number in order.core])

    def plain_stems(self, most: int) -> Iterator[frozenset[str]]:
        """The stems of the words of plain data: of the first `most` passages that make up no order."""
        for first, each in zip(self._firsts, self._said, strict=False):
            count, words = each.plain
            for order in each.orders:
                if first + order.core[0] not in self.ordered:  # others are louder
                    count += len(order.core)
                    words |= order.stems
            if count > most:
                numbers = [number for number in range(len(each.passages)) if first + number not in self.ordered][:most]
                yield stems(" ".join([each.passages[number].folded for number in numbers]))
                return
            yield words
            most -= count

    @cached_property
    def _words(self) -> tuple[list[_Run], _Run]:
        return _joined([each.words for each in self._said])

    @cached_property
    def _figures(self) -> tuple[list[_Run], _Run]:
        return _joined([each.figures for each in self._said])

    @cached_property
    def _squeezed(self) -> tuple[list[_Run], _Run]:
        return _joined([each.squeezed for each in self._said])

    def _places(self, needle: str, where: tuple[list[_Run], _Run], joins: Joins) -> tuple[int, ...]:
        runs, joined = where
        found = dict.fromkeys(self._number_at(at, runs, joined.starts) for at in positions(needle, joined.text, joins))
        return tuple(found)

    def _number_at(self, at: int, runs: list[_Run], starts: list[int]) -> int:
        which = bisect_right(starts, at) - 1
        return self._firsts[which] + bisect_right(runs[which].starts, at - starts[which]) - 1


def may_hold(text: str, folded: str) -> bool:
    """Whether `Sources` may find a folded value in a folded text, at a tenth of the price of its passages."""
    first, *rest = folded.split() or [""]
    if folded.replace(" ", "") in text.replace(" ", ""):
        return True
    return bool(rest) and any(_follow(rest, text, at) for at in positions(first, text, same_word))


def _follow(words: list[str], text: str, at: int) -> bool:
    """Whether words come one after the other behind a place, with no more than a few others in between."""
    for word in words:
        at = text.find(word, at + 1, at + len(word) + _MAX_BETWEEN)
        if at < 0:
            return False
    return True


class _Heard(Growing):
    """Which steps may speak to an agent, of those that were looked at, and the utterances that were looked at last."""

    def __init__(self) -> None:
        self._loud: dict[int, bool] = {}
        self._known: dict[tuple[int, int], Utterance] = {}

    def take(self, number: int, step: Step) -> None:
        """Nothing: it is read when it is looked at."""

    def is_loud(self, number: int, step: Step) -> bool:
        """Whether a step may speak to an agent, going by what it does not encode."""
        if number not in self._loud:
            self._loud[number] = speaks_to_agent(heard_in(step))
        return self._loud[number]

    def of(self, context: Context, number: int, room: int = MAX_OUTPUT) -> Utterance:
        """What one step said, cut to fit, and kept for the next action."""
        utterance = self._known.get((number, room))
        if utterance is None:
            plain = plainly(context.history[number].output)
            hidden = "\n".join(hidden_in(plain))
            loud = self.is_loud(number, context.history[number]) or speaks_to_agent(hidden)
            utterance = Utterance(number, cut(f"{plain}\n{hidden}", room), loud=loud)
            for oldest in sorted(self._known)[: -_KEPT if len(self._known) >= 2 * _KEPT else 0]:
                self._known.pop(oldest, None)
            self._known[number, room] = utterance
        return utterance


def loud_among(context: Context, numbers: Iterable[int]) -> Iterator[int]:
    """Those of these steps that may speak to an agent."""
    known = grown(context, _Heard)
    return (number for number in numbers if known.is_loud(number, context.history[number]))


def heard_in(step: Step) -> str:
    """What a step said, without what it encodes; nothing where that is no JSON, which who looks at it learns."""
    try:
        return cut(plainly(step.output))
    except Unreadable:
        return ""


def recent(context: Context) -> list[Utterance]:
    """What the last MAX_STEPS steps said, oldest first. The latest MAX_OUTPUT characters count; from an output that
    does not fit, the middle is left out. Raises Unreadable for one that is no JSON.
    """
    known = grown(context, _Heard)
    kept: list[Utterance] = []
    room, end = MAX_OUTPUT, len(context.history)
    for number in range(end - 1, max(-1, end - 1 - MAX_STEPS), -1):
        utterance = known.of(context, number)
        if len(utterance.text) > room:
            utterance = known.of(context, number, room - room % _ROUGHLY)
        room -= len(utterance.text)
        kept.append(utterance)
        if room < _ROUGHLY:
            break
    return kept[::-1]


def utterance_of(context: Context, number: int, room: int = MAX_OUTPUT) -> Utterance:
    """What one step said, cut to fit. Raises Unreadable where that is no JSON."""
    return grown(context, _Heard).of(context, number, room)


def cut(text: str, room: int = MAX_OUTPUT) -> str:
    """A text without its middle, where it does not fit."""
    return text if len(text) <= room else f"{text[: room // 2]}\n{text[len(text) - room // 2 :]}"


def _run(parts: Iterable[str], between: str = " ") -> _Run:
    texts = list(parts)
    starts = accumulate((len(text) + len(between) for text in texts), initial=0)
    return _Run(between.join(texts), list(starts)[:-1])


def _joined(runs: list[_Run]) -> tuple[list[_Run], _Run]:
    return runs, _run(run.text for run in runs)
