"""The outputs of a session's tools, each read once, and all searchable together.

An utterance is the text of one output. It is read on first use, and kept as long as it is among the last of its
session.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
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
from supervisor.evidence.provenance.biddings import Bidding, biddings_in
from supervisor.evidence.provenance.instructions import MAX_ORDERS, Order, orders_in, speaks_to_agent
from supervisor.evidence.provenance.spellings import SpelledValue

MAX_STEPS = 40
MAX_OUTPUT = 256 * 1024  # characters of all outputs together
_KEPT = 3 * MAX_STEPS  # utterances
LEAST_ROOM = 16 * 1024  # characters to which the room for an output is rounded, so that it is not cut anew each time
_NO_LETTERS = bytes(code for code in range(256) if not chr(code).isascii() or not chr(code).isalnum())
MAX_BETWEEN = 64  # characters between two words of a value that is split
SURE_ALONE = 10  # characters of a value that do not occur in sequence by chance


class _Run(NamedTuple):
    """Folded passages in one string, and the start of each."""

    text: str
    starts: list[int]

    def part_at(self, place: int) -> int:
        """The number of the passage at a position in the text."""
        return bisect_right(self.starts, place) - 1


class Utterance:
    """The output of one step's tool. `step` is its index in the history; `loud` means that it may address an agent;
    `encodes` means that a part of the text was decoded from the output."""

    def __init__(self, step: int, text: str, *, loud: bool = True, encodes: bool = True) -> None:
        self.step = step
        self.text = text
        self.loud = loud
        self.encodes = encodes
        self._apart: tuple[frozenset[int], frozenset[str]] | None = None

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """The sentences and lines."""
        parts = list(sentences(self.text))
        return tuple(Passage(self.step, *pair) for pair in zip(parts, folded_lines(parts), strict=True) if pair[1])

    @cached_property
    def words(self) -> _Run:
        """The passages in one string."""
        return _run(passage.folded for passage in self.passages)

    def has(self, words: Iterable[str]) -> bool:
        """Whether the utterance contains all of these words, also inside longer words."""
        return all(word in self.words.text for word in words)

    @cached_property
    def figures(self) -> _Run:
        """The passages in one string, without spaces inside a passage, since long numbers are written in groups."""
        return _run(passage.folded.replace(" ", "") for passage in self.passages)

    @cached_property
    def squeezed(self) -> _Run:
        """The passages in one string without any space, for values that are spread over sentences."""
        return _run((passage.folded.replace(" ", "") for passage in self.passages), "")

    def may_have(self, words: Iterable[str]) -> bool:
        """Whether `squeezed` may contain all of these words. Of a plain text this is known before its passages are
        read: its letters and figures are the same in both."""
        letters = self._letters
        return letters is None or all(
            not word.isascii() or word.encode().translate(None, _NO_LETTERS) in letters for word in words
        )

    @cached_property
    def _letters(self) -> bytes | None:
        return self.text.encode().translate(None, _NO_LETTERS).lower() if self.text.isascii() else None

    @cached_property
    def orders(self) -> list[Order]:
        """The parts that read like an order."""
        return orders_in(self.passages)

    @cached_property
    def loudest(self) -> list[Order]:
        """The MAX_ORDERS loudest orders; of equally loud ones the last."""
        return sorted(sorted(self.orders, key=lambda order: order.loudness)[-MAX_ORDERS:], key=lambda order: order.core)

    @cached_property
    def biddings(self) -> list[Bidding]:
        """The parts that tell whoever works by machine what to do."""
        return biddings_in(self.passages)

    @cached_property
    def plain(self) -> tuple[int, frozenset[str]]:
        """The number of passages that belong to no order, and the stems of their words."""
        ordered = frozenset(number for order in self.orders for number in order.core)
        plain = [passage.folded for number, passage in enumerate(self.passages) if number not in ordered]
        return len(plain), stems(" ".join(plain))

    def stems_without(self, numbers: frozenset[int]) -> frozenset[str]:
        """The stems of the words of all passages but these. Those of the last such set are kept."""
        if self._apart is None or self._apart[0] != numbers:
            folded = [passage.folded for number, passage in enumerate(self.passages) if number not in numbers]
            self._apart = numbers, stems(" ".join(folded))
        return self._apart[1]


_Placed = tuple[int, Utterance]  # with the number of its first passage


class Sources:
    """Utterances in which values can be looked up, in the order of their steps.

    Passages have numbers, which run on from one utterance to the next.
    """

    def __init__(self, utterances: Iterable[Utterance]) -> None:
        self._placed: list[_Placed] = []
        self.passages: list[Passage] = []
        for each in utterances:
            if each.passages:
                self._placed.append((len(self.passages), each))
                self.passages += each.passages

    def passages_of(self, value: SpelledValue) -> tuple[int, ...]:
        """The numbers of the first MAX_PLACES passages that contain a value. If there is none, of those in which a
        distinctive value begins that is interrupted by other words or spaces."""
        everywhere = {each.step for _, each in self._placed}
        return self.whole(value, everywhere) or self.split(value, everywhere)

    def whole(self, value: SpelledValue, steps: Container[int]) -> tuple[int, ...]:
        """The first MAX_PLACES passages that contain a value unchanged, in these steps or in any utterance with decoded
        text. A number may be written with other spaces."""
        among = [(first, each) for first, each in self._placed if each.step in steps or each.encodes]
        if value.is_glued:  # it may be in any utterance, so each is tested first
            letters = [folded.replace(" ", "") for folded in value.spellings]
            among = [(first, each) for first, each in among if any(map(each.squeezed.text.__contains__, letters))]
        return next(filter(None, (_find(spelling, among) for spelling in value.spellings)), ())

    def split(self, value: SpelledValue, steps: Container[int]) -> tuple[int, ...]:
        """The passages in which a distinctive value begins that is interrupted by a few other words, in these steps or
        in any utterance with decoded text; or by other spaces, in any step."""
        if not value.distinctive:
            return ()
        first, *rest = value.spellings[0].split()
        among = (each for each in self._placed if rest and (each[1].step in steps or each[1].encodes))
        runs = [(number, each.words) for number, each in among if each.has(rest)]
        found = _places(first, runs, same_word, lambda text, at: _follow(rest, text, at))
        squeezed = value.spellings[0].replace(" ", "")
        if found or len(squeezed) < SURE_ALONE or squeezed not in self._squeezed:
            return found
        return _places(squeezed, [(number, each.squeezed) for number, each in self._placed], same_number)

    @cached_property
    def orders(self) -> list[tuple[int, Order]]:
        """The MAX_ORDERS loudest orders in the utterances, in the order of the text; of equally loud ones the latest.

        Each comes with the number of the first passage of its utterance.
        """
        found = [(first, order) for first, each in self._placed for order in each.loudest]
        if len(found) > MAX_ORDERS:
            by_loudness = sorted(range(len(found)), key=lambda at: found[at][1].loudness)
            found = [found[at] for at in sorted(by_loudness[-MAX_ORDERS:])]
        return found

    @cached_property
    def biddings(self) -> list[Bidding]:
        """The biddings in the utterances, in the order of the text."""
        return [bidding.behind(first) for first, each in self._placed for bidding in each.biddings]

    @cached_property
    def ordered(self) -> frozenset[int]:
        """The passages that belong to these orders."""
        return frozenset([first + number for first, order in self.orders for number in order.core])

    def plain_stems(self, most: int) -> Iterator[frozenset[str]]:
        """The stems of the words of plain data: of the first `most` passages that belong to no order, and of the rest
        of the output in which these end."""
        for first, each in self._placed:
            if most <= 0:
                return
            count, words = each.plain
            yield words
            most -= count
            for order in each.orders:
                if first + order.core[0] not in self.ordered:  # others are louder
                    yield order.stems
                    most -= len(order.core)

    def stems_without(self, numbers: frozenset[int], most: int) -> frozenset[str]:
        """The stems of the words of the first `most` passages but these."""
        ordered = sorted(numbers)
        found: list[frozenset[str]] = []
        for first, each in self._placed:
            end = first + len(each.passages)
            apart = ordered[bisect_left(ordered, first) : bisect_left(ordered, end)]
            if end <= most:
                found.append(each.stems_without(frozenset(number - first for number in apart)))
            elif first < most:
                rest = enumerate(self.passages[first:most], first)
                found.append(stems(" ".join([passage.folded for number, passage in rest if number not in apart])))
        return frozenset[str]().union(*found)

    @cached_property
    def _squeezed(self) -> str:
        return "\n".join(each.squeezed.text for _, each in self._placed)


def _find(folded: str, among: Sequence[_Placed]) -> tuple[int, ...]:
    """The passages that contain a folded value, or a number that is written with other spaces."""
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
    """The numbers of the passages in which a needle counts, in runs that each start at a passage of a given number."""
    found = (
        first + run.part_at(at)
        for first, run in among
        for at in positions(needle, run.text, joins)
        if counts(run.text, at)
    )
    return tuple(dict.fromkeys(islice(found, MAX_PLACES)))


def may_hold(said: str, value: SpelledValue) -> bool:
    """Whether `Sources` may find a value in an output, at a tenth of the cost of reading its passages."""
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


def _has_letters_of(text: str, value: SpelledValue) -> bool:
    """Whether a text contains the letters and figures of a value in sequence, or its words anywhere. A text in plain
    letters is not folded for this test."""
    is_plain = unicodedata.is_normalized("NFKC", text) and not FOLDED_TO_LATIN.search(text)
    if not (is_plain and all(map(str.isascii, value.spellings))):
        return True
    letters = text.encode("ascii", "ignore").translate(None, _NO_LETTERS).lower()
    if any(folded.replace(" ", "").encode() in letters for folded in value.spellings):
        return True
    lower = text.lower()
    return value.distinctive and all(word in lower for word in value.spellings[0].split())


def _follow(words: list[str], text: str, at: int) -> bool:
    """Whether words follow a position in order, with at most a few other words in between."""
    for word in words:
        at = text.find(word, at + 1, at + len(word) + MAX_BETWEEN)
        if at < 0:
            return False
    return True


class _Heard(Growing):
    """The steps known to be loud or not, and the utterances that were read last."""

    def __init__(self) -> None:
        self._loud: dict[int, bool] = {}
        self._known: dict[tuple[int, int], Utterance] = {}

    def take(self, number: int, step: Step) -> None:
        """Does nothing, since a step is read on first use."""

    def is_loud(self, number: int, step: Step, plain: str | None = None) -> bool:
        """Whether a step's output may address an agent, by its unencoded text (`plain` if it is known)."""
        if number not in self._loud:
            self._loud[number] = speaks_to_agent(text_of_step(step) if plain is None else cut(plain))
        return self._loud[number]

    def of(self, context: Context, number: int, room: int = MAX_OUTPUT) -> Utterance:
        """The utterance of one step, cut to fit, and kept for the next action."""
        utterance = self._known.get((number, room))
        if utterance is None:
            plain = plainly(context.history[number].output)
            hidden = "\n".join(hidden_in(plain))
            loud = self.is_loud(number, context.history[number], plain) or speaks_to_agent(hidden)
            utterance = Utterance(number, cut(f"{plain}\n{hidden}", room), loud=loud, encodes=bool(hidden))
            if len(self._known) >= 2 * _KEPT:
                for oldest in sorted(self._known)[:-_KEPT]:
                    self._known.pop(oldest, None)
            self._known[number, room] = utterance
        return utterance


