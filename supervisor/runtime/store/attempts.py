"""The transactions at the two ends of an attempt."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.store.asking import ask, given_to
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.enqueuing import Enqueue
from supervisor.runtime.store.rows import TaskRow, move, read_task, requeue
from supervisor.runtime.store.schema import attempts, dependencies, executors, tasks
from supervisor.runtime.tasks.following import Again, Ask, Candidate, Following, following
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.question import Given
from supervisor.runtime.tasks.spec import Spec
from supervisor.runtime.tasks.states import TaskState

if TYPE_CHECKING:
    from sqlalchemy import Connection

_RANDOM = secrets.SystemRandom()


@dataclass(frozen=True, slots=True)
class Executor:
    """The process that runs an attempt: its id, the name that it shares with its successors, its machine."""

    id: str
    worker: str
    host: str


@dataclass(frozen=True, slots=True)
class Begun:
    """The attempt may start its command. `previous` is how the attempt before ended, if there was one, and `given` an
    answer that its agent waits for."""

    spec: Spec
    previous: Outcome | None
    given: Given | None = None


@dataclass(frozen=True, slots=True)
class Left:
    """Another executor has begun this attempt and is gone. Its processes are to be killed if they are on this host."""

    tree: Tree
    host: str


@dataclass(frozen=True, slots=True)
class Unneeded:
    """There is nothing to do: the task is over, or another attempt of it is the next."""


def begin(
    store: Store, task: str, number: int, executor: Executor, tree: Tree, log: str, now: float
) -> Begun | Left | Unneeded | Outcome:
    """Claims an attempt, and stores what kills its processes before there are any. Returns an outcome if the attempt is
    over before it has begun."""
    with store.writing() as connection:
        row = read_task(connection, task)
        if row.attempt != number or row.state not in (TaskState.QUEUED, TaskState.RUNNING):
            return Unneeded()
        if row.state is TaskState.RUNNING:
            return _left(connection, task, number)
        if row.spec.deadline is not None and now >= row.spec.deadline:
            return Outcome(Ending.EXPIRED, "the deadline has passed")
        if executor.worker in row.past.excluded:
            return Outcome(Ending.UNSUITABLE)
        connection.execute(
            attempts.insert().values(
                task=task,
                number=number,
                executor=executor.id,
                worker=executor.worker,
                host=executor.host,
                tree=json.dumps(tree.to_json()),
                ending="",
                reason="",
                started=now,
                log=log,
                kept="",
            )
        )
        running = {"state": TaskState.RUNNING, "reason": "", "changed": now}
        connection.execute(tasks.update().where(tasks.c.id == task).values(**running))
        return Begun(row.spec, _last_outcome(connection, task, number), given_to(connection, task))


def note_tree(store: Store, task: str, number: int, tree: Tree) -> None:
    """Stores the processes of an attempt, now that they have started."""
    with store.beating() as connection:
        connection.execute(_attempt_update(task, number).values(tree=json.dumps(tree.to_json())))


def settle(
    store: Store, enqueue: Enqueue, task: str, number: int, outcome: Outcome, now: float, kept: str = ""
) -> Following | None:
    """Records how an attempt ended, and does what follows. Does nothing, and returns None, if that is done already or
    the attempt is no longer the task's: so it may be repeated."""
    with store.writing() as connection:
        row = read_task(connection, task)
        if row.attempt != number or row.state not in (TaskState.QUEUED, TaskState.RUNNING):
            return None
        outcome = row.stopped(outcome)
        worker = _end_attempt(connection, task, number, outcome, kept, now)
        candidates = _candidates(connection, row.spec.pool)
        follows = following(outcome, row.spec.policy, row.past, worker, candidates, _RANDOM.random())
        _apply(connection, enqueue, row, follows, now)
        return follows


