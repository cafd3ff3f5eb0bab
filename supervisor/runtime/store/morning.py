"""What somebody wants to know who comes back: finished work, decisions, what has failed, and what it cost."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from supervisor.runtime.store.database import Store
from supervisor.runtime.store.queries import counts
from supervisor.runtime.store.schema import attempts, questions, spending, tasks
from supervisor.runtime.tasks.states import FINAL, TaskState

if TYPE_CHECKING:
    from sqlalchemy import Connection

_MOST = 1_000  # tasks in a list
_SPENT = ("input_tokens", "cached_tokens", "output_tokens", "cost")


def morning(store: Store, since: float) -> dict[str, Any]:
    """What has come of the tasks since a time, in seconds since 1970. Tasks with the same question are one decision.
    `spent` has what all attempts that have ended since then have spent; money is None if no agent has told of any."""
    with store.reading() as connection:
        finished, failed = (_over(connection, state, since) for state in (TaskState.SUCCEEDED, TaskState.FAILED))
        found = {
            "since": since,
            "decisions": _decisions(connection),
            "failed": failed,
            "finished": finished,
            "endings": _endings(connection, since),
            "spent": _spent(connection, since),
        }
    return {
        **found,
        "left": {state: number for state, number in counts(store).items() if TaskState(state) not in FINAL},
    }


def _over(connection: Connection, state: TaskState, since: float) -> list[dict[str, Any]]:
    """The tasks that have come to this state, the latest first."""
    columns = (tasks.c.id, tasks.c.title, tasks.c.attempt, tasks.c.reason, tasks.c.changed)
    query = select(*columns).where(tasks.c.state == state, tasks.c.changed >= since)
    rows = connection.execute(query.order_by(tasks.c.changed.desc(), tasks.c.id).limit(_MOST)).mappings()
    return [{str(name): value for name, value in row.items()} for row in rows]


def _decisions(connection: Connection) -> list[dict[str, Any]]:
    """The questions that are open, those that were asked first first."""
    columns = (questions.c.task, questions.c.text, questions.c.choices, questions.c.about, questions.c.asked)
    asked: dict[tuple[str, str, str], dict[str, Any]] = {}
    for row in connection.execute(select(*columns).where(questions.c.answered.is_(None)).order_by(questions.c.asked)):
        key = (row.text, row.choices, row.about)
        told = {"text": row.text, "choices": json.loads(row.choices), "about": row.about, "asked": row.asked}
        asked.setdefault(key, {**told, "tasks": []})["tasks"].append(row.task)
    return list(asked.values())


def _endings(connection: Connection, since: float) -> dict[str, int]:
    """How many attempts have ended how."""
    query = select(attempts.c.ending, func.count()).where(attempts.c.ended >= since).group_by(attempts.c.ending)
    return dict(Counter({str(ending): int(number) for ending, number in connection.execute(query).all()}).most_common())


def _spent(connection: Connection, since: float) -> dict[str, Any]:
    """What was counted of the attempts, or else what their agents have told, and the seconds that they took."""
    whose = (spending.c.task, spending.c.attempt)
    counted = select(*whose, *(func.sum(spending.c[name]).label(name) for name in _SPENT)).group_by(*whose).subquery()
    known = [func.sum(func.coalesce(counted.c[name], attempts.c[name])).label(name) for name in _SPENT]
    took = func.sum(attempts.c.ended - attempts.c.started).label("seconds")
    one = (counted.c.task == attempts.c.task) & (counted.c.attempt == attempts.c.number)
    query = select(*known, took).select_from(attempts.outerjoin(counted, one)).where(attempts.c.ended >= since)
    row = connection.execute(query).mappings().one()
    tokens = {name: int(row[name] or 0) for name in _SPENT[:-1]}
    return {**tokens, "cost": row["cost"], "seconds": float(row["seconds"] or 0.0)}
