"""What people say to agents that run: stored before anybody hears it, and noted when the agent has."""

from __future__ import annotations

import uuid
from collections.abc import Collection

from sqlalchemy import and_, select

from supervisor.errors import BadInput
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.rows import read_task
from supervisor.runtime.store.schema import attempts, messages, tasks
from supervisor.runtime.tasks.said import Said
from supervisor.runtime.tasks.states import TaskState

LONGEST = 10_000  # characters of a message


def steer(store: Store, id: str, text: str, by: str, drivers: Collection[str], now: float) -> str:
    """Stores a message to the agent of a running task, and returns its id. If the attempt ends before the agent has
    heard it, the next one's hears it. `drivers` are those that can pass it on. Raises BadInput: `not_running`,
    `no_steer` where its driver cannot, `usage` for what is no message."""
    if not text.strip() or len(text) > LONGEST or "\0" in text:
        raise BadInput(f"has from 1 to {LONGEST:,} characters, none of them NUL", place="TEXT", code="usage")
    with store.writing() as connection:
        task = read_task(connection, id)
        check_steerable(id, task.spec.driver, task.state, drivers)
        name = str(uuid.uuid4())
        connection.execute(messages.insert().values(id=name, task=id, text=text, by=by, sent=now))
        return name


def check_steerable(id: str, driver: str, state: str, drivers: Collection[str]) -> None:
    """Raises BadInput unless a task runs whose driver can pass a message on."""
    if driver not in drivers:
        told = f"its driver {driver} passes nothing on to what runs; these do: {', '.join(sorted(drivers))}"
        raise BadInput(told, place=id, code="no_steer")
    if state != TaskState.RUNNING:
        raise BadInput(f"is {state}: only an agent that runs hears anything", place=id, code="not_running")


def unheard(store: Store, executor: str) -> list[tuple[str, int, Said]]:
    """What the agents of an executor have not heard yet, in the order in which it was said: each with the task and the
    number of the attempt that runs."""
    runs = and_(attempts.c.task == messages.c.task, attempts.c.executor == executor, attempts.c.ending == "")
    current = and_(tasks.c.id == attempts.c.task, tasks.c.attempt == attempts.c.number)
    query = select(attempts.c.task, attempts.c.number, messages.c.id, messages.c.text).join(attempts, runs)
    query = query.join(tasks, current).where(messages.c.heard.is_(None)).order_by(messages.c.sent, messages.c.id)
    with store.reading() as connection:
        return [(row.task, row.number, Said(row.id, row.text)) for row in connection.execute(query).all()]


def heard(store: Store, message: str, now: float) -> None:
    """An agent has heard a message."""
    with store.writing() as connection:
        first = messages.update().where(messages.c.id == message, messages.c.heard.is_(None))
        connection.execute(first.values(heard=now))
