"""The decision: the verdict on an action, and the opinions behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from supervisor.action import Action, Stage
from supervisor.decision.lost_votes import lost_votes
from supervisor.verdict import Cause, Finding, Opinion, Refusal, Verdict

if TYPE_CHECKING:
    from supervisor.decision.approval import Approval
    from supervisor.decision.exemptions import Exemption


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict on one action.

    - `action`: the action as the specialists saw it, secrets masked.
    - `by`: the specialists that decided the verdict.
    - `correction`: what a nudged agent is to do instead. `review`: a person should look at the action.
    - `asked`: the specialists that were asked. `opinions`: in catalogue order, without plain ok at full confidence.
    - `record`: the address of the signed record (None if records are off). `record_error`: why the record is missing.
    - `unjudged`: why some specialists could not be asked.
    - `elapsed_ms`: the time from the proposal to this decision.
    - `approval`: the state of the question, where the policy has a person asked; it contains the specialists' verdict.
    - `exemptions`: by specialist, the exemption that lifts its objection to this action. `exemptible`: exemptions could
      lift every objection that stops it.
    - `unheeded`: the weight of the agent's refusals in other sessions that made a flag of this action; 0 if none did.

    At the stage `after`, it is the verdict on the outcome of an action that ran. `reverts`: the policy wants the action
    undone. `reverted`: None before an attempt, empty after a successful one, else the reason why it failed.
    """

    id: str
    verdict: Verdict
    action: Action
    by: tuple[str, ...]
    correction: str
    review: bool
    opinions: tuple[tuple[str, Opinion], ...]
    session: str | None = None
    record: str | None = None
    record_error: str | None = None
    unjudged: str | None = None
    elapsed_ms: float = 0.0
    asked: tuple[str, ...] = ()
    approval: Approval | None = None
    stage: Stage = "before"
    reverts: bool = False
    reverted: str | None = None
    exemptions: Mapping[str, Exemption] = field(default_factory=dict)
    exemptible: bool = False
    unheeded: float = 0.0

    @property
    def allowed(self) -> bool:
        """Whether the action may run, or, at the stage `after`, whether its result may be used."""
        return not self.verdict.stops

    @property
    def is_asked(self) -> bool:
        """Whether a person is asked and has not answered yet."""
        return self.approval is not None and self.approval.state == "asked"

    @property
    def asks_host(self) -> bool:
        """Whether the host that runs the action may ask its own user instead."""
        return self.approval is not None and self.is_asked and self.approval.where == "host"

    @property
    def findings(self) -> Iterator[tuple[str, Finding]]:
        """Every finding that is not ok, with its specialist."""
        return ((name, each) for name, each in self.opinions if isinstance(each, Finding) and each.verdict)

    @property
    def refusals(self) -> Iterator[tuple[str, Refusal]]:
        """Every specialist that could not judge, with its refusal. Refusals with the cause DOMAIN are left out."""
        refusals = ((name, opinion) for name, opinion in self.opinions if isinstance(opinion, Refusal))
        return ((name, refusal) for name, refusal in refusals if refusal.cause is not Cause.DOMAIN)

    @property
    def reason(self) -> str:
        """The reasons of the specialists that decided, as one text."""
        if self._failure:
            return f"it could not be {self._failure}: {self.unjudged or self.record_error}"
        if self.unheeded:
            return why_watched(self.unheeded)
        opinions = dict(self.opinions)
        return " ".join(dict.fromkeys(opinions[name].reason for name in self.by))

    @property
    def _failure(self) -> str:
        """What the supervisor itself failed to do, if that decided the verdict and no specialist did."""
        if self.by:
            return ""
        return "judged" if self.unjudged else "recorded" if self.record_error else ""

    def to_json(self) -> dict[str, Any]:
        """The decision as `supervisor check` prints it. `lost` groups `refusals` by reason."""
        values: dict[str, Any] = {
            "id": self.id,
            "verdict": self.verdict.label,
            "findings": [
                finding_to_json(name, finding) | {"correction": finding.correction} for name, finding in self.findings
            ],
            "refusals": [refusal_to_json(name, refusal) for name, refusal in self.refusals],
            "lost": [each.to_json() for each in lost_votes(self.refusals)],
            "elapsed_ms": round(self.elapsed_ms, 3),
        }
        optional = {
            "correction": self.correction,
            "record": self.record,
            "record_error": self.record_error,
            "unjudged": self.unjudged,
            "approval": self.approval.to_json() if self.approval else None,
            "exemptions": {name: each.to_json() for name, each in self.exemptions.items()},
            "exemptible": self.exemptible,
            "unheeded": self.unheeded,
        }
        if self.stage == "after":
            values |= {"stage": self.stage, "reverts": self.reverts}
        return values | {"by": list(self.by), "review": self.review} | {k: v for k, v in optional.items() if v}

    def message(self) -> str:
        """The message to a stopped agent: compact JSON that a model can act on."""
        approval = self.approval.for_agent() if self.approval and not self.allowed else {}
        payload: dict[str, Any] = {
            "executed": self.stage == "after",
            "code": f"{self._outcome}:{','.join(self.by) or f'not_{self._failure}'}",
            "reason": self.reason,
        }
        if self.correction:
            payload["correction"] = self.correction
        elif self._failure:
            payload["next"] = f"The action is not at fault: actions cannot be {self._failure}. Stop, and report that."
        elif self.verdict is Verdict.BLOCK:
            payload["next"] = _NEXT if self.stage == "before" else self._next_after()
        if self.reverted is not None:
            payload |= {"reverted": not self.reverted} | ({"revert_error": self.reverted} if self.reverted else {})
        return orjson.dumps(payload | approval).decode()

    @property
    def _outcome(self) -> str:
        """The outcome of the action as one word for the agent."""
        if self.approval is not None and self.approval.state in ("asked", "denied"):
            return self.approval.state
        return self.verdict.label

    def _next_after(self) -> str:
        if self.reverted:
            return "It has run, and undoing it has failed: what it did stands. Stop, and report both."
        if self.reverted is None:
            return "It has run, and its result is withheld. Do not go on from it: report what has happened."
        return "It has run and was undone: nothing of it stands. Plan another way to the goal, or report this."


_NEXT = "Do not propose this again in any form. Plan another way to the goal, or report that it is refused."


def why_watched(unheeded: object) -> str:
    """Why an action is flagged to which no specialist objects, for people: see `Decision.unheeded`, which any program
    may have written."""
    number = max(round(unheeded), 1) if isinstance(unheeded, int | float) else unheeded
    refusals = "1 refusal" if number == 1 else f"{number} refusals"
    return f"the agent did not heed {refusals} in other sessions, so what it changes is flagged"


def finding_to_json(name: str, finding: Finding) -> dict[str, Any]:
    """A finding as printed and recorded."""
    values: dict[str, Any] = {
        "specialist": name,
        "verdict": finding.verdict.label,
        "confidence": finding.confidence,
        "reason": finding.reason,
    }
    optional = {"correction": finding.correction, "sharper": finding.sharper, "evidence": list(finding.evidence)}
    return values | {key: value for key, value in optional.items() if value}


def refusal_to_json(name: str, refusal: Refusal) -> dict[str, Any]:
    """A refusal as printed and recorded."""
    values: dict[str, Any] = {"specialist": name, "reason": refusal.reason, "cause": refusal.cause.value}
    return values | {"ended": refusal.ended} if refusal.ended else values
