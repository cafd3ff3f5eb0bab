"""Whether an agent is stuck: a pure function of its state, its events and what its processes use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import pairwise
from math import inf

from supervisor.runtime.processes.states import State
from supervisor.runtime.processes.tree import Usage


class Verdict(IntEnum):
    """What to do with an agent. The greater includes the lesser."""

    KEEP = 0
    WARN = 1
    INTERRUPT = 2
    KILL = 3


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a state may last, in seconds. `warn`, `interrupt` and `kill` count from the last sign of life,
    `longest` from the beginning of the state: then the agent is interrupted, and killed `patience` seconds later.
    `work_counts` says that CPU time, reading and writing of its processes are a sign of life as well."""

    warn: float = inf
    interrupt: float = inf
    kill: float = inf
    longest: float = inf
    patience: float = 30.0
    work_counts: bool = False


_USUAL = {
    State.STARTING: Limit(warn=30, interrupt=120, kill=150, longest=600, work_counts=True),
    State.MODEL_WAIT: Limit(warn=120, interrupt=600, kill=660),
    State.TOOL_RUNNING: Limit(warn=120, interrupt=600, kill=660, longest=4 * 3600, work_counts=True),
    State.AWAITING_APPROVAL: Limit(),
    State.AWAITING_QUOTA: Limit(longest=6 * 3600),
    State.RESULT_BUT_NOT_EXITED: Limit(interrupt=15, kill=30, longest=120),
    State.EXITED: Limit(),
}


@dataclass(frozen=True, slots=True)
class Limits:
    """The limit of each state, and what counts as work: between two samples, this share of a processor's time, or so
    many bytes a second. A program that polls in vain stays below both; a compiler does not."""

    states: Mapping[State, Limit] = field(default_factory=lambda: dict(_USUAL))
    busy_cpu: float = 0.02
    busy_io: float = 2_000.0


def verdict(
    state: State, since: float, last_event: float, usage_history: Sequence[Usage], limits: Limits, now: float
) -> Verdict:
    """What to do with an agent that has been in a state since a time. The history is in the order of time."""
    limit = limits.states[state]
    sign = max(since, last_event, last_work(usage_history, limits) if limit.work_counts else -inf)
    return max(_after_silence(limit, now - sign), _after_all(limit, now - since))


def last_work(history: Sequence[Usage], limits: Limits) -> float:
    """The time of the latest sample before which the processes worked; minus infinity if none."""
    ends = (later.at for earlier, later in pairwise(history) if _worked(earlier, later, limits))
    return max(ends, default=-inf)


def remember(history: tuple[Usage, ...], sample: Usage, limits: Limits) -> tuple[Usage, ...]:
    """The history with a sample, at most three long: the two around the last work and the newest. What is left out
    changes no verdict, because samples without work between them add up to no work."""
    if not history or _worked(history[-1], sample, limits):
        return (*history[-1:], sample)
    around = history[:2] if len(history) > 1 and _worked(history[0], history[1], limits) else history[:1]
    return (*around, sample)


def _worked(earlier: Usage, later: Usage, limits: Limits) -> bool:
    """Whether the processes worked between two samples. A sum that has fallen is that of fewer processes: an end of
    one is a sign of life too."""
    seconds = later.at - earlier.at
    if later.cpu < earlier.cpu or later.io < earlier.io:
        return True
    return later.cpu - earlier.cpu > limits.busy_cpu * seconds or later.io - earlier.io > limits.busy_io * seconds


def _after_silence(limit: Limit, seconds: float) -> Verdict:
    steps = ((limit.kill, Verdict.KILL), (limit.interrupt, Verdict.INTERRUPT), (limit.warn, Verdict.WARN))
    return next((step for most, step in steps if seconds >= most), Verdict.KEEP)


def _after_all(limit: Limit, seconds: float) -> Verdict:
    steps = ((limit.longest + limit.patience, Verdict.KILL), (limit.longest, Verdict.INTERRUPT))
    return next((step for most, step in steps if seconds >= most), Verdict.KEEP)
