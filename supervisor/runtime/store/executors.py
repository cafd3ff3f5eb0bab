"""Who is alive: each executor raises a number, and every other one watches it."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import and_, select

from supervisor.runtime.processes.identity import Identity
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.store.attempts import Executor
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.schema import attempts, executors, tasks
from supervisor.runtime.tasks.outcome import Ending

_KEPT = 24 * 3600.0  # seconds that the row of a dead executor is kept, for people who look


@dataclass(frozen=True, slots=True)
class Sign:
    """The last sign of life of an executor. `process` is what it is on its host."""

    id: str
    worker: str
    host: str
    process: Identity
    beat: int


@dataclass(frozen=True, slots=True)
class Stop:
    """An attempt that is to be ended, why, and the sentence on it."""

    task: str
    number: int
    ending: Ending
    reason: str


def register(store: Store, executor: Executor, process: Identity, pool: str, slots: int, now: float) -> None:
    """Enters an executor as alive. What this process was before is dead, and those that died long ago are forgotten."""
    told = json.dumps(process.to_json())
    with store.writing() as connection:
        gone = and_(executors.c.is_alive == 0, executors.c.started < now - _KEPT)
        connection.execute(executors.delete().where(gone))
        before = and_(executors.c.host == executor.host, executors.c.process == told)
        connection.execute(executors.update().where(before).values(is_alive=0))
        connection.execute(
            executors.insert().values(
                id=executor.id,
                worker=executor.worker,
                host=executor.host,
                process=told,
                pool=pool,
                slots=slots,
                beat=0,
                is_alive=1,
                started=now,
            )
        )


def beat(store: Store, id: str) -> bool:
    """Gives a sign of life. Returns False if the executor was declared dead: its work belongs to others now."""
    with store.beating() as connection:
        alive = executors.update().where(executors.c.id == id, executors.c.is_alive == 1)
        return connection.execute(alive.values(beat=executors.c.beat + 1)).rowcount == 1


def deregister(store: Store, id: str) -> None:
    """An executor leaves."""
    with store.beating() as connection:
        connection.execute(executors.update().where(executors.c.id == id).values(is_alive=0))


def signs(store: Store) -> list[Sign]:
    """The last signs of life of all that count as alive."""
    with store.reading() as connection:
        rows = connection.execute(select(executors).where(executors.c.is_alive == 1)).all()
    return [Sign(row.id, row.worker, row.host, Identity.from_json(json.loads(row.process)), row.beat) for row in rows]


def declare_dead(store: Store, id: str, beat: int) -> bool:
    """Declares an executor dead unless it has given a sign of life since. Returns whether it counts as dead."""
    with store.beating() as connection:
        silent = executors.update().where(executors.c.id == id, executors.c.beat == beat)
        return connection.execute(silent.values(is_alive=0)).rowcount == 1


def stops(store: Store, id: str) -> list[Stop]:
    """The attempts of an executor that are to be ended."""
    wanted = and_(attempts.c.executor == id, attempts.c.ending == "", tasks.c.stop.is_not(None))
    joined = and_(tasks.c.id == attempts.c.task, tasks.c.attempt == attempts.c.number)
    query = select(attempts.c.task, attempts.c.number, tasks.c.stop, tasks.c.reason).join(tasks, joined).where(wanted)
    with store.reading() as connection:
        return [Stop(row.task, row.number, Ending(row.stop), row.reason) for row in connection.execute(query).all()]


def left_behind(store: Store, host: str) -> list[Tree]:
    """What kills the processes that dead executors have left on this host."""
    alive = select(executors.c.id).where(executors.c.is_alive == 1)
    query = select(attempts.c.tree).where(
        attempts.c.ending == "", attempts.c.host == host, attempts.c.executor.not_in(alive)
    )
    with store.reading() as connection:
        return [Tree.from_json(json.loads(tree)) for tree in connection.scalars(query).all()]


def alive_ids(store: Store) -> Collection[str]:
    """The ids of all that count as alive."""
    with store.reading() as connection:
        return set(connection.scalars(select(executors.c.id).where(executors.c.is_alive == 1)).all())
