"""Questions to a person: stored before they are shown, answered once."""

from __future__ import annotations

import hashlib
import json
import secrets
from typing import TYPE_CHECKING

from supervisor.runtime.store.rows import TaskRow, move
from supervisor.runtime.store.schema import questions, tasks
from supervisor.runtime.tasks.following import Ask
from supervisor.runtime.tasks.states import TaskState

if TYPE_CHECKING:
    from sqlalchemy import Connection

RETRY, GIVE_UP = "retry", "give-up"
_ID = 4  # random bytes


def ask(connection: Connection, task: TaskRow, asked: Ask, now: float) -> None:
    """Stores the question, and lets the task wait for the answer. The digest binds it to the command and the attempt
    that it is about."""
    about = json.dumps([task.id, task.attempt, task.spec.to_json()], sort_keys=True)
    connection.execute(
        questions.insert().values(
            id=secrets.token_hex(_ID),
            task=task.id,
            text=asked.question,
            choices=json.dumps([RETRY, GIVE_UP]),
            digest=hashlib.sha256(about.encode()).hexdigest(),
            asked=now,
            by="",
        )
    )
    move(connection, task.id, TaskState.WAITING, asked.question, now)
    past = {"failures": asked.past.failures, "losses": asked.past.losses, "excluded": json.dumps(asked.past.excluded)}
    connection.execute(tasks.update().where(tasks.c.id == task.id).values(**past))
