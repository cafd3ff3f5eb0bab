"""How one attempt of a task ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from supervisor.runtime.tasks.question import Question
from supervisor.runtime.tasks.usage import Spent


class Ending(StrEnum):
    """How an attempt ended."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"  # an exit code other than 0
    UNSTARTABLE = "unstartable"  # the command does not exist, or its folder
    HUNG = "hung"  # killed: it gave no sign of life for too long
    TIMED_OUT = "timed_out"  # killed: the attempt took longer than it may
    BROKEN = "broken"  # the supervisor itself failed
    REFUSED = "refused"  # the guard does not let the command run
    EXPIRED = "expired"  # the task's deadline has passed
    ABANDONED = "abandoned"  # a task that it has added failed, and takes it along
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"  # the executor was asked to stop
    PREEMPTED = "preempted"  # a more urgent task needed the slot
    LOST = "lost"  # the executor died, or could not be reached
    PARKED = "parked"  # a person is asked: it goes on with the answer
    LIMITED = "limited"  # the provider gives no more until later
    UNSUITABLE = "unsuitable"  # the worker is excluded from the task: nothing was started


FAILURES = frozenset({Ending.FAILED, Ending.UNSTARTABLE, Ending.HUNG, Ending.TIMED_OUT, Ending.BROKEN})
# The task did nothing wrong, and goes on as soon as it can.
INTERRUPTIONS = frozenset({Ending.INTERRUPTED, Ending.PREEMPTED, Ending.LOST, Ending.LIMITED})


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an attempt ended, and a sentence on why. `exit_code` is as in `subprocess`. `wait` is how many seconds the
    next attempt has to wait at least. `spent` is what an agent has told that it has spent, `question` what a person is
    asked if it is parked."""

    ending: Ending
    reason: str = ""
    exit_code: int | None = None
    wait: float = 0.0
    spent: Spent | None = None
    question: Question | None = None

    def to_json(self) -> dict[str, Any]:
        plain = {"ending": self.ending.value, "reason": self.reason, "exit_code": self.exit_code, "wait": self.wait}
        more = {"spent": self.spent and self.spent.to_json(), "question": self.question and self.question.to_json()}
        return {**plain, **more}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Outcome:
        spent = Spent.from_json(stored["spent"]) if stored.get("spent") else None
        question = Question.from_json(stored["question"]) if stored.get("question") else None
        known = (Ending(stored["ending"]), stored["reason"], stored["exit_code"], stored.get("wait", 0.0))
        return cls(*known, spent, question)
