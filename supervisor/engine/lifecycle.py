"""The resources that a supervisor holds open: workers, doors, records and a thread. Each forked child opens its own."""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
import weakref
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from supervisor.catalog.catalog import Catalog
from supervisor.decision.approval import Approval
from supervisor.engine.approvals import Approvals
from supervisor.engine.dispatch import Dispatch
from supervisor.engine.exemptions import Lifting
from supervisor.engine.session import must_be_outside
from supervisor.engine.told_histories import ToldHistories
from supervisor.policy import Policy
from supervisor.records.declined import Declined
from supervisor.records.ledger import Ledger
from supervisor.version import VERSION

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

    from supervisor.doors.live import LiveDoors
    from supervisor.engine.remembering import Remembering
    from supervisor.records.queue import Queue

_OPEN: weakref.WeakSet[Lifecycle] = weakref.WeakSet()
_INHERITED: list[Any] = []  # resources of the parent, kept so that the garbage collector does not close them


class Lifecycle:
    """Resources that open at their first use, and close by `close` or at the interpreter's exit."""

    def __init__(self, policy: Policy, catalog: Catalog) -> None:
        self.policy, self.catalog = policy, catalog
        self._begin()
        atexit.register(self.close)
        _OPEN.add(self)

    def _begin(self) -> None:
        """Creates what belongs to one process: a thread, connections, a segment of the records."""
        self._live: LiveDoors | None = None
        self._ledger = Ledger(self.policy, {"supervisor": VERSION, "specialists": self.catalog.digests()})
        self._told = ToldHistories(lambda: self._ledger.masker)
        self._approvals = Approvals(self.policy, self.catalog, lambda: self.queue)
        self._lifting = Lifting(self.policy, self.catalog, self._ledger)
        self._dispatch = Dispatch(self.catalog, self.policy)
        self._memory = self._remembering()
        self._lock = threading.RLock()
        self._portal: BlockingPortal | None = None
        self._closing = contextlib.ExitStack()

    def _remembering(self) -> Remembering | None:
        """What agents were refused across their sessions; None if the policy keeps no memory, or no records."""
        memories = self._ledger.memories()
        if memories is None:
            return None
        from supervisor.engine.remembering import Remembering

        return Remembering(self.policy, self.catalog, memories)

    def _begin_in_child(self) -> None:
        """Replaces the parent's resources without closing them. Closing would wait for a thread that the child lacks,
        or end the parent's calls."""
        self._dispatch.abandon()
        _INHERITED.append((self._live, self._ledger, self._dispatch, self._lock, self._portal, self._closing))
        self._begin()

    def start(self) -> None:
        """Imports the specialists, starts the workers, and puts back revocations; see `Engine.start`."""
        self._doors.start()
        self._dispatch.start()
        if (exemptions := self._ledger.exemptions) is not None:
            exemptions.restore()

    @property
    def _doors(self) -> LiveDoors:
        """The doors of the policy. They are imported when a specialist first needs one."""
        from supervisor.doors.live import LiveDoors

        with self._lock:
            if self._live is None:
                doors = self.policy.doors
                self._live = LiveDoors.of(doors.database, doors.http, doors.model)
            return self._live

    @property
    def queue(self) -> Queue:
        """The questions that wait for a person. Raises BadPolicy if records are off."""
        return self._ledger.queue

    def answer(self, name: str, word: str, by: str, note: str = "") -> dict[str, Any]:
        """Stores a person's answer to a question, given by the program that opened this engine; see `Queue.answer`.

        Such an approval is valid for this engine alone, so an engine in an agent's own process cannot approve what
        this one asks. Raises MayNotAnswer inside a guarded session or tool.
        """
        must_be_outside()
        return self.queue.answer(name, word, by, "program", note).to_json()

    def relay(self, name: str, word: str, host: str, note: str = "") -> dict[str, Any]:
        """See `Engine.relay`. The answer is valid for this engine alone."""
        return self.queue.answer(name, word, f"the user of {host}", host, note).to_json()

    def resumed(self, name: str, host: str) -> None:
        """See `Engine.resumed`."""
        self.queue.resumed(name, host)

    def declined(self, record: str, session: str, host: str, note: str = "") -> None:
        """Records that a host's own user said no, at the host's prompt, to an action that was let through. `record` is
        the address of the decision's record. Raises RecordFailed."""
        self._ledger.record_declined(Declined(record, session, host, datetime.now(UTC), note))

    def is_answered(self, approval: Approval) -> bool:
        """See `Engine.is_answered`."""
        return self.queue.has_answer(approval.name)

    @property
    def portal(self) -> BlockingPortal:
        """The event loop in its own thread that runs this engine for sync callers."""
        from anyio.from_thread import start_blocking_portal

        with self._lock:
            if self._portal is None:
                self._portal = self._closing.enter_context(start_blocking_portal())
            return self._portal

    def recording(self) -> dict[str, str]:
        """Whether the records are where the policy says; see `Ledger.standing`."""
        return self._ledger.standing()

    def close(self) -> None:
        """Stops the portal, closes the doors and seals the records."""
        atexit.unregister(self.close)
        with self._lock:
            self._closing.close()
            self._portal = None
            self._dispatch.close()
            if self._live is not None:
                self._live.close()
            self._ledger.close()


def _begin_in_child() -> None:
    for opened in list(_OPEN):
        opened._begin_in_child()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_in_child)
