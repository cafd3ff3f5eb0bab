"""What a session's tools have said: each output read once, all of them searchable together.

An utterance is read when it is first looked at, and kept as long as it is among the last of its session.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, islice
from typing import NamedTuple

from supervisor.action import Context, Step
from supervisor.errors import Unreadable
from supervisor.evidence.history.past import Growing, grown
from supervisor.evidence.prose.disguise import hidden_in
from supervisor.evidence.prose.passages import (
    FOLDED_TO_LATIN,
    MAX_PLACES,
    Joins,
    Passage,
    fold,
    folded_lines,
    is_numeric,
    plainly,
    positions,
    same_number,
    same_word,
    sentences,
)
from supervisor.evidence.prose.wording import stems
from supervisor.evidence.provenance.instructions import MAX_ORDERS, Order, orders_in, speaks_to_agent
from supervisor.evidence.provenance.spellings import Spelt

MAX_STEPS = 40
MAX_OUTPUT = 256 * 1024  # characters of all outputs together
_KEPT = 3 * MAX_STEPS  # utterances
_ROUGHLY = 16 * 1024  # characters; the room that is left for an output is rounded, so that it is not cut anew each time
_NO_LETTERS = bytes(code for code in range(256) if not chr(code).isascii() or not chr(code).isalnum())
_MAX_BETWEEN = 64  # characters between two words of a value that is split
SURE_ALONE = 10  # characters of a value that nobody writes one after the other by chance


class _Run(NamedTuple):
    """Folded passages in one string, and where each of them starts."""

    text: str
    starts: list[int]

    def part_at(self, place: int) -> int:
        """The number of the passage that a place in the text belongs to."""
        return bisect_right(self.starts, place) - 1


class Utterance:
    """What the tool of one step has said. `step` is its index in the history; `loud`: it may speak to an agent;
    `encodes`: some of it is what it says only to who decodes it."""

    def __init__(self, step: int, text: str, *, loud: bool = True, encodes: bool = True) -> None:
        self.step = step
        self.text = text
        self.loud = loud
        self.encodes = encodes

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """Its sentences and lines."""
        told = list(sentences(self.text))
        return tuple(Passage(self.step, *pair) for pair in zip(told, folded_lines(told), strict=True) if pair[1])

    @cached_property
    def words(self) -> _Run:
        """Its passages in one string."""
        return _run(passage.folded for passage in self.passages)

    def has(self, words: Iterable[str]) -> bool:
        """Whether all of these stand somewhere in it, also inside of others."""
        return all(word in self.words.text for word in words)

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
    def loudest(self) -> list[Order]:
        """The MAX_ORDERS of these that speak up most; of equally loud ones the last."""
        return sorted(sorted(self.orders, key=lambda order: order.loudness)[-MAX_ORDERS:], key=lambda order: order.core)

    @cached_property
    def plain(self) -> tuple[int, frozenset[str]]:
        """How many of its passages belong to no order, and the stems of their words."""
        ordered = frozenset(number for order in self.orders for number in order.core)
        plain = [passage.folded for number, passage in enumerate(self.passages) if number not in ordered]
        return len(plain), stems(" ".join(plain))


_Placed = tuple[int, Utterance]  # with the number of its first passage


class Sources:
    """Utterances in which values can be looked up, in the order in which they were made.

    Passages are known by their numbers, which run on from one utterance to the next.
    """

    def __init__(self, said: Iterable[Utterance]) -> None:
        self._said: list[_Placed] = []
        self.passages: list[Passage] = []
        for each in said:
            if each.passages:
                self._said.append((len(self.passages), each))
                self.passages += each.passages

    def passages_of(self, value: Spelt) -> tuple[int, ...]:
        """The numbers of the passages that hold a value, the first MAX_PLACES; where there is none, of those in which a
        distinctive one begins that is written with other words or spaces inside."""
        everywhere = {each.step for _, each in self._said}
        return self.whole(value, everywhere) or self.split(value, everywhere)

    def whole(self, value: Spelt, steps: Container[int]) -> tuple[int, ...]:
        """The passages that hold a value as it is, in these steps or in what any output encodes; the first MAX_PLACES.
        A number may be written with other spaces."""
        among = [(first, each) for first, each in self._said if each.step in steps or each.encodes]
        if value.is_glued:  # a look at each for what may stand in any
            letters = [folded.replace(" ", "") for folded in value.spellings]
            among = [(first, each) for first, each in among if any(map(each.squeezed.text.__contains__, letters))]
        return next(filter(None, (_find(spelling, among) for spelling in value.spellings)), ())

    def split(self, value: Spelt, steps: Container[int]) -> tuple[int, ...]:
        """The passages where a distinctive value begins that is written with a few other words inside, in these steps
        or in what any output encodes; or with other spaces inside, in any step."""
        if not value.distinctive:
            return ()
        first, *rest = value.spellings[0].split()
        among = (each for each in self._said if rest and (each[1].step in steps or each[1].encodes))
        runs = [(number, each.words) for number, each in among if each.has(rest)]
        found = _places(first, runs, same_word, lambda text, at: _follow(rest, text, at))
        squeezed = value.spellings[0].replace(" ", "")
        if found or len(squeezed) < SURE_ALONE or squeezed not in self._squeezed:
            return found
        return _places(squeezed, [(number, each.squeezed) for number, each in self._said], same_number)

    @cached_property
    def orders(self) -> list[tuple[int, Order]]:
        """The orders in what the tools have said: the MAX_ORDERS that speak up most, in the order they were said.

        Each comes with the number of the first passage of its utterance. Of equally loud ones the latest count.
        """
        found = [(first, order) for first, each in self._said for order in each.loudest]
        if len(found) > MAX_ORDERS:
            by_loudness = sorted(range(len(found)), key=lambda at: found[at][1].loudness)
            found = [found[at] for at in sorted(by_loudness[-MAX_ORDERS:])]
        return found

    @cached_property
    def ordered(self) -> frozenset[int]:
        """The passages that make up these orders."""
        return frozenset([first + number for first, order in self.orders for number in order.core])

    def plain_stems(self, most: int) -> Iterator[frozenset[str]]:
        """The stems of the words of plain data: of the first `most` passages that make up no order, and of the rest of
        the output in which these end."""
        for first, each in self._said:
            if most <= 0:
                return
            count, words = each.plain
            yield words
            most -= count
            for order in each.orders:
                if first + order.core[0] not in self.ordered:  # others are louder
                    yield order.stems
                    most -= len(order.core)

    @cached_property
    def _squeezed(self) -> str:
        return "\n".join(each.squeezed.text for _, each in self._said)


def _find(folded: str, among: Sequence[_Placed]) -> tuple[int, ...]:
    """The passages that hold a folded value, also a number that is written with other spaces in between."""
    found = _places(folded, ((first, each.words) for first, each in among), same_word)
    if not found and is_numeric(folded):
        found = _places(folded.replace(" ", ""), ((first, each.figures) for first, each in among), same_number)
    return found


def _places(
    needle: str,
    among: Iterable[tuple[int, _Run]],
    joins: Joins,
    counts: Callable[[str, int], bool] = lambda text, at: True,
) -> tuple[int, ...]:
    """The numbers of the passages in which a needle counts, of runs that each begin with the passage of a number."""
    found = (
        first + run.part_at(at)
        for first, run in among
        for at in positions(needle, run.text, joins)
        if counts(run.text, at)
    )
    return tuple(dict.fromkeys(islice(found, MAX_PLACES)))


def may_hold(said: str, value: Spelt) -> bool:
    """Whether `Sources` may find a value in what was said, at a tenth of the price of its passages."""
    if not _has_letters_of(said, value):
        return False
    text = fold(said)
    if any(folded in text for folded in value.spellings):
        return True
    if not (value.distinctive or any(map(is_numeric, value.spellings))):
        return False
    squeezed = text.replace(" ", "")
    if any(folded.replace(" ", "") in squeezed for folded in value.spellings):
        return True
    first, *rest = value.spellings[0].split()
    return bool(rest) and any(_follow(rest, text, at) for at in positions(first, text, same_word))


def _has_letters_of(said: str, value: Spelt) -> bool:
    """Whether the letters and figures of a value stand in a text one after the other, or its words do somewhere: a look
    without folding the text, where it is written in plain letters."""
    is_plain = unicodedata.is_normalized("NFKC", said) and not FOLDED_TO_LATIN.search(said)
    if not (is_plain and all(map(str.isascii, value.spellings))):
        return True
    letters = said.encode("ascii", "ignore").translate(None, _NO_LETTERS).lower()
    if any(folded.replace(" ", "").encode() in letters for folded in value.spellings):
        return True
    lower = said.lower()
    return value.distinctive and all(word in lower for word in value.spellings[0].split())


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
            utterance = Utterance(number, cut(f"{plain}\n{hidden}", room), loud=loud, encodes=bool(hidden))
            if len(self._known) >= 2 * _KEPT:
                for oldest in sorted(self._known)[:-_KEPT]:
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
