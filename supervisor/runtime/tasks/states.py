"""The states of a task."""

from __future__ import annotations

from enum import StrEnum


class TaskState(StrEnum):
    """Where a task stands. One that has FAILED is a dead letter: it stays until a person retries it."""

    BLOCKED = "blocked"  # other tasks have to succeed first
    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"  # for a person's answer; no process runs
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        """Whether nothing happens to the task any more by itself."""
        return self in FINAL


FINAL = frozenset({TaskState.SUCCEEDED, TaskState.FAILED, TaskState.CANCELLED})
OPEN = frozenset(TaskState) - FINAL
