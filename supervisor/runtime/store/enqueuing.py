"""What a transaction hands to the durable engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class Enqueued:
    """An attempt that is to run: on any worker of the pool, or on one alone. `delay` is in seconds."""

    task: str
    number: int
    pool: str
    priority: int
    delay: float = 0.0
    target: str | None = None

    @property
    def workflow(self) -> str:
        """The engine's name for it."""
        return workflow_of(self.task, self.number)

    @property
    def queue(self) -> str:
        """The engine's queue that it waits in."""
        return queue_of(self.pool, self.target)


class Enqueue(Protocol):
    """Enqueues an attempt as part of the caller's transaction."""

    def __call__(self, connection: Connection, enqueued: Enqueued) -> None: ...


def workflow_of(task: str, number: int) -> str:
    return f"{task}.{number}"


def queue_of(pool: str, worker: str | None = None) -> str:
    return pool if worker is None else f"{pool}/{worker}"
