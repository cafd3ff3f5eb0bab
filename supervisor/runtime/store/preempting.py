"""Asks attempts to give way to more urgent tasks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sqlalchemy import and_, func, or_, select

from supervisor.runtime.store.database import Store
from supervisor.runtime.store.schema import attempts, executors, tasks
from supervisor.runtime.tasks.outcome import Ending
from supervisor.runtime.tasks.preempting import Due, Holder, Place, Preemption, preemptions
from supervisor.runtime.tasks.states import TaskState

if TYPE_CHECKING:
    from sqlalchemy import Connection


def preempt(store: Store, pool: str, now: float) -> list[Preemption]:
    """Asks as many attempts of a pool to end as more urgent tasks need slots. Any executor may do so, and several at
    once: what was asked to end counts as a free slot for all. Returns who gives way to whom."""
    with store.writing() as connection:
        places = _places(connection, pool)
        due = _due(connection, pool, now, sum(place.slots for place in places.values()))
        found = preemptions(due, _holders(connection, pool), places) if due else []
        for each in found:
            told = {"stop": Ending.PREEMPTED, "reason": f"the more urgent task {each.by} needs its slot"}
            connection.execute(tasks.update().where(tasks.c.id == each.task).values(**told))
        return found


def _places(connection: Connection, pool: str) -> dict[str, Place]:
    query = select(executors).where(executors.c.is_alive == 1, executors.c.pool == pool)
    return {row.id: Place(row.worker, row.slots) for row in connection.execute(query).all()}


def _due(connection: Connection, pool: str, now: float, most: int) -> list[Due]:
    """What could begin now, in the order of the engine's queue. More than there are slots changes nothing."""
    is_due = or_(tasks.c.not_before.is_(None), tasks.c.not_before <= now)
    query = select(tasks.c.id, tasks.c.priority, tasks.c.target, tasks.c.excluded).where(
        tasks.c.state == TaskState.QUEUED, tasks.c.pool == pool, is_due
    )
    rows = connection.execute(query.order_by(tasks.c.priority, tasks.c.changed).limit(most)).all()
    return [Due(row.id, row.priority, row.target, tuple(json.loads(row.excluded))) for row in rows]


def _holders(connection: Connection, pool: str) -> list[Holder]:
    runs = and_(attempts.c.task == tasks.c.id, attempts.c.number == tasks.c.attempt, attempts.c.ending == "")
    query = select(tasks, attempts.c.executor, attempts.c.started).join(attempts, runs).where(tasks.c.pool == pool)
    rows = connection.execute(query).all()
    gave_way = select(attempts.c.task, func.count().label("times")).where(
        attempts.c.task.in_([row.id for row in rows]), attempts.c.ending == Ending.PREEMPTED
    )
    times = {row.task: row.times for row in connection.execute(gave_way.group_by(attempts.c.task)).all()}
    found = []
    for row in rows:
        may = bool(json.loads(row.spec).get("preemptible"))
        about = (row.id, row.executor, row.priority, row.started, may, times.get(row.id, 0))
        found.append(Holder(*about, ends=row.stop is not None))
    return found
