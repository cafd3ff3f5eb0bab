"""From opinions to the verdict on an action: union, escalation, actions that could not be judged, a person's approval.

The engine settles fresh opinions and a replay settles recorded ones; both do it here. The code is pure: it reads no
clock, file or session. The caller passes their values in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from supervisor.action import Action, Context
from supervisor.decision.approval import Approval
from supervisor.decision.decision import Decision
from supervisor.decision.escalation import escalate
from supervisor.decision.union import Voice, union
from supervisor.policy import VERDICT_OF, Policy
from supervisor.verdict import Cause, Finding, Opinion, Refusal, Verdict

if TYPE_CHECKING:
    from supervisor.decision.exemptions import Exemption

Opinions = Sequence[tuple[str, Opinion]]  # by specialist, in catalogue order
TimesNudged = Callable[[str], int]
Weight = Callable[[str], float]


@dataclass(frozen=True, slots=True)
class Terms:
    """The policy for one specialist and one kind of action.

    `ceiling` is the greatest verdict of its findings, `on_refuse` the verdict of an input-caused refusal, `budget` its
    time limit in seconds. `reverts`: an action that it blocks after it ran is to be undone. `askable`: the verdicts
    that a person may be asked about. `exemptible`: a person may exempt actions from its objections.
    """

    ceiling: Verdict
    on_refuse: Verdict
    budget: float
    reverts: bool = False
    askable: frozenset[Verdict] = frozenset()
    exemptible: bool = True


@dataclass(frozen=True, slots=True)
class Settled:
    """The settled verdict on an action, and what it was derived from.

    `verdict`, `by`, `correction`, `review`, `reverts`, `unjudged` and `approval` are those of the resulting `Decision`.
    `earlier` counts, by specialist, the nudges that the session ignored; only specialists whose nudge decides are in
    it. `remembered` has the weight of those that the agent ignored in other sessions, where there is any. `over` names
    the specialists whose objections a person is asked about; empty if no person is asked. `unheeded` is the weight of
    all stops in other sessions that the agent did not heed, where that made a flag of an action that would be ok.
    `exemptions` has, by specialist, the exemption that lifts its objection; `exemptible` is whether exemptions could
    lift every objection that stops the action.
    """

    verdict: Verdict
    by: tuple[str, ...] = ()
    correction: str = ""
    review: bool = False
    opinions: tuple[tuple[str, Opinion], ...] = ()
    earlier: Mapping[str, int] = field(default_factory=dict)
    reverts: bool = False
    over: tuple[str, ...] = ()
    unjudged: str | None = None
    approval: Approval | None = None
    exemptions: Mapping[str, Exemption] = field(default_factory=dict)
    exemptible: bool = False
    remembered: Mapping[str, float] = field(default_factory=dict)
    unheeded: float = 0.0

    def answered(self, approval: Approval, otherwise: str) -> Settled:
        """The same with the verdict that an approval leads to; see `Approval.verdict`."""
        verdict = approval.verdict(otherwise)
        correction = self.correction if verdict.stops else ""
        review = self.review or (approval.state == "unanswered" and verdict is Verdict.FLAG)
        return replace(self, verdict=verdict, correction=correction, review=review, approval=approval)

    def unrecorded(self, least: Verdict) -> Settled:
        """The same without a record: at least the policy's verdict, and no question, since a question is a record."""
        settled = self._at_least(least)
        is_asked = settled.approval is not None and settled.approval.state == "asked"
        return replace(settled, approval=None) if is_asked else settled

    def decision(
        self,
        id: str,
        action: Action,
        context: Context,
        asked: tuple[str, ...],
        record: str | None,
        record_error: str | None,
        elapsed_ms: float,
    ) -> Decision:
        """The decision with this verdict; see `Decision` for the parameters."""
        parts = (self.verdict, action, self.by, self.correction, self.review, self.opinions, context.session)
        return Decision(
            id,
            *parts,
            record=record,
            record_error=record_error,
            unjudged=self.unjudged,
            elapsed_ms=elapsed_ms,
            asked=asked,
            approval=self.approval,
            exemptions=self.exemptions,
            exemptible=self.exemptible and bool(self.by),
            stage=context.stage,
            reverts=self.reverts,
            unheeded=self.unheeded,
        )

    def _unjudged(self, problem: str, least: Verdict) -> Settled:
        return replace(self._at_least(least), unjudged=problem)

    def _at_least(self, least: Verdict) -> Settled:
        if self.verdict >= least:
            return self
        return replace(self, verdict=least, by=(), correction="", review=self.review or least is Verdict.FLAG)


