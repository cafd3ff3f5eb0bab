"""What people and sweeps change about tasks from outside of their attempts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlalchemy import and_, select

from supervisor.errors import BadInput
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.enqueuing import Enqueue
from supervisor.runtime.store.rows import TaskRow, move, read_task, requeue
from supervisor.runtime.store.schema import executors, questions, tasks
from supervisor.runtime.tasks.following import Past
from supervisor.runtime.tasks.outcome import Ending
from supervisor.runtime.tasks.question import GIVE_UP
from supervisor.runtime.tasks.states import OPEN, TaskState
from supervisor.suggestions import choices

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

_LONGEST_ANSWER = 10_000  # characters
_IDLE = (TaskState.BLOCKED, TaskState.QUEUED, TaskState.WAITING)


def cancel(store: Store, id: str, now: float) -> list[str]:
    """Cancels a task and all that it has added. Those that run end as soon as their executor hears of it. Returns the
    ids of those that were open. Raises BadInput if there is no such task."""
    with store.writing() as connection:
        read_task(connection, id)
        return _cancel(connection, id, now)


def _cancel(connection: Connection, id: str, now: float) -> list[str]:
    task = read_task(connection, id)
    cancelled = [] if task.state.is_final else [id]
    if task.state is TaskState.RUNNING:
        values = {"stop": Ending.CANCELLED, "reason": "cancelled"}
        connection.execute(tasks.update().where(tasks.c.id == id).values(**values))
    elif not task.state.is_final:
        _close_questions(connection, id, now)
        move(connection, id, TaskState.CANCELLED, "cancelled", now)
    for child in connection.scalars(select(tasks.c.id).where(tasks.c.parent == id)).all():
        cancelled += _cancel(connection, child, now)
    return cancelled


def retry(store: Store, enqueue: Enqueue, id: str, now: float) -> None:
    """Takes a dead letter or a cancelled task back to the queue, as if it had never failed. Raises BadInput."""
    with store.writing() as connection:
        task = read_task(connection, id)
        if task.state not in (TaskState.FAILED, TaskState.CANCELLED):
            raise BadInput(
                f"is {task.state}: only what has failed or was cancelled is retried", place=id, code="not_over"
            )
        _check_key(connection, task)
        requeue(connection, enqueue, task, Past(), now)


def answer(
    store: Store, enqueue: Enqueue, id: str, given: str, by: str, now: float, *, note: str = "", question: str = ""
) -> None:
    """Answers the open question of a task, which must be the one with the id `question` if that is named: who has read
    one must not answer the next one. An agent that has asked goes on with the answer, on the worker where it was; so
    does one that a cap on spending has stopped. Raises BadInput if the question is not open, or for another answer
    than it offers."""
    with store.writing() as connection:
        task = read_task(connection, id)
        if task.state is not TaskState.WAITING:
            raise BadInput(f"is {task.state}, and asks nothing", place=id, code="no_question")
        asked = connection.execute(select(questions).where(_open_question(id))).one()
        if question not in ("", asked.id):
            raise BadInput("asks something else by now", place=id, code="no_question")
        check_answer(given, json.loads(asked.choices))
        values = {"answer": given, "answered": now, "by": by, "note": note}
        connection.execute(questions.update().where(_open_question(id)).values(**values))
        if given == GIVE_UP and GIVE_UP in json.loads(asked.choices):
            move(connection, id, TaskState.FAILED, f"given up by {by}", now)
        else:
            _raise_cap(connection, id, asked.raises)
            requeue(connection, enqueue, task, task.past, now, target=asked.worker)


def _raise_cap(connection: Connection, id: str, raises: str) -> None:
    """Allows a task to spend as much again as its cap says, or the task above it with all that it has added."""
    kind, _, above = raises.partition(":")
    if kind == "task":
        connection.execute(tasks.update().where(tasks.c.id == id).values(grants=tasks.c.grants + 1))
    elif kind == "tree":
        connection.execute(tasks.update().where(tasks.c.id == above).values(tree_grants=tasks.c.tree_grants + 1))


def check_answer(given: str, offered: Sequence[str]) -> None:
    """Raises BadInput for an answer that is not offered, or too long."""
    if offered and given not in offered:
        raise BadInput(f"no answer {given!r}{choices(given, offered)}", place="ANSWER", code="usage")
    if not 0 < len(given) <= _LONGEST_ANSWER:
        raise BadInput(f"has from 1 to {_LONGEST_ANSWER:,} characters", place="ANSWER", code="usage")


def expire(store: Store, now: float) -> None:
    """Fails what waits although its deadline has passed. What runs, its executor ends."""
    with store.writing() as connection:
        late = select(tasks.c.id).where(tasks.c.state.in_(_IDLE), tasks.c.deadline <= now)
        for id in connection.scalars(late).all():
            _close_questions(connection, id, now)
            move(connection, id, TaskState.FAILED, "the deadline has passed", now)


def release_targets(store: Store, enqueue: Enqueue, now: float) -> None:
    """Lets any worker of the pool take what waits for one that is gone."""
    with store.writing() as connection:
        alive = select(executors.c.worker).where(executors.c.is_alive == 1, executors.c.pool == tasks.c.pool)
        stuck = select(tasks.c.id).where(
            tasks.c.state == TaskState.QUEUED, tasks.c.target.is_not(None), tasks.c.target.not_in(alive)
        )
        for id in connection.scalars(stuck).all():
            row = read_task(connection, id)
            requeue(connection, enqueue, row, row.past, now)


def _check_key(connection: Connection, task: TaskRow) -> None:
    """Raises BadInput if another open task has the same key by now."""
    if task.spec.key is None:
        return
    other = connection.scalar(select(tasks.c.id).where(tasks.c.key == task.spec.key, tasks.c.state.in_(OPEN)))
    if other is not None:
        raise BadInput(f"task {other} with the same key is open", place=task.id, code="key_in_use")


def _close_questions(connection: Connection, id: str, now: float) -> None:
    connection.execute(questions.update().where(_open_question(id)).values(answer="", answered=now))


def _open_question(id: str) -> ColumnElement[bool]:
    return and_(questions.c.task == id, questions.c.answered.is_(None))
