"""The deployment behind the console: its records, the index of them, and the key that signs what people say."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from supervisor.catalog.catalog import Catalog, in_force
from supervisor.decision.sampling import is_sampled
from supervisor.engine.replay import Replayer
from supervisor.engine.session import must_be_outside
from supervisor.errors import BadInput, BadRecord, SupervisorError
from supervisor.feedback import ingest, queries
from supervisor.feedback.ingest import place_of
from supervisor.feedback.items import Item, Whole
from supervisor.feedback.labelling import check_entry, give
from supervisor.feedback.state import places_of
from supervisor.feedback.store import Store, usual_place
from supervisor.records.journal import Journal
from supervisor.records.labels import Label
from supervisor.records.located import Located, located
from supervisor.records.queue import Queue
from supervisor.records.verify import segment_paths

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from supervisor.policy import Policy
    from supervisor.records.envelope import Signer
    from supervisor.runtime.store.database import Store as Tasks
    from supervisor.service.tasks.board import Board

_log = logging.getLogger(__name__)
_LOOKED_THROUGH = 50  # items of an index of several folders, for one that can be judged here


class NotThere(BadInput):
    """The index has no such decision."""

    code = "no_record"


class HeldByAnother(BadInput):
    """Somebody else looks at this item now."""

    code = "held"


@dataclass(frozen=True, slots=True)
class Deployed:
    """A policy, its folder of records, and the key that signs these records. `index` is the URL of the index; "" is
    that of the file beside the records. `runtime` is the URL of the database of tasks; "" is the usual one."""

    policy: Policy
    records: Path
    signer: Signer
    index: str = ""
    runtime: str = ""


class Desk:
    """Answers what pages ask, and writes what people say. Safe to share between threads. Call `close` at the end."""

    def __init__(self, deployed: Deployed) -> None:
        """Opens the index. Raises NoIndex."""
        self.policy, self.records, self.signer = deployed.policy, deployed.records, deployed.signer
        self.store = Store(deployed.index or usual_place(deployed.records))
        self._journal = Journal(deployed.records, deployed.signer)
        valid_for = deployed.policy.approval.valid_for
        self.approvals = Queue(deployed.records, valid_for, lambda: deployed.signer, lambda: self._journal)
        self._writing, self._sizes = Lock(), dict[str, int]()
        self._runtime, self._opening = deployed.runtime, Lock()
        self._tasks: Tasks | None = None
        self._board: Board | None = None
        self.problem = ""
        self.streams = 0  # live pages that are open

    def close(self) -> None:
        """Seals what was written, ends the workers of replays, and closes the index."""
        if "replayer" in vars(self):
            self.replayer.close()
        if self._tasks is not None:
            self._tasks.close()
        self._journal.close()
        self.store.close()

    @cached_property
    def catalog(self) -> Catalog:
        """The failure modes in force."""
        return in_force(self.policy)

    @property
    def board(self) -> Board:
        """The tasks of the runtime, whose database is opened when somebody first asks for them. Raises NoRuntime."""
        from supervisor.runtime.store.database import USUAL_URL, resolved
        from supervisor.runtime.store.database import Store as Tasks
        from supervisor.service.tasks.board import Board

        with self._opening:
            if self._tasks is None:
                self._tasks = Tasks(resolved(self._runtime or USUAL_URL))
            if self._board is None:
                self._board = Board(self._tasks)
            return self._board

    @cached_property
    def replayer(self) -> Replayer:
        """Runs decisions again."""
        return Replayer()

    def refresh(self) -> None:
        """Adds to the index what was recorded since. `problem` is what does not verify, or ""."""
        try:
            sizes = {path.name: path.stat().st_size for path in segment_paths(self.records)}
            if sizes == self._sizes:
                return
            taken = ingest.update(self.store, [self.records])
            self._sizes = sizes
        except (SupervisorError, OSError) as error:
            self._tell(str(error))
            return
        self._tell(f"left out, as it does not verify: {taken.unread[0]}" if taken.unread else "")

    def _tell(self, problem: str) -> None:
        if problem and problem != self.problem:
            _log.error("%s", problem)
        self.problem = problem

    # Looking

    def next_item(self, by: str, skipped: Collection[str] = ()) -> Item | None:
        """The item that this person looks at next, which is held for them from now on: first those that another person
        has judged and two people are to judge. Those that were skipped come later, and those of other folders last;
        None if nothing waits."""
        now, overlap = datetime.now(UTC), self.policy.review.overlap
        with self.store.writing() as connection:
            has_others = self._has_others(connection)
            count = len(skipped) + (_LOOKED_THROUGH if has_others else 1)
            found = queries.second_looks(connection, count, by, now, overlap) if overlap else []
            found += queries.next_items(connection, count, by, now)
            records = [item.record for item in found] if has_others else []
            elsewhere = queries.elsewhere(connection, records, place_of(self.records))
            ordered = sorted(found, key=lambda item: (item.record in elsewhere, item.record in skipped))
            for item in ordered:
                if queries.hold(connection, item.record, by, now):
                    return item
        return None

    def whole(self, record: str) -> Whole:
        """One decision with all that the index has about it. Raises NotThere."""
        with self.store.reading() as connection:
            found = queries.whole(connection, record)
        if found is None:
            raise NotThere("the index has no such decision", place=record[:12])
        return found

    def is_second_look(self, found: Whole, by: str) -> bool:
        """Whether this person judges what another one has judged, and is not to see how."""
        is_others = bool(found.labels) and all(label["by"] != by for label in found.labels)
        return is_others and is_sampled(found.item.record, self.policy.review.overlap)

    @staticmethod
    def is_sample(stored: Located | None) -> bool:
        """Whether it is shown only because people look at a sample of what models judge."""
        decision = stored.record.predicate["decision"] if stored else {}
        return bool(decision) and decision["verdict"] == "ok" and bool(decision["review"])

    @staticmethod
    def is_watched(stored: Located | None) -> bool:
        """Whether what its agent was refused in other sessions made a flag of a decision."""
        return bool(stored and stored.record.predicate.get("unheeded"))

    def located(self, item: Item) -> Located | None:
        """Its record; None if it is not in these records (pruned, or another machine's)."""
        try:
            return located(self.records, item.record, datetime.fromisoformat(item.time))
        except OSError as error:
            raise BadRecord(f"cannot be read: {error.strerror}", place=str(self.records)) from None

    def alike(self, record: str) -> list[Item]:
        """All like a decision, newest first, itself included. Raises NotThere."""
        with self.store.reading() as connection:
            try:
                return queries.like(connection, record)
            except KeyError:
                raise NotThere("the index has no such decision", place=record[:12]) from None

    # Saying

    def hold(self, record: str, by: str) -> None:
        """Holds an item for this person. Raises HeldByAnother."""
        with self.store.writing() as connection:
            if not queries.hold(connection, record, by, datetime.now(UTC)):
                raise HeldByAnother("somebody else looks at this now; what they say will be here soon")

    def release(self, record: str, by: str) -> None:
        """Lets go of an item."""
        with self.store.writing() as connection:
            queries.release(connection, record, by)

    def label(self, drafts: Sequence[Label]) -> tuple[Label, ...]:
        """Records labels, all of which are checked first, and returns them as they were recorded. The items are free
        again. Raises NotThere, HeldByAnother, BadInput and what `give` raises."""
        for draft in drafts:
            self._check(draft)
        with self._writing, self._shown():
            given = tuple(give(self._journal, self.signer, draft) for draft in drafts)
        for draft in drafts:
            self.release(draft.record, draft.by)
        return given

    def answer(self, name: str, word: str, by: str, note: str) -> None:
        """Records an answer to a question. Raises NotAsked, BadInput, MayNotAnswer and RecordFailed."""
        must_be_outside()
        with self._writing, self._shown():
            self.approvals.answer(name, word, by, "console", note)

    def _check(self, draft: Label) -> None:
        found = self.whole(draft.record)
        if not self.is_here(found.item):
            raise NotThere("its record is not in this folder, so no label of it would count", place=found.item.id[:8])
        objected = [str(row["specialist"]) for row in found.findings]
        check_entry(draft.entry, draft.word, objected, lambda: self.catalog.known)
        if draft.word != "withdrawn":
            self.hold(draft.record, draft.by)

    def is_here(self, item: Item) -> bool:
        """Whether a decision is recorded in this folder: an index may have several."""
        with self.store.reading() as connection:
            has_others = self._has_others(connection)
        return not has_others or self.located(item) is not None

    def _has_others(self, connection: Connection) -> bool:
        """Whether the index has the records of other folders, too."""
        return places_of(connection) != (place_of(self.records),)

    @contextmanager
    def _shown(self) -> Iterator[None]:
        """Adds to the index what is written meanwhile, also if only a part of it could be written."""
        try:
            yield
        finally:
            if (segment := self._journal.writing) is not None:
                ingest.take_segment(self.store, segment)
