"""What follows an attempt: a pure function of its outcome and of what the task has behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from supervisor.runtime.tasks.outcome import INTERRUPTIONS, Ending, Outcome
from supervisor.runtime.tasks.policy import FailurePolicy, Remedy
from supervisor.runtime.tasks.question import GIVE_UP, RETRY, Question
from supervisor.runtime.tasks.states import TaskState

_PAUSE = 1.0  # seconds after an attempt was lost: its executor may have died of it


@dataclass(frozen=True, slots=True)
class Past:
    """What a task has behind it: attempts that failed, attempts that were lost, and the workers that it avoids."""

    failures: int = 0
    losses: int = 0
    excluded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A worker of the task's pool that is alive, and how many attempts it runs."""

    name: str
    active: int


@dataclass(frozen=True, slots=True)
class Finish:
    """The task is over."""

    state: TaskState
    reason: str
    fails_parent: bool = False


@dataclass(frozen=True, slots=True)
class Again:
    """Another attempt, after so many seconds, on a certain worker if one is named."""

    past: Past
    delay: float = 0.0
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """A person is asked. After the answer, the next attempt is for the worker that has asked, if one is named."""

    past: Past
    question: Question
    worker: str | None = None


Following = Finish | Again | Ask


def following(
    outcome: Outcome, policy: FailurePolicy, past: Past, worker: str, others: Sequence[Candidate], chance: float
) -> Following:
    """What follows an attempt on a worker, whose name is empty if none has begun it. `others` are the workers of the
    pool that are alive, `chance` is from 0 to 1 and decides the jitter."""
    ending = outcome.ending
    if ending is Ending.SUCCEEDED:
        return Finish(TaskState.SUCCEEDED, "")
    if ending is Ending.CANCELLED:
        return Finish(TaskState.CANCELLED, outcome.reason)
    if ending in (Ending.EXPIRED, Ending.REFUSED, Ending.ABANDONED):
        return Finish(TaskState.FAILED, outcome.reason)
    if ending is Ending.PARKED:
        return Ask(past, outcome.question or Question(outcome.reason), worker)
    if ending is Ending.UNSUITABLE:
        return _elsewhere(outcome, policy, past, others, delay=0.0)
    if ending in INTERRUPTIONS:
        return _after_interruption(outcome, policy, past, worker, others, chance)
    return _after_failure(outcome, policy, past, worker, others, chance)


def _after_interruption(
    outcome: Outcome, policy: FailurePolicy, past: Past, worker: str, others: Sequence[Candidate], chance: float
) -> Following:
    if outcome.ending is not Ending.LOST:
        return Again(past, outcome.wait)
    if past.losses >= policy.losses:
        return _after_failure(outcome, policy, past, worker, others, chance)
    return Again(Past(past.failures, past.losses + 1, past.excluded), _PAUSE if past.losses else 0.0)


def _after_failure(
    outcome: Outcome, policy: FailurePolicy, past: Past, worker: str, others: Sequence[Candidate], chance: float
) -> Following:
    failures = past.failures + 1
    excluded = past.excluded if worker in ("", *past.excluded) else (*past.excluded, worker)
    failed = Past(failures, past.losses, past.excluded)
    remedy, delay = policy.remedy(failures), policy.backoff.delay(failures, chance)
    if remedy is Remedy.RETRY:
        return Again(failed, delay)
    if remedy is Remedy.FAILOVER:
        return _elsewhere(outcome, policy, Past(failures, past.losses, excluded), others, delay)
    if remedy is Remedy.ESCALATE:
        return Ask(failed, _whether_again(failures, outcome.reason))
    return Finish(TaskState.FAILED, outcome.reason, fails_parent=remedy is Remedy.FAIL_PARENT)


def _elsewhere(
    outcome: Outcome, policy: FailurePolicy, past: Past, others: Sequence[Candidate], delay: float
) -> Following:
    """Another attempt on the least active worker that is not excluded. Where there is none, the next remedy counts that
    needs none."""
    suitable = [other for other in others if other.name not in past.excluded]
    if suitable:
        return Again(past, delay, min(suitable, key=lambda other: (other.active, other.name)).name)
    left = policy.remedies[past.failures :]
    reason = f"{outcome.reason}; no other worker is left" if outcome.reason else "no other worker is left"
    if Remedy.ESCALATE in left:
        return Ask(past, _whether_again(past.failures, reason))
    return Finish(TaskState.FAILED, reason, fails_parent=Remedy.FAIL_PARENT in left)


def _whether_again(failures: int, reason: str) -> Question:
    return Question(f"It has failed {_times(failures)}, at last because {reason}. Try again?", (RETRY, GIVE_UP))


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
