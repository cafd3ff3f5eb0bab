"""What is said of an action: a verdict, and the opinions that lead to it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Literal


class Verdict(IntEnum):
    """Ordered by how much it takes from the agent; the decision is the greatest of them."""

    OK = 0
    FLAG = 1  # the action runs, and a person looks at it afterwards
    NUDGE = 2  # the action does not run; the agent gets a correction
    BLOCK = 3  # the action does not run; the agent replans from scratch

    @classmethod
    def named(cls, name: str) -> Verdict:
        """The verdict called `name` (`"ok"`, `"flag"`, `"nudge"`, `"block"`); KeyError for any other."""
        return _BY_NAME[name]

    @property
    def label(self) -> str:
        """The name that people and JSON use: lower case."""
        return _LABELS[self]

    @property
    def stops(self) -> bool:
        """Whether the action must not run."""
        return self >= Verdict.NUDGE


_BY_NAME = {verdict.name.lower(): verdict for verdict in Verdict}
_LABELS = {verdict: verdict.name.lower() for verdict in Verdict}


class Cause(StrEnum):
    """Why a specialist has no vote.

    INPUT refusals can be bought by whoever writes the action (too large, too deep, too slow to parse, a crash), so the
    policy may give them a meaning. INFRASTRUCTURE refusals cannot: a database is down, no model is configured.
    DOMAIN means that the question was not this specialist's to answer, which is no failure at all.
    """

    DOMAIN = "domain"
    INPUT = "input"
    INFRASTRUCTURE = "infrastructure"


@dataclass(frozen=True, slots=True)
class Finding:
    """One specialist's answer to its one question.

    `confidence` lies in 0..1. `correction` (nudges only) tells the agent what to do instead; `sharper` is what it is
    told the second time, where the specialist has something better to say than the same again. `evidence` quotes what
    was seen.
    """

    verdict: Verdict
    confidence: float = 1.0
    reason: str = ""
    correction: str = ""
    sharper: str = ""
    evidence: tuple[str, ...] = ()


Ended = Literal["", "deadline", "crash", "memory", "unasked"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """No vote, and why. Refusals are ignored by the union unless the policy gives input-caused ones a meaning.

    `ended` tells what cut the specialist short, where it did not refuse by itself. Another machine might not have done
    so; a replay therefore takes these as recorded.
    """

    reason: str
    cause: Cause = Cause.DOMAIN
    ended: Ended = ""


Opinion = Finding | Refusal
