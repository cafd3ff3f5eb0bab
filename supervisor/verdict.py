"""Verdicts on an action, and the opinions that lead to them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Literal


class Verdict(IntEnum):
    """Ordered from the mildest to the strictest; the strictest verdict of all specialists decides."""

    OK = 0
    FLAG = 1  # the action runs, and a person looks at it afterwards
    NUDGE = 2  # the action does not run; the agent gets a correction
    BLOCK = 3  # the action does not run; the agent replans from scratch

    @classmethod
    def named(cls, name: str) -> Verdict:
        """The verdict called `name` (`"ok"`, `"flag"`, `"nudge"`, `"block"`). Raises KeyError for any other name."""
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

    The author of an action can provoke INPUT refusals (too large, too deep, too slow to parse, a crash), so the policy
    may count them as a verdict. INFRASTRUCTURE refusals come from outside: a database is down, no model is configured.
    DOMAIN means that the action is outside the specialist's domain, which is no failure at all.
    """

    DOMAIN = "domain"
    INPUT = "input"
    INFRASTRUCTURE = "infrastructure"


@dataclass(frozen=True, slots=True)
class Finding:
    """One specialist's answer to its one question.

    `confidence` lies in 0..1. `correction` (nudges only) tells the agent what to do instead. `sharper` is the optional
    correction for the second time. `evidence` quotes the parts of the action that led to the finding.
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
    """No vote, and why. The union ignores refusals, unless the policy counts input-caused ones as a verdict.

    `ended` names what cut the specialist short, if it did not refuse by itself. Another machine might not have cut it
    short, so a replay takes these refusals as recorded.
    """

    reason: str
    cause: Cause = Cause.DOMAIN
    ended: Ended = ""


Opinion = Finding | Refusal
