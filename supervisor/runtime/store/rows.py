"""Rows of tasks as values, and the two ways in which every transition writes one."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from supervisor.errors import BadInput
from supervisor.runtime.store.enqueuing import Enqueue, Enqueued
from supervisor.runtime.store.schema import tasks
from supervisor.runtime.tasks.following import Past
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.spec import Spec
from supervisor.runtime.tasks.states import TaskState

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task as it is stored."""

    id: str
    state: TaskState
    attempt: int
    past: Past
    target: str | None
    stop: Ending | None
    reason: str
    parent: str | None
    spec: Spec

    @classmethod
    def of(cls, row: Row[Any]) -> TaskRow:
        past = Past(row.failures, row.losses, tuple(json.loads(row.excluded)))
        spec = Spec.from_json(json.loads(row.spec))
        stop = Ending(row.stop) if row.stop else None
        return cls(row.id, TaskState(row.state), row.attempt, past, row.target, stop, row.reason, row.parent, spec)

    def stopped(self, outcome: Outcome) -> Outcome:
        """How the task's attempt has ended if it has ended like this: what was to be over is, unless it was done first.
        The attempt may not have heard of it, because its executor has died or was asked for another end before."""
        if self.stop in (Ending.CANCELLED, Ending.ABANDONED) and outcome.ending is not Ending.SUCCEEDED:
            return replace(outcome, ending=self.stop, reason=self.reason)
        return outcome


def read_task(connection: Connection, id: str) -> TaskRow:
    """Raises BadInput if there is no such task."""
    row = connection.execute(select(tasks).where(tasks.c.id == id)).one_or_none()
    if row is None:
        raise BadInput("is no task", place=id, code="no_task")
    return TaskRow.of(row)


def move(connection: Connection, id: str, state: TaskState, reason: str, now: float) -> None:
    """Moves a task to a state in which nothing is enqueued for it."""
    values = {"state": state, "reason": reason, "changed": now, "stop": None, "target": None, "not_before": None}
    connection.execute(tasks.update().where(tasks.c.id == id).values(**values))


def requeue(
    connection: Connection,
    enqueue: Enqueue,
    task: TaskRow,
    past: Past,
    now: float,
    *,
    delay: float = 0.0,
    target: str | None = None,
) -> None:
    """Enqueues the next attempt of a task. Whatever the engine still holds of an earlier one does nothing any more."""
    number = task.attempt + 1
    connection.execute(
        tasks.update()
        .where(tasks.c.id == task.id)
        .values(
            state=TaskState.QUEUED,
            attempt=number,
            failures=past.failures,
            losses=past.losses,
            excluded=json.dumps(past.excluded),
            target=target,
            stop=None,
            not_before=now + delay if delay else None,
            changed=now,
        )
    )
    enqueue(connection, Enqueued(task.id, number, task.spec.pool, task.spec.priority, delay, target))
