"""Whether an agent heeded a refusal, from what its session proposed next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from supervisor.memory import is_about_the_same, near

Heeded = Literal["heeded", "repeated", "given up", "unknown"]
LOOK_AHEAD = 10  # later proposals of the session
_STOPS = ("nudge", "block")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A judged action: its kind, its features, the verdict and the specialists that decided it."""

    kind: str
    features: frozenset[str]
    verdict: str
    entries: frozenset[str]

    @property
    def is_stopped(self) -> bool:
        """Whether it did not run."""
        return self.verdict in _STOPS


def heeding(refused: Proposal, later: Iterable[Proposal]) -> Heeded:
    """What came of a refusal, decided by the first later proposal that concerns the same thing.

    - repeated: a near-equivalent action was stopped by one of the same specialists;
    - heeded: a proposal of the same kind about the same thing met none of those objections;
    - given up: the session went on with other things;
    - unknown: it proposed nothing more, or the action was not stopped.
    """
    following = list(islice(later, LOOK_AHEAD)) if refused.is_stopped else []
    for each in following:
        is_same_objection = each.is_stopped and bool(each.entries & refused.entries)
        if near(refused.features, each.features) and is_same_objection:
            return "repeated"
        if not is_same_objection and is_about_the_same(refused.kind, refused.features, each.kind, each.features):
            return "heeded"
    return "given up" if following else "unknown"


def heedings(proposals: Sequence[Proposal]) -> list[Heeded]:
    """The same for every proposal of a session, oldest first."""
    return [heeding(each, proposals[number + 1 :][:LOOK_AHEAD]) for number, each in enumerate(proposals)]
