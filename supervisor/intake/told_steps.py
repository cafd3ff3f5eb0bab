"""Histories that come as JSON with every action: what is known of one from an earlier call is not read again.

A history is recognized by a chain of digests, one a step, each over the digest before it and the step as it came. So
one digest identifies all steps up to its own.
"""

from __future__ import annotations

import hashlib
import marshal
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from supervisor.action import Step
from supervisor.intake.json_values import PastCopy

Link = tuple[bytes, int]  # the digest of all steps up to one, and the size of that one in bytes
_FORMAT = 2  # of `marshal`: one form for equal values, whatever refers to them
_MOST_BYTES = 64 * 1024 * 1024  # of histories that are kept
_MOST_HISTORIES = 64


class ToldSteps(tuple[Step, ...]):
    """Steps that were read from JSON, with the chain of their digests. They cannot be exchanged for others."""

    chain: Sequence[Link]

    @classmethod
    def of(cls, steps: Iterable[Step], chain: Sequence[Link]) -> ToldSteps:
        """These steps, which have this chain."""
        told = cls(steps)
        told.chain = chain
        return told

    def goes_on_with(self, step: Step) -> ToldSteps:
        """These steps and one more. Raises ValueError for a caller's own objects."""
        return ToldSteps.of((*self, step), [*self.chain, *chain_of([of_step(step)], self.chain[-1][0])])


def chain_of(values: Iterable[Any], before: bytes = b"") -> list[Link]:
    """For each value the digest of all up to it, and its own size. Raises ValueError for other values than Python's
    own: two that are encoded alike are alike."""
    chain: list[Link] = []
    for value in values:
        told = marshal.dumps(value, _FORMAT)
        before = hashlib.sha256(before + told).digest()
        chain.append((before, len(told)))
    return chain


def of_step(step: Step) -> Any:
    """A step as values that have a digest: a tuple, which no step in JSON is."""
    return step.tool, step.args, step.output, step.kind, step.failed


@dataclass(frozen=True, slots=True)
class _Read:
    """The steps of a history that was read, and what they left of the limits."""

    steps: ToldSteps
    left: PastCopy
    size: int


class ReadHistories:
    """The histories that were read last. Threads can share it."""

    def __init__(self, read: Callable[[Any, int, PastCopy], Step]) -> None:
        """`read` reads one step, whose number it is told, within the limits of the copy."""
        self._read = read
        self._known: OrderedDict[bytes, _Read] = OrderedDict()  # by the digest of all, the last used at the end
        self._size = 0
        self._lock = threading.Lock()

    def steps(self, history: Sequence[Any]) -> Sequence[Step]:
        """The steps of a history. Raises what reading one raises."""
        try:
            chain = chain_of(history)
        except ValueError:  # a caller's own objects, which have no digest
            copy = PastCopy()
            return [self._read(value, number, copy) for number, value in enumerate(history)]
        known = self._longest(chain)
        if known and len(known.steps) == len(chain):
            return known.steps
        start, copy = (len(known.steps), known.left.copy()) if known else (0, PastCopy())
        new = [self._read(value, number, copy) for number, value in enumerate(history[start:], start)]
        steps = ToldSteps.of((*known.steps, *new) if known else new, chain)
        if chain:
            self._keep(chain, _Read(steps, copy, sum(size for _, size in chain)), known)
        return steps

    def _longest(self, chain: Sequence[Link]) -> _Read | None:
        with self._lock:
            for digest, _ in reversed(chain):
                if digest in self._known:
                    self._known.move_to_end(digest)
                    return self._known[digest]
        return None

    def _keep(self, chain: Sequence[Link], read: _Read, before: _Read | None) -> None:
        """Keeps a history in place of the one that it goes on from."""
        with self._lock:
            for digest in (chain[-1][0], before.steps.chain[-1][0] if before else b""):
                self._drop(digest)
            self._known[chain[-1][0]] = read
            self._size += read.size
            while self._size > _MOST_BYTES or len(self._known) > _MOST_HISTORIES:
                self._drop(next(iter(self._known)))

    def _drop(self, digest: bytes) -> None:
        if dropped := self._known.pop(digest, None):
            self._size -= dropped.size