def _apply(connection: Connection, enqueue: Enqueue, task: TaskRow, follows: Following, now: float) -> None:
    if isinstance(follows, Again):
        requeue(connection, enqueue, task, follows.past, now, delay=follows.delay, target=follows.target)
    elif isinstance(follows, Ask):
        ask(connection, task, follows, now)
    else:
        move(connection, task.id, follows.state, follows.reason, now)
        if follows.state is TaskState.SUCCEEDED:
            release_dependents(connection, enqueue, task.id, now)
        if follows.fails_parent and task.parent is not None:
            fail_parent(connection, task.parent, f"its task {task.id} has failed", now)


def release_dependents(connection: Connection, enqueue: Enqueue, id: str, now: float) -> None:
    """Enqueues the tasks that have waited for this one and for no other."""
    waiting = select(dependencies.c.task).where(dependencies.c.needs == id)
    unmet = (
        select(dependencies.c.task)
        .join(tasks, tasks.c.id == dependencies.c.needs)
        .where(tasks.c.state != TaskState.SUCCEEDED)
    )
    ready = select(tasks.c.id).where(
        tasks.c.id.in_(waiting), tasks.c.id.not_in(unmet), tasks.c.state == TaskState.BLOCKED
    )
    for dependent in connection.scalars(ready.order_by(tasks.c.priority, tasks.c.created)).all():
        row = read_task(connection, dependent)
        requeue(connection, enqueue, row, row.past, now)


def fail_parent(connection: Connection, id: str, reason: str, now: float) -> None:
    """A task fails because of one that it has added: at once, or when its processes are gone."""
    parent = read_task(connection, id)
    if parent.state.is_final:
        return
    if parent.state is TaskState.RUNNING:
        values = {"stop": Ending.ABANDONED, "reason": reason}
        connection.execute(tasks.update().where(tasks.c.id == parent.id).values(**values))
    else:
        move(connection, parent.id, TaskState.FAILED, reason, now)


def _left(connection: Connection, task: str, number: int) -> Left:
    query = select(attempts.c.tree, attempts.c.host).where(attempts.c.task == task, attempts.c.number == number)
    row = connection.execute(query).one()
    return Left(Tree.from_json(json.loads(row.tree)), row.host)


def _last_outcome(connection: Connection, task: str, number: int) -> Outcome | None:
    query = select(attempts).where(attempts.c.task == task, attempts.c.number < number, attempts.c.ending != "")
    row = connection.execute(query.order_by(attempts.c.number.desc()).limit(1)).one_or_none()
    return None if row is None else Outcome(Ending(row.ending), row.reason, row.exit_code)


def _end_attempt(connection: Connection, task: str, number: int, outcome: Outcome, kept: str, now: float) -> str:
    """Returns the name of the worker that ran it; empty if it was never begun."""
    ended: dict[str, Any] = {"ending": outcome.ending, "reason": outcome.reason, "exit_code": outcome.exit_code}
    update = _attempt_update(task, number).values(**ended, **_spent(outcome), kept=kept, ended=now)
    return connection.scalar(update.returning(attempts.c.worker)) or ""


def _spent(outcome: Outcome) -> dict[str, Any]:
    spent = outcome.spent
    if spent is None:
        return {}
    tokens = {"input_tokens": spent.input, "cached_tokens": spent.cached, "output_tokens": spent.output}
    return {**tokens, "cost": spent.cost}


def _attempt_update(task: str, number: int) -> Any:
    return attempts.update().where(attempts.c.task == task, attempts.c.number == number)


def _candidates(connection: Connection, pool: str) -> list[Candidate]:
    """The workers of a pool that are alive, each with the number of its attempts."""
    running = select(func.count()).where(attempts.c.executor == executors.c.id, attempts.c.ending == "")
    query = select(executors.c.worker, running.scalar_subquery().label("active"))
    rows = connection.execute(query.where(executors.c.is_alive == 1, executors.c.pool == pool)).all()
    return [Candidate(row.worker, row.active) for row in rows]
