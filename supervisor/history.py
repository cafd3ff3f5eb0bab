"""A session's past: append-only, shared by every decision of the session, and addressed by its content.

Each step has a node that contains the address of the node before it. So one address identifies a whole history, each
step is stored once however many decisions saw it, and a snapshot costs nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, overload

import orjson

from supervisor.action import Context, Step

Content = tuple[str, bytes]  # address, JSON bytes


class History(Sequence[Step]):
    """The first `length` steps of a growing list. Steps are never changed, only added.

    `memory` caches what `evidence.history` read from the steps. All snapshots share it, so it may cover later steps.
    """

    __slots__ = ("_addresses", "_ends", "_length", "_newest", "_steps", "memory")

    def __init__(self, steps: Iterable[Step] = ()) -> None:
        self._steps: list[Step] = list(steps)
        self._addresses: list[str] = []
        self._ends: list[int] = []  # total bytes of the nodes up to and including each one
        self._newest: list[tuple[int, bytes]] = []  # the node addressed last, which is stored next
        self._length = len(self._steps)
        self.memory: dict[Any, Any] = {}

    @classmethod
    def of(cls, steps: Sequence[Step]) -> History:
        """The steps as a History, which has addresses."""
        return steps if isinstance(steps, cls) else cls(steps)

    def append(self, step: Step) -> None:
        """Adds a step to the session. Snapshots taken before do not see it."""
        self._steps.append(step)
        self._length = len(self._steps)

    def snapshot(self) -> History:
        """The history as it is now. The copy shares the steps."""
        copy = History.__new__(History)
        copy._steps, copy._addresses, copy._newest = self._steps, self._addresses, self._newest
        copy._ends, copy.memory = self._ends, self.memory
        copy._length = self._length
        return copy

    def address(self) -> str | None:
        """The content address of the last node, which identifies the whole history; None if the history is empty."""
        addresses = self._addresses
        while (index := len(addresses)) < self._length:
            node = self._node(index)
            # Another thread may have written here meanwhile: the same values at the same places.
            self._ends[index : index + 1] = [len(node) + (self._ends[index - 1] if index else 0)]
            addresses[index : index + 1] = [address_of(node)]
            self._newest[:] = [(index, bytes(memoryview(node)))]  # a copy: each of orjson's own takes at least 4 KB
        return addresses[self._length - 1] if self._length else None

    @property
    def size(self) -> int:
        """The size of all nodes, in bytes."""
        return self._ends[self._length - 1] if self.address() else 0

    def bytes_of(self, number: int) -> int:
        """The size of the node of one step, in bytes."""
        self.address()
        return self._ends[number] - (self._ends[number - 1] if number else 0)

    def then(self, step: Step) -> History:
        """This history and one more step. The steps are shared if this very step came next in the session."""
        return self.first(self._length + 1) if self.goes_on_with(step) else History([*self, step])

    def goes_on_with(self, step: Step) -> bool:
        """Whether this very step came next in the session."""
        return self._length < len(self._steps) and self._steps[self._length] is step

    def first(self, length: int) -> History:
        """The history as it was after `length` steps, sharing them."""
        copy = self.snapshot()
        copy._length = length
        return copy

    def addresses(self, start: int = 0, end: int | None = None) -> list[str]:
        """The addresses of the nodes from index `start` to before `end`, by default all that follow."""
        self.address()
        return self._addresses[start : self._length if end is None else min(end, self._length)]

    def known_to(self, store: Container[str]) -> int:
        """How many steps, from the first on, are in a store of addresses."""
        self.address()
        length = self._length
        while length and self._addresses[length - 1] not in store:
            length -= 1
        return length

    def nodes(self, store: Container[str] = ()) -> Iterator[tuple[str, bytes]]:
        """Every node that is not in a store of addresses, with its address, oldest first."""
        length, made = self.known_to(store), dict(self._newest)
        for index in range(length, self._length):
            yield self._addresses[index], made.get(index) or self._node(index)

    def _node(self, index: int) -> bytes:
        """The node of one step: the step, and the address of the node before it."""
        before = self._addresses[index - 1] if index else None
        return orjson.dumps({"before": before, "step": step_to_json(self._steps[index])})

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


def whole_history(context: Context) -> History:
    """The whole past: the history, and the action itself if it has run."""
    past = History.of(context.history)
    return past if context.ran is None else past.then(context.ran)


def after_context(context: Context) -> Context:
    """The context after an action ran, from a context whose history ends with that action."""
    past = History.of(context.history)
    return replace(context, history=past.first(len(past) - 1), ran=past[-1])


def address_of(content: bytes) -> str:
    """The content address of stored bytes: their SHA-256 in hex."""
    return hashlib.sha256(content).hexdigest()


def step_to_json(step: Step) -> dict[str, Any]:
    """A step as it is stored."""
    return {"tool": step.tool, "args": step.args, "output": step.output, "kind": step.kind, "failed": step.failed}


def step_of(value: dict[str, Any]) -> Step:
    """A stored step."""
    return Step(value["tool"], value["args"], value["output"], value["kind"], value["failed"])
