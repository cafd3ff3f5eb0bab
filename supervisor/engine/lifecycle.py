"""What a supervisor holds open: workers, doors, records and a thread, in one process, and anew in each forked child."""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
import weakref
from typing import TYPE_CHECKING, Any

from supervisor.catalog.catalog import Catalog
from supervisor.decision.approval import Approval
from supervisor.doors.live import LiveDoors
from supervisor.engine.approvals import Approvals
from supervisor.engine.dispatch import Dispatch
from supervisor.engine.session import must_be_outside
from supervisor.policy import Policy
from supervisor.records.ledger import Ledger
from supervisor.records.queue import Queue
from supervisor.version import VERSION

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

_OPEN: weakref.WeakSet[Lifecycle] = weakref.WeakSet()
_INHERITED: list[Any] = []  # what forked children were born with: kept, so that nothing closes it


class Lifecycle:
    """Opened when first used, closed by `close` or at the interpreter's exit."""

    def __init__(self, policy: Policy, catalog: Catalog) -> None:
        self.policy, self.catalog = policy, catalog
        self._begin()
        atexit.register(self.close)
        _OPEN.add(self)

    def _begin(self) -> None:
        """What belongs to one process, and is begun again in a forked child: a thread, connections, a segment."""
        doors = self.policy.doors
        self._doors = LiveDoors.of(doors.database, doors.http, doors.model)
        self._ledger = Ledger(self.policy, {"supervisor": VERSION, "specialists": self.catalog.digests()})
        self._approvals = Approvals(self.policy, self.catalog, lambda: self.queue)
        self._dispatch = Dispatch(self.catalog, self.policy)
        self._lock = threading.RLock()
        self._portal: BlockingPortal | None = None
        self._closing = contextlib.ExitStack()

    def _begin_in_child(self) -> None:
        """Closing what the parent opened would wait for a thread that is not there, or hang up the parent's calls."""
        self._dispatch.abandon()
        _INHERITED.append((self._doors, self._ledger, self._dispatch, self._lock, self._portal, self._closing))
        self._begin()

    def start(self) -> None:
        """Imports what judges and starts the workers; see `Engine.start`."""
        self._doors.start()
        self._dispatch.start()

    @property
    def queue(self) -> Queue:
        """The questions that wait for a person. BadPolicy where records are off."""
        return self._ledger.queue

    def answer(self, name: str, word: str, by: str, note: str = "") -> dict[str, Any]:
        """A person's answer to a question, from the program that opened this engine; see `Queue.answer`.

        An approval that is given so holds for this engine alone: another one, in an agent's own process, say, can
        approve nothing of what this one asks. MayNotAnswer inside a guarded session or tool.
        """
        must_be_outside()
        return self.queue.answer(name, word, by, "program", note).to_json()

    def relay(self, name: str, word: str, host: str, note: str = "") -> dict[str, Any]:
        """See `Engine.relay`. It holds for this engine alone, too."""
        return self.queue.answer(name, word, f"the user of {host}", host, note).to_json()

    def resumed(self, name: str, host: str) -> None:
        """See `Engine.resumed`."""
        self.queue.resumed(name, host)

    def is_answered(self, approval: Approval) -> bool:
        """See `Engine.is_answered`."""
        return self.queue.has_answer(approval.name)

    @property
    def portal(self) -> BlockingPortal:
        """The event loop in a thread of its own through which sync callers reach this engine."""
        from anyio.from_thread import start_blocking_portal

        with self._lock:
            if self._portal is None:
                self._portal = self._closing.enter_context(start_blocking_portal())
            return self._portal

    def recording(self) -> dict[str, str]:
        """Whether records stand where they are looked for; see `Ledger.standing`."""
        return self._ledger.standing()

    def close(self) -> None:
        """Stops the portal, closes the doors and seals the records."""
        atexit.unregister(self.close)
        with self._lock:
            self._closing.close()
            self._portal = None
            self._dispatch.close()
            self._doors.close()
            self._ledger.close()


def _begin_in_child() -> None:
    for opened in list(_OPEN):
        opened._begin_in_child()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_in_child)
