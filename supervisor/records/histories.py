"""The histories of a journal's records. Decisions of one session share theirs: each step is read once."""

from __future__ import annotations

from supervisor.history import History
from supervisor.records.read import Record

_MOST = 50_000  # addresses of steps that are kept; then all are read anew


class Histories:
    """Histories by the addresses of their last steps. An address is the SHA-256 of a step and of all before it."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[History, int]] = {}

    def of(self, record: Record, address: str | None) -> History:
        """The history of a record whose last step has this address. Raises BadRecord if a step of it is missing."""
        new = []
        while address is not None and address not in self._known:
            step, before = record.step(address)
            new.append((address, step))
            address = before
        history, length = self._known[address] if address else (History(), 0)
        if new and len(history) > length:
            history = History(history[:length])  # a branch
        for added, step in reversed(new):
            history.append(step)
            length += 1
            self._known[added] = history, length
        found = history.first(length)
        if len(self._known) > _MOST:
            self._known.clear()
        return found
