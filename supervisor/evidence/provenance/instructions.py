"""Which passages of the tools' outputs read like orders to whoever reads them, and how they go about it.

A passage with such signals is not an attack: runbooks, mail and newsletters are full of imperatives. The signals say
how it speaks; whether the agent obeys it is for `provenance.planted` to tell.
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

_MEMORY = 32 << 20  # bytes that an automaton may take; with less, ordinary prose has it built anew again and again
_COUNTS = re2.compile(r"\{0,\d+\}")
_OPENERS = frozenset({"override", "turn", "addressed"})
FORWARD = ("override", "turn", "addressed", "secrecy", "claim")  # what nobody says who does not speak to an agent
_SPEAKS_UP = frozenset({"override", "turn", "addressed", "secrecy", "imperative", "obligation", "sequence", "claim"})


@dataclass(frozen=True, slots=True)
class Order:
    """Neighbouring sentences of one output that read like an order.

    `step` is the index in the history. `core` holds the sentences with signals, `near` those right after them, both by
    their numbers among the output's passages. `signals` tells how many sentences give each signal, 2 standing
    for more, and `loudness` how many signals there are. `text` is the core, a sentence a line, `words` and `stems` are
    those of the core, folded (`passages.apart`).
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
        """The same order, numbered from that many passages before its output on."""
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
    """Whether a sentence belongs to the order before it; one that opens an order of its own does not."""
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
    """The signals that one sentence gives."""
    patterns, names = _compiled()
    matches = patterns.Match(text.encode("utf-8", "replace")) or ()
    return frozenset(names[match] for match in matches)


def speaks_to_agent(text: str) -> bool:
    """Whether a whole output may give one of the signals that only texts for agents give. Much cheaper than to read its
    sentences; lines that are one sentence may be wrapped anywhere."""
    told = text.encode("utf-8", "replace")
    gapless, gapped = _loosely()
    return bool(gapless.search(told) or gapped.search(told)) and _loud().search(told) is not None


def _spellings() -> list[str]:
    """Those patterns, with any white space for a space."""
    return [spelling.replace(" ", r"\s+") for name in FORWARD for spelling in SIGNALS[name]]


@cache
def _loud() -> Any:
    """Those patterns as one expression."""
    return _one_of(_spellings())


@cache
def _loosely() -> tuple[Any, Any]:
    """The same, but wherever a pattern counts, any number will do: what counts makes an automaton so large that source
    code has it built anew all the time. Apart are those that allow for other words in between."""
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
    """All patterns as one automaton, which reads a sentence once (RE2: linear time), and the signal each stands for."""
    patterns, names = re2.Set.SearchSet(_options()), []
    for name, spellings in SIGNALS.items():
        for spelling in spellings:
            patterns.Add(f"(?i){spelling}")
            names.append(name)
    patterns.Compile()
    return patterns, names
