"""From opinions to a verdict, with nothing of the outside in it: the part that a replay works out anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from supervisor.action import Stage
from supervisor.catalog import Catalog
from supervisor.decision.escalation import Escalated, escalate
from supervisor.decision.union import Union, Voice, union
from supervisor.policy import Policy
from supervisor.verdict import Cause, Opinion, Refusal, Verdict

TimesNudged = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms a deployment hears one specialist about one kind of action: how far its word goes, what its
    refusal of a hostile input means, how long it may take, in seconds, and whether an action that it blocks after the
    fact is to be undone."""

    ceiling: Verdict
    on_refuse: Verdict
    budget: float
    reverts: bool = False


def terms_for(kind: str, catalog: Catalog, policy: Policy, stage: Stage = "before") -> dict[str, Terms]:
    """The terms of every specialist in whose domain this kind falls. They hold as long as the policy does."""
    return {
        each.id: Terms(
            policy.authority.ceiling(each.id, kind),
            policy.refusal_means(each.id, catalog.entries[each.id].verdict),
            policy.budgets.seconds(each.id, kind, uses_doors=each.uses_doors),
            stage == "after" and policy.authority.reverts(each.id, kind),
        )
        for each in catalog.for_kind(kind, stage)
    }


@dataclass(frozen=True, slots=True)
class Deliberation:
    """What the opinions come to, and the session's memory that went into it. `objections` are of everybody whose word
    counts, whether or not it decided. `reverts`: the action has run, and is to be undone."""

    united: Union
    earlier: Mapping[str, int]
    outcome: Escalated
    objections: Mapping[str, Verdict]
    reverts: bool = False


def deliberate(
    opinions: Sequence[tuple[str, Opinion]], terms: Mapping[str, Terms], patience: int, times_nudged: TimesNudged
) -> Deliberation:
    """Caps each opinion by its authority, takes the union, and escalates what was ignored.

    `times_nudged` tells how often the session already ignored a specialist over a near-equivalent action; it is asked
    only where a nudge decides.
    """
    heard = [(name, said) for name, said in opinions if _counts(said)]
    if not heard:
        return _AGREED
    voices = [Voice(name, said, terms[name].ceiling, terms[name].on_refuse) for name, said in heard]
    united = union(voices)
    earlier = {}
    if united.verdict is Verdict.NUDGE:
        earlier = {voice.specialist: times_nudged(voice.specialist) for voice in united.by}
    outcome = escalate(united, earlier, patience)
    objections = {voice.specialist: voice.weight for voice in voices} | dict.fromkeys(outcome.by, outcome.verdict)
    reverts = outcome.verdict is Verdict.BLOCK and any(terms[name].reverts for name in outcome.by)
    return Deliberation(united, earlier, outcome, objections, reverts)


_AGREED = Deliberation(Union(Verdict.OK, (), review=False), {}, Escalated(Verdict.OK, (), ""), {})


def _counts(said: Opinion) -> bool:
    """Whether an opinion can make a difference; most do not."""
    return said.cause is Cause.INPUT if isinstance(said, Refusal) else said.verdict is not Verdict.OK
