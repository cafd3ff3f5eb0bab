"""The tasks of a database, as people and programs outside of the runtime see and change them."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from supervisor.engine.session import must_be_outside
from supervisor.errors import BadInput
from supervisor.evidence.secrets import LEAST_SALT, Masker
from supervisor.feedback.labelling import MAX_NOTE
from supervisor.intake.files import read_file
from supervisor.runtime.drivers.known import STEERABLE
from supervisor.runtime.execution.engine import Queue, prepare
from supervisor.runtime.store import adding, changes, queries, steering
from supervisor.runtime.store.database import Store

if TYPE_CHECKING:
    from supervisor.runtime.store.adding import Added
    from supervisor.runtime.tasks.spec import Spec
    from supervisor.runtime.tasks.states import TaskState

_MOST_LOG = 8 * 1024 * 1024  # bytes; the runtime keeps about two million
_SKEW = 60.0  # seconds by which the clocks of two machines may differ
_CHUNK = 500  # ids in one query
Row = dict[str, Any]
T = TypeVar("T")


class Board:
    """Looks at tasks and changes them. Safe to share between threads. What it returns is masked: a command, a question
    or a log may contain a secret."""

    def __init__(self, store: Store) -> None:
        """The store stays its owner's to close. Raises NoRuntime."""
        prepare(store)
        self.store, self.queue = store, Queue(store)
        self._masker = Masker(os.urandom(LEAST_SALT))
        self._beats, self._lock = dict[str, tuple[int, float]](), Lock()

    # Looking

    def tasks(self, states: Collection[TaskState] = (), pool: str | None = None, most: int = 1_000) -> list[Row]:
        """The tasks that were changed last come first."""
        return self.masked(queries.list_tasks(self.store, states, pool, most=most))

    def counts(self) -> dict[str, int]:
        """How many tasks are in each state that has any."""
        return queries.counts(self.store)

    def task(self, id: str) -> Row:
        """A task with its attempts and questions. Raises BadInput if there is none."""
        return self.masked(queries.show(self.store, id))

    def questions(self) -> list[Row]:
        """The questions that wait for a person, oldest first."""
        return self.masked(queries.open_questions(self.store))

    def executors(self) -> list[Row]:
        """The executors that count as alive, each with the attempts that it holds. `silent` is how many seconds ago
        this process first saw the number that the executor raises: one that lives raises it six times in a lease."""
        held = self.leases()
        found, now = queries.list_executors(self.store), time.monotonic()
        with self._lock:
            before = self._beats
            self._beats = {each["id"]: _since(before.get(each["id"]), each["beat"], now) for each in found}
            since = {id: now - first for id, (_, first) in self._beats.items()}
        mine = {id: [each for each in held if each["executor"] == id] for id in since}
        return [{**each, "silent": since[each["id"]], "leases": mine[each["id"]]} for each in found]

    def leases(self) -> list[Row]:
        """The attempts that run, each with the executor that holds it."""
        return self.masked(queries.leases(self.store))

    def log(self, id: str, number: int | None = None) -> tuple[int, str]:
        """The number of an attempt, by default the last one, and what it has printed. Raises BadInput if there is no
        such attempt, or its log is on another machine."""
        tried = [each for each in queries.show(self.store, id)["attempts"] if number in (None, each["number"])]
        if not tried:
            raise BadInput("has no such attempt", place=id, code="no_attempt")
        found = tried[-1]
        file = Path(found["log"])
        try:
            if (file.parent.name, file.name) != (id, f"{found['number']}.log"):  # written by somebody else
                raise FileNotFoundError
            content = read_file(file, _MOST_LOG, own=True)
        except OSError:
            told = "the log is not on this machine, or nothing was started"
            raise BadInput(told, place=f"{id}.{found['number']}", code="no_log") from None
        return found["number"], self._masker.mask_output(content.decode(errors="replace"))

    # Changing

    def add(self, spec: Spec) -> Added:
        """Adds a task. Raises BadInput."""
        return adding.add(self.store, self.queue, spec, time.time())

    def cancel(self, id: str) -> list[str]:
        """Cancels a task with all that it has added; returns the ids of those that were open. Raises BadInput."""
        return changes.cancel(self.store, id, time.time())

    def retry(self, id: str) -> None:
        """Takes a task that has failed, or was cancelled, back to the queue. Raises BadInput."""
        changes.retry(self.store, self.queue, id, time.time())

    def answer(self, id: str, question: str, given: str, by: str, note: str) -> None:
        """Records a person's answer to the question with this id. The caller has made sure that it is a person's.
        Raises BadInput; MayNotAnswer inside of a guarded session."""
        must_be_outside()
        if not question:
            raise BadInput("an answer names its question", place=id, code="no_question")
        _check_person((by, "by"), (note, "note"))
        changes.answer(self.store, self.queue, id, given, by, time.time(), note=note, question=question)

    def steer(self, id: str, text: str, by: str) -> None:
        """Says something to the agent of a task that runs. The caller has made sure that it is a person who says so.
        Raises BadInput; MayNotAnswer inside of a guarded session."""
        must_be_outside()
        _check_person((by, "by"))
        steering.steer(self.store, id, text, by, STEERABLE, time.time())

    def masked(self, told: T) -> T:
        """The same values without secrets."""
        return self._masker.mask_output(told)


def _check_person(*given: tuple[str, str]) -> None:
    """Raises BadInput for texts that are too long to be somebody's name or reason."""
    for text, place in given:
        if len(text) > MAX_NOTE or "\0" in text:
            raise BadInput(f"has at most {MAX_NOTE:,} characters, none of them NUL", place=place)


def _since(before: tuple[int, float] | None, beat: int, now: float) -> tuple[int, float]:
    """A number that an executor raises, and when it was first seen."""
    return before if before is not None and before[0] == beat else (beat, now)


class Following:
    """What becomes of tasks from now on: each look returns the tasks that stand otherwise than at the look before. A
    state that a task has left again between two looks is not told. `task` follows one alone."""

    def __init__(self, board: Board, task: str | None = None) -> None:
        self._board, self._task = board, task
        newest = queries.list_tasks(board.store, most=1)
        self._newest = newest[0]["changed"] if newest else 0.0
        self._known = self._current()

    def look(self) -> list[Row]:
        """The tasks that have changed, masked, in the order in which they did. Raises NoRuntime."""
        before, current = self._known, self._current()
        changed = [row for id, row in current.items() if before.get(id) != row]
        changed += [row for row in self._listed(before.keys() - current.keys()) if before[row["id"]] != row]
        self._known = current
        self._newest = max([self._newest, *(row["changed"] for row in changed)])
        wanted = [row for row in changed if self._task in (None, row["id"])]
        return self._board.masked(sorted(wanted, key=lambda row: row["changed"]))

    def _current(self) -> dict[str, Row]:
        """Compared row by row, since a time of another machine's clock may lie before those that were seen."""
        return queries.open_or_changed(self._board.store, self._newest - _SKEW)

    def _listed(self, ids: Collection[str]) -> Iterator[Row]:
        left = list(ids)
        for start in range(0, len(left), _CHUNK):
            yield from queries.listed(self._board.store, left[start : start + _CHUNK])