def settle(
    opinions: Opinions,
    terms: Mapping[str, Terms],
    policy: Policy,
    times_nudged: TimesNudged,
    unjudged: str | None = None,
    exemptions: Mapping[str, Exemption] = MappingProxyType({}),
    weight: Weight | None = None,
) -> Settled:
    """Caps each opinion by its authority, takes the union, and escalates what was ignored.

    `times_nudged` returns how often the session already ignored a specialist over a near-equivalent action; it is
    called only if a nudge decides. `unjudged` is why some specialists could not be asked, None if all were.
    `exemptions` are those that fit the action, by specialist. `weight` returns the weight of the nudges that the agent
    ignored in other sessions, and is called as `times_nudged` is; None without a memory. If `over`
    is not empty, `Settled.answered` applies the person's answer later.
    """
    if not opinions and unjudged is None:
        return _AGREED
    on_failure = VERDICT_OF[policy.workers.on_failure]
    exemptible = stopping(opinions, terms)
    lifted = {name: exemptions[name] for name in exemptible if name in exemptions}
    voices = [
        Voice(name, each, terms[name].ceiling, terms[name].on_refuse, name in lifted)
        for name, each in opinions
        if _counts(each)
    ]
    if not voices:
        settled = Settled(Verdict.OK, opinions=tuple(opinions))
        return settled if unjudged is None else settled._unjudged(unjudged, on_failure)
    united = union(voices)
    nudges = united.by if united.verdict is Verdict.NUDGE else ()
    earlier = {voice.specialist: times_nudged(voice.specialist) for voice in nudges}
    weights = {name: weight(name) for name in earlier} if weight else {}
    limit = policy.memory.escalate_after
    unheeded = [name for name, each in weights.items() if limit and each >= limit - _HALF]
    outcome = escalate(united, earlier, policy.patience, unheeded)
    reverts = outcome.verdict is Verdict.BLOCK and any(terms[name].reverts for name in outcome.by)
    parts = (outcome.verdict, outcome.by, outcome.correction, united.review, tuple(opinions), earlier, reverts)
    may_exempt = all(voice.specialist in exemptible for voice in voices if voice.weight.stops)
    remembered = {name: each for name, each in weights.items() if each}
    may_exempt = may_exempt and outcome.verdict.stops
    settled = Settled(*parts, exemptions=lifted, exemptible=may_exempt, remembered=remembered)
    if unjudged is not None:
        settled = settled._unjudged(unjudged, on_failure)
        if on_failure.stops:
            return settled  # a person can overrule only a judgement, and there is none
    objections = {voice.specialist: voice.weight for voice in voices} | dict.fromkeys(outcome.by, outcome.verdict)
    unanswered = {name: weight for name, weight in objections.items() if name not in lifted}
    over = asked_over(settled.verdict, unanswered, terms)
    return replace(settled, over=over) if over else settled


def watched(settled: Settled, unheeded: float, policy: Policy) -> Settled:
    """The same as a flag if the agent's unheeded stops in other sessions weigh so much that the policy flags what would
    be ok."""
    limit = policy.memory.flag_after
    if not limit or unheeded < limit - _HALF or settled.verdict is not Verdict.OK:
        return settled
    return replace(settled, verdict=Verdict.FLAG, review=True, unheeded=unheeded)


def stopping(opinions: Opinions, terms: Mapping[str, Terms]) -> list[str]:
    """The specialists that would stop the action by a finding, and that a person may exempt actions from."""
    return [
        name
        for name, each in opinions
        if isinstance(each, Finding) and min(each.verdict, terms[name].ceiling).stops and terms[name].exemptible
    ]


_HALF = 0.5  # a weight counts rounded: three stops of yesterday are three, though each weighs a little less than one
_AGREED = Settled(Verdict.OK)  # the common case: no opinion to settle


def asked_over(verdict: Verdict, objections: Mapping[str, Verdict], terms: Mapping[str, Terms]) -> tuple[str, ...]:
    """The specialists whose objections a person is asked about; empty if no person is asked.

    A stop is overruled as a whole or not at all, so every specialist that stops the action has to be askable. A flag
    stops nothing, so one askable flag is enough. `objections` contains every specialist with a vote, whether or not it
    decided.
    """
    concerned = [name for name, weight in objections.items() if weight.stops or weight is verdict]
    askable = [name for name in concerned if objections[name] in terms[name].askable]
    if verdict.stops and askable != concerned:
        return ()
    return tuple(sorted(askable))


def _counts(opinion: Opinion) -> bool:
    """Whether an opinion can change the verdict; most cannot."""
    return opinion.cause is Cause.INPUT if isinstance(opinion, Refusal) else opinion.verdict is not Verdict.OK
