"""What people look at: tasks, their attempts, and questions."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from sqlalchemy import func, or_, select

from supervisor.errors import BadInput
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.enqueuing import workflow_of
from supervisor.runtime.store.schema import attempts, dependencies, executors, messages, questions, tasks
from supervisor.runtime.tasks.states import FINAL, OPEN, TaskState

_MOST = 1_000  # tasks in a list
_LISTED = (
    tasks.c.id,
    tasks.c.title,
    tasks.c.pool,
    tasks.c.priority,
    tasks.c.state,
    tasks.c.attempt,
    tasks.c.reason,
    tasks.c.parent,
    tasks.c.created,
    tasks.c.changed,
)


def full_id(store: Store, beginning: str) -> str:
    """The id of the only task whose id begins like this. Raises BadInput."""
    with store.reading() as connection:
        query = select(tasks.c.id).where(tasks.c.id.startswith(beginning, autoescape=True)).limit(2)
        found: list[str] = list(connection.scalars(query).all()) if beginning else []
    if len(found) == 1:
        return found[0]
    problem = "begins the id of several tasks" if found else "is no task"
    raise BadInput(problem, place=beginning, code="no_task")


def list_tasks(
    store: Store,
    states: Collection[TaskState] = (),
    pool: str | None = None,
    parent: str | None = None,
    most: int = _MOST,
) -> list[dict[str, Any]]:
    """The tasks that were changed last come first. With a parent, only those that it has added."""
    query = select(*_LISTED).order_by(tasks.c.changed.desc(), tasks.c.id).limit(most)
    if states:
        query = query.where(tasks.c.state.in_(states))
    if pool is not None:
        query = query.where(tasks.c.pool == pool)
    if parent is not None:
        query = query.where(tasks.c.parent == parent)
    with store.reading() as connection:
        return [_plain(row) for row in connection.execute(query).mappings()]


def counts(store: Store) -> dict[str, int]:
    """How many tasks are in each state that has any."""
    with store.reading() as connection:
        rows = connection.execute(select(tasks.c.state, func.count()).group_by(tasks.c.state)).all()
    found = {str(state): int(number) for state, number in rows}
    return {state.value: found[state] for state in TaskState if state in found}


def show(store: Store, id: str) -> dict[str, Any]:
    """A task with its attempts, its questions, what people have said to its agent, and what it waits for. Raises
    BadInput if there is none."""
    with store.reading() as connection:
        row = connection.execute(select(tasks).where(tasks.c.id == id)).mappings().one_or_none()
        if row is None:
            raise BadInput("is no task", place=id, code="no_task")
        tried = select(attempts).where(attempts.c.task == id).order_by(attempts.c.number)
        asked = select(questions).where(questions.c.task == id).order_by(questions.c.asked)
        told = select(messages).where(messages.c.task == id).order_by(messages.c.sent, messages.c.id)
        needed = select(tasks.c.id, tasks.c.state).join(dependencies, dependencies.c.needs == tasks.c.id)
        return {
            **_shown(row),
            "after": [_plain(each) for each in connection.execute(needed.where(dependencies.c.task == id)).mappings()],
            "children": list(connection.scalars(select(tasks.c.id).where(tasks.c.parent == id)).all()),
            "attempts": [_attempt(each) for each in connection.execute(tried).mappings()],
            "questions": [_question(each) for each in connection.execute(asked).mappings()],
            "messages": [_plain(each) for each in connection.execute(told).mappings()],
        }


def open_or_changed(store: Store, since: float) -> dict[str, dict[str, Any]]:
    """The tasks that are not over, and those that were changed since a time, by their ids."""
    query = select(*_LISTED).where(or_(tasks.c.state.in_(OPEN), tasks.c.changed >= since))
    with store.reading() as connection:
        return {row["id"]: _plain(row) for row in connection.execute(query).mappings()}


def listed(store: Store, ids: Collection[str]) -> list[dict[str, Any]]:
    """These tasks as a list has them."""
    with store.reading() as connection:
        return [_plain(row) for row in connection.execute(select(*_LISTED).where(tasks.c.id.in_(ids))).mappings()]


def open_questions(store: Store) -> list[dict[str, Any]]:
    """The questions that wait for a person, oldest first, each with the title and the command of its task."""
    joined = select(questions, tasks.c.title, tasks.c.spec).join(tasks, tasks.c.id == questions.c.task)
    with store.reading() as connection:
        rows = connection.execute(joined.where(questions.c.answered.is_(None)).order_by(questions.c.asked)).mappings()
        return [_of_task(row) for row in rows]


def leases(store: Store) -> list[dict[str, Any]]:
    """The attempts that run, each with the executor that holds it, those that began first first."""
    columns = (attempts.c.executor, attempts.c.task, attempts.c.number, attempts.c.worker, attempts.c.started)
    query = select(*columns, tasks.c.title).join(tasks, tasks.c.id == attempts.c.task).where(attempts.c.ending == "")
    with store.reading() as connection:
        return [_plain(row) for row in connection.execute(query.order_by(attempts.c.started)).mappings()]


def list_executors(store: Store) -> list[dict[str, Any]]:
    """The executors that count as alive, each with the number that it raises and the number of its attempts."""
    active = select(func.count()).where(attempts.c.executor == executors.c.id, attempts.c.ending == "")
    shown = ("id", "worker", "pool", "slots", "started", "beat")
    columns = [executors.c[name] for name in shown]
    query = select(*columns, active.scalar_subquery().label("active")).where(executors.c.is_alive == 1)
    with store.reading() as connection:
        return [_plain(row) for row in connection.execute(query.order_by(executors.c.started)).mappings()]


def _plain(row: Any) -> dict[str, Any]:
    """A row with plain texts as keys: SQLAlchemy's are of a kind of its own, which is no JSON."""
    return {str(name): value for name, value in row.items()}


def _shown(row: Any) -> dict[str, Any]:
    spec = json.loads(row["spec"])
    kept = {name: value for name, value in _plain(row).items() if name not in ("spec", "excluded", "depth")}
    more = {name: spec[name] for name in ("command", "driver", "folder", "worktree", "timeout", "policy")}
    added_later = {"prompt": spec.get("prompt", "")} | {name: spec.get(name, False) for name in ("preemptible", "pty")}
    return {**kept, **more, **added_later, "excluded": json.loads(row["excluded"])}


def _attempt(row: Any) -> dict[str, Any]:
    return {name: value for name, value in _plain(row).items() if name not in ("task", "tree", "host")}


def _question(row: Any) -> dict[str, Any]:
    return {**_plain(row), "choices": json.loads(row["choices"])}


def _of_task(row: Any) -> dict[str, Any]:
    found = _question(row)
    return {**found, "command": json.loads(found.pop("spec"))["command"]}


def expected_of_engine(store: Store, before: float) -> dict[str, tuple[str, int]]:
    """The workflows of all attempts that wait or run and have not changed since a time, each with its attempt."""
    waits = tasks.c.state.in_((TaskState.QUEUED, TaskState.RUNNING))
    with store.reading() as connection:
        rows = connection.execute(select(tasks.c.id, tasks.c.attempt).where(waits, tasks.c.changed < before)).all()
    return {workflow_of(row.id, row.attempt): (row.id, row.attempt) for row in rows}


def over(store: Store, ids: Collection[str]) -> list[str]:
    """Those of these tasks that are over."""
    with store.reading() as connection:
        query = select(tasks.c.id).where(tasks.c.id.in_(ids), tasks.c.state.in_(FINAL))
        return list(connection.scalars(query).all())
