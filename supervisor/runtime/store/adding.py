"""Adds tasks."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from supervisor.errors import BadInput
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.enqueuing import Enqueue, Enqueued
from supervisor.runtime.store.schema import dependencies, tasks
from supervisor.runtime.tasks.spec import MAX_DEPTH, Spec
from supervisor.runtime.tasks.states import OPEN, TaskState

if TYPE_CHECKING:
    from sqlalchemy import Connection

_ID = 5  # random bytes of a task's id: short enough to type, and a collision is one of the errors below


@dataclass(frozen=True, slots=True)
class Added:
    """The task that is there now. `is_new` is false if an open one had the same key."""

    id: str
    is_new: bool


def add(store: Store, enqueue: Enqueue, spec: Spec, now: float) -> Added:
    """Adds a task. Raises BadInput if a task that it names does not exist."""
    with store.writing() as connection:
        if (existing := _with_key(connection, spec.key)) is not None:
            return Added(existing, is_new=False)
        unmet, depth = _unmet(connection, spec.after), _depth(connection, spec.parent)
        id = secrets.token_hex(_ID)
        _insert(connection, id, spec, depth, is_blocked=bool(unmet), now=now)
        for needed in dict.fromkeys(spec.after):
            connection.execute(dependencies.insert().values(task=id, needs=needed))
        if not unmet:
            enqueue(connection, Enqueued(id, 1, spec.pool, spec.priority))
    return Added(id, is_new=True)


def _insert(connection: Connection, id: str, spec: Spec, depth: int, *, is_blocked: bool, now: float) -> None:
    connection.execute(
        tasks.insert().values(
            id=id,
            key=spec.key,
            title=spec.shown_title,
            pool=spec.pool,
            priority=spec.priority,
            state=TaskState.BLOCKED if is_blocked else TaskState.QUEUED,
            attempt=0 if is_blocked else 1,
            failures=0,
            losses=0,
            excluded="[]",
            deadline=spec.deadline,
            parent=spec.parent,
            depth=depth,
            spec=json.dumps(spec.to_json()),
            reason="",
            created=now,
            changed=now,
        )
    )


def _with_key(connection: Connection, key: str | None) -> str | None:
    """The open task with a key."""
    if key is None:
        return None
    found: str | None = connection.scalar(select(tasks.c.id).where(tasks.c.key == key, tasks.c.state.in_(OPEN)))
    return found


def _unmet(connection: Connection, after: Sequence[str]) -> list[str]:
    """The tasks that have not succeeded yet."""
    rows = connection.execute(select(tasks.c.id, tasks.c.state).where(tasks.c.id.in_(after))).all()
    states = {row.id: row.state for row in rows}
    for needed in after:
        if needed not in states:
            raise BadInput("is no task", place=needed, code="no_task")
    return [needed for needed in after if states[needed] != TaskState.SUCCEEDED]


def _depth(connection: Connection, parent: str | None) -> int:
    """How many tasks stand above a child of this parent."""
    if parent is None:
        return 0
    row: Any = connection.execute(select(tasks.c.depth, tasks.c.state).where(tasks.c.id == parent)).one_or_none()
    if row is None:
        raise BadInput("is no task", place=parent, code="no_task")
    if TaskState(row.state).is_final:
        raise BadInput(f"has {row.state} already, and adds no tasks any more", place=parent, code="task_over")
    if row.depth + 1 > MAX_DEPTH:
        raise BadInput(f"tasks are at most {MAX_DEPTH} levels deep", place=parent, code="too_deep")
    return int(row.depth) + 1