def loud_among(context: Context, numbers: Iterable[int]) -> Iterator[int]:
    """The steps among these whose output may address an agent."""
    known = grown(context, _Heard)
    return (number for number in numbers if known.is_loud(number, context.history[number]))


def text_of_step(step: Step) -> str:
    """The text of a step's output without decoded parts; empty if the output is not JSON, which `utterance_of`
    reports."""
    try:
        return cut(plainly(step.output))
    except Unreadable:
        return ""


def recent(context: Context) -> list[Utterance]:
    """The utterances of the last MAX_STEPS steps, oldest first. The latest MAX_OUTPUT characters count; an output that
    does not fit loses its middle. Raises Unreadable for an output that is not JSON.
    """
    known = grown(context, _Heard)
    kept: list[Utterance] = []
    room, end = MAX_OUTPUT, len(context.history)
    for number in range(end - 1, max(-1, end - 1 - MAX_STEPS), -1):
        utterance = known.of(context, number)
        if len(utterance.text) > room:
            utterance = known.of(context, number, room - room % LEAST_ROOM)
        room -= len(utterance.text)
        kept.append(utterance)
        if room < LEAST_ROOM:
            break
    return kept[::-1]


def utterance_of(context: Context, number: int, room: int = MAX_OUTPUT) -> Utterance:
    """The utterance of one step, cut to fit. Raises Unreadable if the output is not JSON."""
    return grown(context, _Heard).of(context, number, room)


def cut(text: str, room: int = MAX_OUTPUT) -> str:
    """A text, without its middle if it does not fit."""
    return text if len(text) <= room else f"{text[: room // 2]}\n{text[len(text) - room // 2 :]}"


def _run(parts: Iterable[str], between: str = " ") -> _Run:
    texts = list(parts)
    starts = accumulate((len(text) + len(between) for text in texts), initial=0)
    return _Run(between.join(texts), list(starts)[:-1])
