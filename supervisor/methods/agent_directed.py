"""How likely a text in a tool's output addresses the agent instead of people."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from supervisor.evidence.prose.passages import Passage
from supervisor.evidence.provenance.instructions import FORWARD, signals_of
from supervisor.evidence.provenance.manner import manner
from supervisor.methods.classifier import Classifier

MODEL = "agent_directed"
SPEAKING = frozenset(FORWARD)


@functools.lru_cache(maxsize=2048)
def score_of(text: str) -> int:
    """How much a text addresses the agent, in points. Cached, since one output precedes many actions."""
    return Classifier.load(MODEL).score(manner(text))


def directed(passages: Sequence[Passage]) -> int:
    """How much an order addresses the agent, in points: the maximum of the whole order and its loudest sentences."""
    loud = (score_of(passage.text) for passage in passages if signals_of(passage.text) & SPEAKING)
    return max([score_of("\n".join(passage.text for passage in passages)), *loud])


def is_directed(passages: Sequence[Passage]) -> bool:
    """Whether an order addresses the agent."""
    return Classifier.load(MODEL).says_yes(directed(passages))
