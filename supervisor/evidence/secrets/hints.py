"""What of the formats and places is worth trying on a text: a glance tells whether any is, a look which places."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, NamedTuple

import re2

from supervisor.evidence.secrets.formats import FORMATS, options
from supervisor.evidence.secrets.places import HASH_HINT, PLACES, TRIGGERS

_ROOM = 32 << 20  # bytes for the states of an automaton; without room it would read a text forty times slower


class Hinted(NamedTuple):
    """Numbers of formats and of places, in no order. The number behind the last place is that of the hashes."""

    formats: list[int]
    places: list[int]


def is_hinted(raw: bytes) -> bool:
    """Whether a text may hold a secret at all."""
    return bool(_glance().Match(raw))


def hinted_in(raw: bytes) -> Hinted:
    """What is worth trying on a text."""
    numbers = _glance().Match(raw) or []
    formats = [each for each in numbers if each < len(FORMATS)]
    return Hinted(formats, (_look().Match(raw) or []) if len(formats) < len(numbers) else [])


@functools.cache
def _glance() -> Any:
    return _automaton([*(each.hint for each in FORMATS), *TRIGGERS, HASH_HINT])


@functools.cache
def _look() -> Any:
    return _automaton([*(each.hint for each in PLACES), HASH_HINT])


def _automaton(hints: Iterable[str]) -> Any:
    """One automaton over all hints, which reads a text once."""
    room = options()
    room.max_mem = _ROOM
    automaton = re2.Set.SearchSet(room)
    for hint in hints:
        automaton.Add(hint.encode("latin-1"))
    automaton.Compile()
    return automaton
