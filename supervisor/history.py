"""A session's past: append-only, shared by every decision of the session, and named by its content.

Each step has a node that names the node before it, so one address stands for a whole history, a step is stored once
however many decisions saw it, and a decision's snapshot costs nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

import orjson

from supervisor.action import Step


class History(Sequence[Step]):
    """The first `length` steps of a growing list. Steps are never changed, only added."""

    __slots__ = ("_addresses", "_length", "_steps")

    def __init__(self, steps: Iterable[Step] = ()) -> None:
        self._steps: list[Step] = list(steps)
        self._addresses: list[str] = []
        self._length = len(self._steps)

    def append(self, step: Step) -> None:
        """Adds a step to the session. Snapshots taken before do not see it."""
        self._steps.append(step)
        self._length = len(self._steps)

    def snapshot(self) -> History:
        """The history as it is now, sharing the steps."""
        copy = History.__new__(History)
        copy._steps, copy._addresses, copy._length = self._steps, self._addresses, self._length
        return copy

    def address(self) -> str | None:
        """The content address of the last step's node, which stands for the whole; None for an empty history."""
        addresses = self._addresses
        while (index := len(addresses)) < self._length:
            address = address_of(self.node(index))
            addresses[index : index + 1] = [address]  # a thread that was here meanwhile wrote the same at this place
        return addresses[self._length - 1] if self._length else None

    def node(self, index: int) -> bytes:
        """What is stored for one step: the step, and the address of the node before it."""
        before = self._addresses[index - 1] if index else None
        return orjson.dumps({"before": before, "step": step_to_json(self._steps[index])})

    def nodes(self) -> Iterator[tuple[str, bytes]]:
        """Every node with its address, newest first, so that a store can stop at the first it has."""
        self.address()
        for index in range(self._length - 1, -1, -1):
            yield self._addresses[index], self.node(index)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> list[Step]: ...
    def __getitem__(self, index: int | slice) -> Step | list[Step]:
        if isinstance(index, slice):
            return [self._steps[each] for each in range(*index.indices(self._length))]
        if not -self._length <= index < self._length:
            raise IndexError(f"step {index} of {self._length}")
        return self._steps[index % self._length]

    def __iter__(self) -> Iterator[Step]:
        for index in range(self._length):
            yield self._steps[index]


def address_of(content: bytes) -> str:
    """The content address of stored bytes: their SHA-256 in hex."""
    return hashlib.sha256(content).hexdigest()


def step_to_json(step: Step) -> dict[str, Any]:
    """A step as it is stored."""
    return {"tool": step.tool, "args": step.args, "output": step.output, "kind": step.kind, "failed": step.failed}


def step_of(value: dict[str, Any]) -> Step:
    """A stored step."""
    return Step(value["tool"], value["args"], value["output"], value["kind"], value["failed"])
