"""The passages of the tools' outputs that read like orders to their reader, and the signals in them.

A passage with such signals need not be an attack: runbooks, mail and newsletters are full of imperatives. The signals
describe its style; `provenance.planted` compares it with what the agent does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

import re2

from supervisor.evidence.prose.passages import Passage, apart
from supervisor.evidence.prose.wording import stems
from supervisor.evidence.provenance.signals import SIGNALS

MAX_ORDERS = 32
FOLLOWS = 2  # sentences after an order that may still belong to it
MAX_LENGTH = 12  # sentences in one order

_MEMORY = 24 << 20  # bytes that an automaton may take; with 16 MB RE2 runs out on ordinary prose, and is slower
_COUNTS = re2.compile(r"\{0,\d+\}")
_OPENERS = frozenset({"override", "turn", "addressed"})
FORWARD = ("override", "turn", "addressed", "secrecy", "claim")  # signals that only texts for agents give
_SPEAKS_UP = frozenset({"override", "turn", "addressed", "secrecy", "imperative", "obligation", "sequence", "claim"})


@dataclass(frozen=True, slots=True)
class Order:
    """Neighbouring sentences of one output that read like an order.

    `step` is the index in the history. `core` contains the sentences with signals and `near` those right after them,
    both as numbers of the output's passages. `signals` is the number of sentences with each signal, at most 2, and
    `loudness` the number of signals. `text` is the core, one sentence a line; `words` and `stems` are those of the
    core, folded (`passages.apart`).
    """

    step: int
    core: tuple[int, ...]
    near: tuple[int, ...]
    signals: Mapping[str, int]
    loudness: int
    text: str
    words: frozenset[str]
    stems: frozenset[str]

    def behind(self, passages: int) -> Order:
        """The same order with its numbers increased by `passages`, the number of passages before its output."""
        core, near = ([number + passages for number in numbers] for numbers in (self.core, self.near))
        return replace(self, core=tuple(core), near=tuple(near))


def orders_in(passages: Sequence[Passage]) -> list[Order]:
    """The orders in one output."""
    groups: list[list[tuple[int, frozenset[str]]]] = []
    for number, passage in enumerate(passages):
        signals = signals_of(passage.text)
        if not signals:
            continue
        if groups and _continues(groups[-1], number, signals):
            groups[-1].append((number, signals))
        else:
            groups.append([(number, signals)])
    return [_order(group, passages) for group in groups if any(signals & _SPEAKS_UP for _, signals in group)]


def _continues(group: list[tuple[int, frozenset[str]]], number: int, signals: frozenset[str]) -> bool:
    """Whether a sentence belongs to the order before it. A sentence that opens an order of its own does not."""
    last, first = group[-1][0], group[0][0]
    opens = bool(signals & _OPENERS) and not any(earlier & _OPENERS for _, earlier in group)
    return not opens and number - last <= FOLLOWS and number - first < MAX_LENGTH


def _order(group: list[tuple[int, frozenset[str]]], passages: Sequence[Passage]) -> Order:
    core = tuple(number for number, _ in group)
    reach = range(core[0], min(core[-1] + FOLLOWS + 1, len(passages)))
    near = tuple(number for number in reach if number not in core)
    counts = Counter(name for _, signals in group for name in signals)
    signals = {name: min(counts[name], 2) for name in SIGNALS}
    text = "\n".join(passages[number].text for number in core)
    folded = " ".join(passages[number].folded for number in core)
    words = frozenset(apart(folded).split())
    return Order(passages[core[0]].step, core, near, signals, len(counts), text, words, stems(folded))


@lru_cache(maxsize=4096)
def signals_of(text: str) -> frozenset[str]:
    """The signals in one sentence."""
    patterns, names = _compiled()
    matches = patterns.Match(text.encode("utf-8", "replace")) or ()
    return frozenset(names[match] for match in matches)


def speaks_to_agent(text: str) -> bool:
    """Whether an output may have a signal that only texts for agents give. It is much cheaper than reading the
    sentences one by one, and also finds sentences that are wrapped over lines."""
    encoded = text.encode("utf-8", "replace")
    gapless, gapped = _loosely()
    return bool(gapless.search(encoded) or gapped.search(encoded)) and _loud().search(encoded) is not None


def _spellings() -> list[str]:
    """The patterns of the signals in FORWARD, with any white space for a space."""
    return [spelling.replace(" ", r"\s+") for name in FORWARD for spelling in SIGNALS[name]]


@cache
def _loud() -> Any:
    """The patterns of `_spellings` as one expression."""
    return _one_of(_spellings())


@cache
def _loosely() -> tuple[Any, Any]:
    """As `_loud`, with `*` for each bounded repetition, in two expressions: patterns without and with gaps between
    words.

    Bounded repetitions make an automaton so large that RE2 rebuilds it all the time on source code.
    """
    loose = [(_COUNTS.sub("*", each), ".{" in each) for each in _spellings()]
    return _one_of(each for each, gaps in loose if not gaps), _one_of(each for each, gaps in loose if gaps)


def _one_of(patterns: Iterable[str]) -> Any:
    return re2.compile(("(?im)" + "|".join(patterns)).encode(), _options())


def _options() -> Any:
    options = re2.Options()
    options.max_mem = _MEMORY
    return options


@cache
def _compiled() -> tuple[Any, list[str]]:
    """All patterns as one automaton (RE2: linear time), and the signal of each pattern."""
    patterns, names = re2.Set.SearchSet(_options()), []
    for name, spellings in SIGNALS.items():
        for spelling in spellings:
            patterns.Add(f"(?i){spelling}")
            names.append(name)
    patterns.Compile()
    return patterns, names
