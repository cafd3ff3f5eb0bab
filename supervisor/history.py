"""A session's past: append-only, shared by every decision of the session, and named by its content.

Each step has a node that names the node before it, so one address stands for a whole history, a step is stored once
however many decisions saw it, and a decision's snapshot costs nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, overload

import orjson

from supervisor.action import Context, Step


class History(Sequence[Step]):
    """The first `length` steps of a growing list. Steps are never changed, only added.

    `memory` holds what `evidence.past` has read of them. All snapshots share it, so some of it may be of later steps.
    """

    __slots__ = ("_addresses", "_ends", "_length", "_newest", "_steps", "memory")

    def __init__(self, steps: Iterable[Step] = ()) -> None:
        self._steps: list[Step] = list(steps)
        self._addresses: list[str] = []
        self._ends: list[int] = []  # bytes of all nodes up to each
        self._newest: list[tuple[int, bytes]] = []  # the node addressed last, which is the one to be stored next
        self._length = len(self._steps)
        self.memory: dict[Any, Any] = {}

    @classmethod
    def of(cls, steps: Sequence[Step]) -> History:
        """Steps in the form that has addresses."""
        return steps if isinstance(steps, cls) else cls(steps)

    def append(self, step: Step) -> None:
        """Adds a step to the session. Snapshots taken before do not see it."""
        self._steps.append(step)
        self._length = len(self._steps)

    def snapshot(self) -> History:
        """The history as it is now, sharing the steps."""
        copy = History.__new__(History)
        copy._steps, copy._addresses, copy._newest = self._steps, self._addresses, self._newest
        copy._ends, copy.memory = self._ends, self.memory
        copy._length = self._length
        return copy

    def address(self) -> str | None:
        """The content address of the last step's node, which stands for the whole; None for an empty history."""
        addresses = self._addresses
        while (index := len(addresses)) < self._length:
            node = self._node(index)
            # A thread that was here meanwhile wrote the same at these places.
            self._ends[index : index + 1] = [len(node) + (self._ends[index - 1] if index else 0)]
            addresses[index : index + 1] = [address_of(node)]
            self._newest[:] = [(index, bytes(memoryview(node)))]  # orjson's own keep 4 KB each, whatever they hold
        return addresses[self._length - 1] if self._length else None

    @property
    def size(self) -> int:
        """Bytes that its nodes take."""
        return self._ends[self._length - 1] if self.address() else 0

    def then(self, step: Step) -> History:
        """This history and one more step; it shares the steps where it is the very one that came next."""
        return self.first(self._length + 1) if self.goes_on_with(step) else History([*self, step])

    def goes_on_with(self, step: Step) -> bool:
        """Whether this very step came next in the session."""
        return self._length < len(self._steps) and self._steps[self._length] is step

    def first(self, length: int) -> History:
        """The history as it was after `length` steps, sharing them."""
        copy = self.snapshot()
        copy._length = length
        return copy

    def addresses(self, start: int = 0) -> list[str]:
        """The addresses of the nodes from number `start` on."""
        self.address()
        return self._addresses[start : self._length]

    def known_to(self, store: Container[str]) -> int:
        """How many of its steps, from the first on, a store has whose members are addresses."""
        self.address()
        length = self._length
        while length and self._addresses[length - 1] not in store:
            length -= 1
        return length

    def nodes(self, store: Container[str] = ()) -> Iterator[tuple[str, bytes]]:
        """Every node that a store of addresses does not have, with its address, oldest first."""
        length, made = self.known_to(store), dict(self._newest)
        for index in range(length, self._length):
            yield self._addresses[index], made.get(index) or self._node(index)

    def _node(self, index: int) -> bytes:
        """What is stored for one step: the step, and the address of the node before it."""
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


def all_told(context: Context) -> History:
    """Everything that has happened: the history, and the action itself where it has run."""
    past = History.of(context.history)
    return past if context.ran is None else past.then(context.ran)


def once_run(context: Context) -> Context:
    """The context of those who judge after an action ran, from one whose history ends with it."""
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
