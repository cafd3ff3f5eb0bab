"""Histories that callers tell as a whole with every action: what is known of one from an earlier call is not masked,
addressed and read again.

A history is recognized by a chain of digests, one a step, each over the digest before it. So one digest identifies all
steps up to its own, and a history that has grown costs what is new.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from supervisor.action import Context, Step
from supervisor.engine.masking import masked
from supervisor.errors import BadInput
from supervisor.history import History
from supervisor.intake.told_steps import Link, ToldSteps, chain_of, of_step

if TYPE_CHECKING:
    from supervisor.evidence.secrets import Masker
    from supervisor.evidence.secrets.spans import Allowance

_MOST_BYTES = 64 * 1024 * 1024  # of steps that are kept, over all histories
_MOST_TRUNKS = 64


@dataclass(slots=True, eq=False)
class _Trunk:
    """A masked history that grows, the digests of its steps as they were told, and what is left for masking."""

    allowance: Allowance
    history: History = field(default_factory=History)
    digests: list[bytes] = field(default_factory=list)
    size: int = 0  # bytes


class ToldHistories:
    """The masked histories that were told before. Threads can share it.

    Masking has one allowance for a whole history. While it lasts, steps that are masked one after the other become what
    they become at once. A history that exceeds it is masked as a whole, and not kept.
    """

    def __init__(
        self, masker: Callable[[], Masker], most_bytes: int = _MOST_BYTES, most_trunks: int = _MOST_TRUNKS
    ) -> None:
        self._masker = masker
        self._most = (most_bytes, most_trunks)
        self._trunks: OrderedDict[int, _Trunk] = OrderedDict()  # the one used last at the end
        self._places: dict[bytes, _Trunk] = {}
        self._size = 0
        self._lock = threading.Lock()

    def masked(self, steps: Sequence[Step]) -> History:
        """The history of these steps, without secrets."""
        try:
            chain = _chain(steps)
        except ValueError:  # a caller's own objects, which have no digest
            return History(masked(steps, self._masker()))
        with self._lock:
            trunk, known = self._longest(chain)
            allowance = trunk.allowance.copy()
        if known == len(steps):
            return trunk.history.first(known)
        try:
            new = masked(steps[known:], self._masker(), allowance)
        except BadInput:  # more than the allowance: what is masked depends on all steps
            return History(masked(steps, self._masker()))
        with self._lock:
            if len(trunk.digests) > known:  # a branch, or another thread was faster
                trunk = _Trunk(allowance, History(trunk.history[:known]), trunk.digests[:known])
            self._grow(trunk, new, chain[known:], allowance)
            return trunk.history.first(len(steps))

    def past_of(self, context: Context) -> tuple[History, Step | None]:
        """The history of a context without secrets, and the action's own step if it has run. A `History` is masked
        already."""
        history, ran = context.history, context.ran
        if isinstance(history, History):
            return history, ran if ran is None or history.goes_on_with(ran) else masked([ran], self._masker())[0]
        if not (history or ran):
            return History(), None
        whole = self.masked(_joined(history, ran) if ran else history)
        return (whole.first(len(whole) - 1), whole[-1]) if ran else (whole, None)

    def _longest(self, chain: Sequence[Link]) -> tuple[_Trunk, int]:
        """The trunk that has most of a chain, and how much; a new one if none has any."""
        for length in range(len(chain), 0, -1):
            trunk = self._places.get(chain[length - 1][0])
            if trunk is not None:
                self._trunks.move_to_end(id(trunk))
                return trunk, length
        return _Trunk(_allowance()), 0

    def _grow(self, trunk: _Trunk, steps: Sequence[Step], chain: Sequence[Link], allowance: Allowance) -> None:
        """Adds masked steps, and what they leave of the allowance, to a history that may be new."""
        for step in steps:
            trunk.history.append(step)
        trunk.allowance = allowance
        trunk.digests += [digest for digest, _ in chain]
        size = sum(size for _, size in chain)
        trunk.size += size
        self._size += size
        self._trunks[id(trunk)] = trunk
        self._trunks.move_to_end(id(trunk))
        self._places.update((digest, trunk) for digest, _ in chain)
        self._forget()

    def _forget(self) -> None:
        """Drops the histories that were used least recently, beyond the limits."""
        while self._size > self._most[0] or len(self._trunks) > self._most[1]:
            _, trunk = self._trunks.popitem(last=False)
            self._size -= trunk.size
            trunk.size = 0  # another thread may be about to add to it
            for digest in trunk.digests:
                if self._places.get(digest) is trunk:
                    del self._places[digest]


def _joined(history: Sequence[Step], ran: Step) -> Sequence[Step]:
    try:
        return history.goes_on_with(ran) if isinstance(history, ToldSteps) and history else [*history, ran]
    except ValueError:  # a caller's own objects, which have no digest
        return [*history, ran]


def _allowance() -> Allowance:
    from supervisor.evidence.secrets.spans import Allowance

    return Allowance()


def _chain(steps: Sequence[Step]) -> Sequence[Link]:
    """For each step the digest of all steps up to it, and its own size in bytes. Raises ValueError for other values
    than Python's own."""
    return steps.chain if isinstance(steps, ToldSteps) else chain_of(map(of_step, steps))
