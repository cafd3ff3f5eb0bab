"""What a worker has been told of the sessions it judges, so that a step is sent to it once.

A history is a chain of content addresses, so one address stands for all that came before. The host keeps book of what
each worker knows and is the one that forgets; the worker does as it is told.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

import orjson

from supervisor.history import History, step_of, step_to_json

MOST_BYTES = 64 * 1024 * 1024  # of steps that a worker keeps, over all sessions
MOST_TRUNKS = 256


@dataclass(slots=True)
class _Trunk:
    """A history that a worker has, by the addresses of its nodes."""

    addresses: list[str] = field(default_factory=list)
    size: int = 0  # bytes


class Told:
    """The histories that one worker has, as its host knows it."""

    def __init__(self, most_bytes: int = MOST_BYTES, most_trunks: int = MOST_TRUNKS) -> None:
        self._most = (most_bytes, most_trunks)
        self._trunks: OrderedDict[int, _Trunk] = OrderedDict()
        self._places: dict[str, int] = {}
        self._size = 0
        self._made = 0

    def tell(self, history: History) -> dict[str, Any] | None:
        """What the worker has to be told to see this history, and notes that it was; None for an empty one."""
        head = history.address()
        if head is None:
            return None
        known = history.known_to(self._places)
        number, copied = self._trunk_for(known, history)
        # One by one: JSON of megabytes is written in one go, and nobody else runs meanwhile.
        steps = [orjson.dumps(step_to_json(step)) for step in history[known:]]
        size = sum(map(len, steps))
        self._note(number, history.addresses(known), size)
        return {
            "trunk": number,
            "length": len(history),
            "copied": copied,
            "steps": orjson.Fragment(b"".join((b"[", b",".join(steps), b"]"))),
            "size": size,
            "forget": self._forget(number),
        }

    def _trunk_for(self, known: int, history: History) -> tuple[int, tuple[int, int] | None]:
        """The trunk that this history stands in or is to be added to, and what a new one is to begin with."""
        if not known:
            return self._new(), None
        source = self._places[history.addresses(known - 1)[0]]
        self._trunks.move_to_end(source)
        if known == len(history) or known == len(self._trunks[source].addresses):
            return source, None
        number = self._new()  # two futures of one past
        self._note(number, self._trunks[source].addresses[:known], 0)
        return number, (source, known)

    def _new(self) -> int:
        self._made += 1
        self._trunks[self._made] = _Trunk()
        return self._made

    def _note(self, number: int, addresses: list[str], size: int) -> None:
        trunk = self._trunks[number]
        trunk.addresses += addresses
        trunk.size += size
        self._size += size
        self._places.update(dict.fromkeys(addresses, number))

    def _forget(self, current: int) -> list[int]:
        """The trunks that have not been used for longest, as far as there are too many."""
        forgotten = []
        for number in list(self._trunks):
            if self._size <= self._most[0] and len(self._trunks) <= self._most[1]:
                break
            if number != current:
                trunk = self._trunks.pop(number)
                self._size -= trunk.size
                for address in trunk.addresses:
                    if self._places.get(address) == number:
                        del self._places[address]
                forgotten.append(number)
        return forgotten


class Kept:
    """The histories that this worker has."""

    def __init__(self) -> None:
        self._trunks: dict[int, History] = {}
        self._sizes: dict[int, int] = {}

    @property
    def size(self) -> int:
        """Bytes of JSON that they came in."""
        return sum(self._sizes.values())

    def history(self, told: dict[str, Any] | None) -> History:
        """The history that a question names, with what it brings of it."""
        if told is None:
            return History()
        if told["copied"]:
            source, length = told["copied"]
            self._trunks[told["trunk"]] = History(self._trunks[source][:length])
        trunk = self._trunks.setdefault(told["trunk"], History())
        for step in told["steps"]:
            trunk.append(step_of(step))
        self._sizes[told["trunk"]] = self._sizes.get(told["trunk"], 0) + told["size"]
        for number in told["forget"]:
            del self._trunks[number], self._sizes[number]
        return trunk.first(told["length"])
