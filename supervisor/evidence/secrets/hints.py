"""The formats and places worth trying on a text: a first search finds whether there are any, a second one which."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, NamedTuple

import re2

from supervisor.evidence.secrets.formats import FORMATS, options
from supervisor.evidence.secrets.places import HASH_HINT, PLACES, TRIGGERS

_ROOM = 32 << 20  # bytes for the states of an automaton; with too few it reads a text forty times slower


class Hinted(NamedTuple):
    """Numbers of formats and places, in no order. The number after the last place stands for hashes."""

    formats: list[int]
    places: list[int]


def is_hinted(raw: bytes) -> bool:
    """Whether a text may contain a secret."""
    return bool(_prefilter().Match(raw))


def hinted_in(raw: bytes) -> Hinted:
    """The formats and places worth trying on a text."""
    numbers = _prefilter().Match(raw) or []
    formats = [each for each in numbers if each < len(FORMATS)]
    return Hinted(formats, (_place_automaton().Match(raw) or []) if len(formats) < len(numbers) else [])


@functools.cache
def _prefilter() -> Any:
    return _automaton([*(each.hint for each in FORMATS), *TRIGGERS, HASH_HINT])


@functools.cache
def _place_automaton() -> Any:
    return _automaton([*(each.hint for each in PLACES), HASH_HINT])


def _automaton(hints: Iterable[str]) -> Any:
    """One automaton for all hints, which reads a text once."""
    room = options()
    room.max_mem = _ROOM
    automaton = re2.Set.SearchSet(room)
    for hint in hints:
        automaton.Add(hint.encode("latin-1"))
    automaton.Compile()
    return automaton
