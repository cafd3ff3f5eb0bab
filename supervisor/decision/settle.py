"""From opinions to what becomes of an action: union, escalation, what nobody could judge, a person's approval.

The engine settles what it has just been told, a replay what a record tells, and both do it here. Nothing here reads a
clock, a file or a session: the caller brings what they hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from supervisor.action import Action, Context
from supervisor.decision.approval import Approval
from supervisor.decision.decision import Decision
from supervisor.decision.escalation import escalate
from supervisor.decision.union import Voice, union
from supervisor.policy import VERDICT_OF, Policy
from supervisor.verdict import Cause, Opinion, Refusal, Verdict

Opinions = Sequence[tuple[str, Opinion]]  # by specialist, in catalogue order
TimesNudged = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms a deployment hears one specialist about one kind of action.

    `ceiling` is how far its word goes, `on_refuse` what its refusal of a hostile input means, `budget` how long it may
    take, in seconds. `reverts` says that an action which it blocks after the fact is to be undone; `askable` over which
    of its verdicts a person may be asked.
    """

    ceiling: Verdict
    on_refuse: Verdict
    budget: float
    reverts: bool = False
    askable: frozenset[Verdict] = frozenset()


@dataclass(frozen=True, slots=True)
class Settled:
    """What becomes of an action, and what that was worked out from.

    `verdict`, `by`, `correction`, `review`, `reverts`, `unjudged` and `approval` are those of the `Decision` that says
    so. `earlier` counts by specialist the nudges that the session had ignored, as far as they were asked for. `over`
    names whose objections a person is asked about: nobody's where no person is asked.
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

    def answered(self, approval: Approval, otherwise: str) -> Settled:
        """As the state of the question has it; see `Approval.verdict`."""
        verdict = approval.verdict(otherwise)
        correction = self.correction if verdict.stops else ""
        review = self.review or (approval.state == "unanswered" and verdict is Verdict.FLAG)
        return replace(self, verdict=verdict, correction=correction, review=review, approval=approval)

    def unrecorded(self, least: Verdict) -> Settled:
        """As it stands without a record: at least what the policy says, and no question, which would be a record."""
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
        """The decision that says so; see `Decision` for what else belongs to one."""
        said = (self.verdict, action, self.by, self.correction, self.review, self.opinions, context.session)
        return Decision(
            id,
            *said,
            record=record,
            record_error=record_error,
            unjudged=self.unjudged,
            elapsed_ms=elapsed_ms,
            asked=asked,
            approval=self.approval,
            stage=context.stage,
            reverts=self.reverts,
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
) -> Settled:
    """Caps each opinion by its authority, takes the union, and escalates what was ignored.

    `times_nudged` tells how often the session already ignored a specialist over a near-equivalent action; it is asked
    only where a nudge decides. `unjudged` is why some could not be asked, None where all were. What a person says of it
    follows with `Settled.answered`, where there is anything to ask `over`.
    """
    if not opinions and unjudged is None:
        return _AGREED
    on_failure = VERDICT_OF[policy.workers.on_failure]
    voices = [Voice(name, said, terms[name].ceiling, terms[name].on_refuse) for name, said in opinions if _counts(said)]
    if not voices:
        settled = Settled(Verdict.OK, opinions=tuple(opinions))
        return settled if unjudged is None else settled._unjudged(unjudged, on_failure)
    united = union(voices)
    nudges = united.by if united.verdict is Verdict.NUDGE else ()
    earlier = {voice.specialist: times_nudged(voice.specialist) for voice in nudges}
    outcome = escalate(united, earlier, policy.patience)
    reverts = outcome.verdict is Verdict.BLOCK and any(terms[name].reverts for name in outcome.by)
    told = (outcome.verdict, outcome.by, outcome.correction, united.review, tuple(opinions), earlier, reverts)
    settled = Settled(*told)
    if unjudged is not None:
        settled = settled._unjudged(unjudged, on_failure)
        if on_failure.stops:
            return settled  # a person overrules who has judged it, and nobody has
    objections = {voice.specialist: voice.weight for voice in voices} | dict.fromkeys(outcome.by, outcome.verdict)
    over = asked_over(settled.verdict, objections, terms)
    return replace(settled, over=over) if over else settled


_AGREED = Settled(Verdict.OK)  # where nobody says anything, as of most actions


def asked_over(verdict: Verdict, objections: Mapping[str, Verdict], terms: Mapping[str, Terms]) -> tuple[str, ...]:
    """Whose objections a person is asked about; nobody's where no person is asked.

    What stops an action is overruled as a whole or not at all: all who stop it have to be askable. A flag stops
    nothing, so one that is askable is enough. `objections` are of everybody whose word counts, whether or not it
    decided.
    """
    concerned = [name for name, said in objections.items() if said.stops or said is verdict]
    askable = [name for name in concerned if objections[name] in terms[name].askable]
    if verdict.stops and askable != concerned:
        return ()
    return tuple(sorted(askable))


def _counts(said: Opinion) -> bool:
    """Whether an opinion can make a difference; most do not."""
    return said.cause is Cause.INPUT if isinstance(said, Refusal) else said.verdict is not Verdict.OK
