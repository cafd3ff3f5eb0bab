"""What the owner of a task wants to happen when an attempt fails."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from supervisor.errors import BadInput
from supervisor.suggestions import choices

_RUNG = re.compile(r"([a-z_]+)(?:\*(\d{1,3}))?")
_MOST_REMEDIES = 100


class Remedy(StrEnum):
    """What follows a failure."""

    RETRY = "retry"  # again, on whichever worker is free
    FAILOVER = "failover"  # again, on a worker on which the task has not failed yet
    ESCALATE = "escalate"  # a person decides
    FAIL_PARENT = "fail_parent"  # the task fails, and so does the task that has added it


@dataclass(frozen=True, slots=True)
class Backoff:
    """How long to wait before the next attempt, in seconds: `first`, then `factor` times as much after each failure,
    at most `longest`. `jitter` is the share of it that chance takes away, so that tasks that failed together do not
    come back together."""

    first: float = 5.0
    factor: float = 2.0
    longest: float = 300.0
    jitter: float = 0.5

    def __post_init__(self) -> None:
        if not (self.first >= 0 and self.factor >= 1 and self.longest >= 0 and 0 <= self.jitter <= 1):
            raise BadInput("needs times of 0 or more, a factor of 1 or more and a jitter from 0 to 1", place="backoff")

    def delay(self, failures: int, chance: float) -> float:
        """The seconds to wait after this many failures. `chance` is from 0 to 1."""
        try:
            whole = min(self.longest, self.first * self.factor ** max(0, failures - 1))
        except OverflowError:
            whole = self.longest
        return whole * (1 - self.jitter * chance)


@dataclass(frozen=True, slots=True)
class FailurePolicy:
    """`remedies` are what follows the first failure, the second, and so on; after the last one the task is a dead
    letter. `losses` is how many attempts may be lost with their executor before a loss counts as a failure: else a task
    that brings its executor down would do so for ever."""

    remedies: tuple[Remedy, ...] = (Remedy.RETRY, Remedy.RETRY)
    backoff: Backoff = field(default_factory=Backoff)
    losses: int = 5

    def __post_init__(self) -> None:
        if self.losses < 0:
            raise BadInput("must be 0 or more", place="losses")

    def remedy(self, failures: int) -> Remedy | None:
        """What follows this many failures; None if nothing does."""
        return self.remedies[failures - 1] if failures <= len(self.remedies) else None

    def to_json(self) -> dict[str, Any]:
        return {"remedies": list(self.remedies), "backoff": asdict(self.backoff), "losses": self.losses}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> FailurePolicy:
        return cls(tuple(map(Remedy, stored["remedies"])), Backoff(**stored["backoff"]), int(stored["losses"]))


def remedies_of(text: str) -> tuple[Remedy, ...]:
    """The remedies that a text names, such as `retry*2 failover escalate`. Raises BadInput."""
    found: list[Remedy] = []
    for word in text.replace(",", " ").split():
        match = _RUNG.fullmatch(word)
        if match is None or match[1] not in set(Remedy):
            raise BadInput(f"no remedy {word!r}{choices(word, list(Remedy))}", place="on-failure", code="usage")
        found += [Remedy(match[1])] * int(match[2] or 1)
    if len(found) > _MOST_REMEDIES:
        raise BadInput(f"at most {_MOST_REMEDIES} remedies", place="on-failure", code="usage")
    return tuple(found)
