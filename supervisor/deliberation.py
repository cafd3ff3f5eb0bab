"""From opinions to a verdict, with nothing of the outside in it: the part that a replay works out anew."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from supervisor.action import Action, Context, Stage
from supervisor.catalog import Catalog
from supervisor.decision.decision import Decision
from supervisor.decision.escalation import Escalated, escalate
from supervisor.decision.union import Union, Voice, union
from supervisor.policy import VERDICT_OF, Policy
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
            policy.refusal_means(each.id, catalog.entries[each.id].verdict, catalog.entries[each.id].on_refuse),
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


def decision_on(
    action: Action,
    context: Context,
    asked: tuple[str, ...],
    opinions: Sequence[tuple[str, Opinion]],
    deliberation: Deliberation,
    started: float,
) -> Decision:
    """The decision that a deliberation comes to. `asked` is everybody in whose domain the action falls, `started` when
    it was proposed (`time.perf_counter()`)."""
    outcome, review = deliberation.outcome, deliberation.united.review
    told = (outcome.verdict, action, outcome.by, outcome.correction, review, tuple(opinions), context.session)
    elapsed = (time.perf_counter() - started) * 1000
    stage, reverts = context.stage, deliberation.reverts
    return Decision(os.urandom(16).hex(), *told, elapsed_ms=elapsed, asked=asked, stage=stage, reverts=reverts)


def at_least(decision: Decision, level: str) -> Decision:
    """What becomes of an action that could not be judged or recorded: at least what the policy says."""
    least = VERDICT_OF[level]
    if decision.verdict >= least:
        return decision
    review = decision.review or least is Verdict.FLAG
    return replace(decision, verdict=least, by=(), correction="", review=review)
