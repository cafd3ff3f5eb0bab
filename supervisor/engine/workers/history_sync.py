"""Tracks which histories a worker has received, so that each step is sent to it once.

A history is a chain of content addresses, so one address identifies everything before it. The host tracks what each
worker has and decides what the worker drops.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

import orjson

from supervisor.history import History, step_of, step_to_json

MOST_BYTES = 64 * 1024 * 1024  # of steps that a worker keeps, over all sessions
MOST_TRUNKS = 256  # histories that a worker keeps


@dataclass(slots=True)
class _Trunk:
    """A history that a worker has, by the addresses of its nodes."""

    addresses: list[str] = field(default_factory=list)
    size: int = 0  # bytes


class SentHistories:
    """The histories that a host has sent to one worker."""

    def __init__(self, most_bytes: int = MOST_BYTES, most_trunks: int = MOST_TRUNKS) -> None:
        self._most = (most_bytes, most_trunks)
        self._trunks: OrderedDict[int, _Trunk] = OrderedDict()
        self._places: dict[str, int] = {}
        self.size = 0  # bytes of JSON that the worker keeps
        self.sent = 0  # bytes of JSON that it received with the last question
        self._made = 0

    def knows(self, history: History) -> bool:
        """Whether the worker has the beginning of this history."""
        return any(address in self._places for address in history.addresses(0, 1))

    def message(self, history: History) -> dict[str, Any] | None:
        """The message from which the worker builds this history; None for an empty one. Counts as sent."""
        self.sent = 0
        if history.address() is None:
            return None
        known = history.known_to(self._places)
        number, copied = self._trunk_for(known, history)
        # One by one: other threads cannot run while one call encodes megabytes of JSON.
        steps = [orjson.dumps(step_to_json(step)) for step in history[known:]]
        size = self.sent = sum(map(len, steps))
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
        """The trunk for this history; for a new branch also the trunk and the length that it copies."""
        if not known:
            return self._new(), None
        source = self._places[history.addresses(known - 1)[0]]
        self._trunks.move_to_end(source)
        if known == len(history) or known == len(self._trunks[source].addresses):
            return source, None
        number = self._new()  # a branch of a known history
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
        self.size += size
        self._places.update(dict.fromkeys(addresses, number))

    def _forget(self, current: int) -> list[int]:
        """Drops the least recently used trunks beyond the limits, and returns their numbers."""
        forgotten = []
        for number in list(self._trunks):
            if self.size <= self._most[0] and len(self._trunks) <= self._most[1]:
                break
            if number != current:
                trunk = self._trunks.pop(number)
                self.size -= trunk.size
                for address in trunk.addresses:
                    if self._places.get(address) == number:
                        del self._places[address]
                forgotten.append(number)
        return forgotten


class ReceivedHistories:
    """The histories that this worker has received, and which of them have evidence that was read from their steps."""

    def __init__(self) -> None:
        self._trunks: dict[int, History] = {}
        self._sizes: dict[int, int] = {}
        self._read: OrderedDict[int, int] = OrderedDict()  # those with evidence, the newest last
        self.size = 0  # bytes of JSON in which they came
        self.read = 0  # the same, of those with evidence

    def history(self, message: dict[str, Any] | None) -> History:
        """The history of a question, after adding the steps in its message."""
        if message is None:
            return History()
        number = message["trunk"]
        if message["copied"]:
            source, length = message["copied"]
            self._trunks[number] = History(self._trunks[source][:length])
        trunk = self._trunks.setdefault(number, History())
        for step in message["steps"]:
            trunk.append(step_of(step))
        self._sizes[number] = self._sizes.get(number, 0) + message["size"]
        self.size += message["size"]
        self._forget(message["forget"])
        self._note_read(number)
        return trunk.first(message["length"])

    def keep_read(self, most_bytes: int) -> None:
        """Drops the evidence of the histories that were used least recently, until those with evidence came in at most
        `most_bytes`. Keeps that of the newest."""
        while self.read > most_bytes and len(self._read) > 1:
            number, size = self._read.popitem(last=False)
            self._trunks[number].memory.clear()
            self.read -= size

    def _note_read(self, number: int) -> None:
        self.read += self._sizes[number] - self._read.pop(number, 0)
        self._read[number] = self._sizes[number]

    def _forget(self, numbers: list[int]) -> None:
        for number in numbers:
            del self._trunks[number]
            self.size -= self._sizes.pop(number)
            self.read -= self._read.pop(number, 0)
