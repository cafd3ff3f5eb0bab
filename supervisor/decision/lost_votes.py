"""Lost votes: the specialists that should have judged an action and could not, grouped by reason.

A refusal with the cause DOMAIN is no lost vote: the action is none of that specialist's business.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from supervisor.verdict import Cause, Refusal


@dataclass(frozen=True, slots=True)
class LostVotes:
    """The specialists that could not judge an action for one reason. `cause` is `input` or `infrastructure`."""

    reason: str
    cause: str
    specialists: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The group as `supervisor check` prints it."""
        count = len(self.specialists)
        return {"reason": self.reason, "cause": self.cause, "count": count, "specialists": list(self.specialists)}


def lost_votes(refusals: Iterable[tuple[str, Refusal]]) -> list[LostVotes]:
    """The lost votes among refusals, one group per reason and cause, in order of the first specialist."""
    return _grouped((name, each.reason, each.cause.value) for name, each in refusals)


def lost_votes_of(opinions: Iterable[Any]) -> list[LostVotes]:
    """The lost votes among the opinions of a record. Values that are no opinion are left out: any program can write a
    line, signed or not."""
    values = (each for each in opinions if isinstance(each, dict))
    return _grouped(
        (each["specialist"], each["reason"], each["cause"])
        for each in values
        if all(isinstance(each.get(key), str) for key in ("specialist", "reason", "cause"))
    )


def _grouped(refusals: Iterable[tuple[str, str, str]]) -> list[LostVotes]:
    groups: dict[tuple[str, str], dict[str, None]] = {}
    for name, reason, cause in refusals:
        if cause != Cause.DOMAIN:
            groups.setdefault((reason, cause), {})[name] = None
    return [LostVotes(reason, cause, tuple(names)) for (reason, cause), names in groups.items()]
