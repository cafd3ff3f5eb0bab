"""From an action to a verdict, with nothing of the outside in it: the part that a replay runs again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from supervisor.catalog import Catalog
from supervisor.decision.escalation import Escalated, escalate
from supervisor.decision.union import Union, Voice, union
from supervisor.policy import Policy
from supervisor.verdict import Opinion, Verdict

TimesNudged = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Deliberation:
    """What the opinions come to, and the session's memory that went into it."""

    united: Union
    earlier: Mapping[str, int]
    outcome: Escalated


def deliberate(
    opinions: Sequence[tuple[str, Opinion]], kind: str, catalog: Catalog, policy: Policy, times_nudged: TimesNudged
) -> Deliberation:
    """Caps each opinion by its authority, takes the union, and escalates what was ignored.

    `times_nudged` tells how often the session already ignored a specialist over a near-equivalent action; it is asked
    only where a nudge decides.
    """
    voices = [_voice(name, opinion, kind, catalog, policy) for name, opinion in opinions]
    united = union(voices)
    earlier = {}
    if united.verdict is Verdict.NUDGE:
        earlier = {voice.specialist: times_nudged(voice.specialist) for voice in united.by}
    return Deliberation(united, earlier, escalate(united, earlier, policy.patience))


def _voice(name: str, opinion: Opinion, kind: str, catalog: Catalog, policy: Policy) -> Voice:
    refused = policy.refusal_means(name, catalog.entries[name].verdict)
    return Voice(name, opinion, policy.authority.ceiling(name, kind), refused)
