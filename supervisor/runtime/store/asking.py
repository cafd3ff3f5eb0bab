"""Questions to a person: stored before they are shown, answered once, and each answer used once."""

from __future__ import annotations

import hashlib
import json
import secrets
from typing import TYPE_CHECKING

from sqlalchemy import select

from supervisor.runtime.store.database import Store
from supervisor.runtime.store.rows import TaskRow, move
from supervisor.runtime.store.schema import questions, tasks
from supervisor.runtime.tasks.following import Ask
from supervisor.runtime.tasks.question import Given
from supervisor.runtime.tasks.states import TaskState

if TYPE_CHECKING:
    from sqlalchemy import Connection

_ID = 4  # random bytes


def ask(connection: Connection, task: TaskRow, asked: Ask, now: float) -> None:
    """Stores the question, and lets the task wait for the answer. The digest binds it to the call, or else to the
    command and the attempt, that it is about."""
    about = json.dumps([task.id, task.attempt, task.spec.to_json()], sort_keys=True)
    connection.execute(
        questions.insert().values(
            id=secrets.token_hex(_ID),
            task=task.id,
            text=asked.question.text,
            choices=json.dumps(asked.question.choices),
            digest=asked.question.digest or hashlib.sha256(about.encode()).hexdigest(),
            asked=now,
            by="",
            about=asked.question.about,
            note="",
            worker=asked.worker,
            raises=asked.question.raises,
        )
    )
    move(connection, task.id, TaskState.WAITING, asked.question.text, now)
    past = {"failures": asked.past.failures, "losses": asked.past.losses, "excluded": json.dumps(asked.past.excluded)}
    connection.execute(tasks.update().where(tasks.c.id == task.id).values(**past))


def given_to(connection: Connection, task: str) -> Given | None:
    """The last answer that an agent has asked for and has not used."""
    query = select(questions).where(
        questions.c.task == task,
        questions.c.worker.is_not(None),
        questions.c.answer != "",  # nobody has answered one that was closed
        questions.c.raises == "",  # the agent has asked nothing: it was stopped
        questions.c.used.is_(None),
    )
    row = connection.execute(query.order_by(questions.c.answered.desc()).limit(1)).one_or_none()
    if row is None:
        return None
    is_text = not json.loads(row.choices)
    return Given(row.id, row.digest, row.about, row.answer, row.by, row.note, is_text)


def use(store: Store, id: str, now: float) -> bool:
    """Uses an answer up. Returns whether this was the first time."""
    with store.writing() as connection:
        first = questions.update().where(questions.c.id == id, questions.c.used.is_(None)).values(used=now)
        return bool(connection.execute(first).rowcount)
