"""The decision: what becomes of an action, and everything that was said of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from supervisor.action import Action, Stage
from supervisor.verdict import Cause, Finding, Opinion, Refusal, Verdict

if TYPE_CHECKING:
    from supervisor.decision.approval import Approval


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict on one action.

    `action` is as the specialists saw it, secrets masked. `by` names the specialists that brought the verdict about,
    `correction` tells a nudged agent what to do instead, `review` says that a person shall look. `opinions` are in
    catalogue order, without those of the many that have nothing to say: who is `asked` and not among them is content,
    without any doubt. `record` is the address of the signed record (None where records are off), `record_error` why
    there is none although there should be, `unjudged` why some could not be asked. `elapsed_ms` is the time from the
    proposal to this answer. Where the policy has a person asked, `approval` is how that stands, and tells what the
    specialists said; `verdict` is what becomes of the action.

    With the stage `after` it is the verdict on what came of an action that ran. `reverts` says that the deployment
    wants such an action undone; `reverted` what became of that: None where nobody has tried, empty where it was undone,
    else why it could not be.
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

    @property
    def allowed(self) -> bool:
        """Whether the action may run; of one that ran, whether its result may stand."""
        return not self.verdict.stops

    @property
    def is_asked(self) -> bool:
        """Whether a person is asked, and has not answered yet."""
        return self.approval is not None and self.approval.state == "asked"

    @property
    def asks_host(self) -> bool:
        """Whether the host that runs the action may ask its own user instead."""
        return self.approval is not None and self.is_asked and self.approval.where == "host"

    @property
    def findings(self) -> Iterator[tuple[str, Finding]]:
        """Every finding but ok, by specialist."""
        return ((name, said) for name, said in self.opinions if isinstance(said, Finding) and said.verdict)

    @property
    def refusals(self) -> Iterator[tuple[str, Refusal]]:
        """Who could not judge, and why. A specialist that was simply not concerned is not among them."""
        said = ((name, opinion) for name, opinion in self.opinions if isinstance(opinion, Refusal))
        return ((name, refusal) for name, refusal in said if refusal.cause is not Cause.DOMAIN)

    @property
    def reason(self) -> str:
        """Why, in the words of the specialists that decided."""
        if self._failure:
            return f"it could not be {self._failure}: {self.unjudged or self.record_error}"
        said = dict(self.opinions)
        return " ".join(dict.fromkeys(said[name].reason for name in self.by))

    @property
    def _failure(self) -> str:
        """What the supervisor itself could not do, where that and nobody's finding made the verdict."""
        if self.by:
            return ""
        return "judged" if self.unjudged else "recorded" if self.record_error else ""

    def to_json(self) -> dict[str, Any]:
        """The decision as `supervisor check` prints it."""
        told: dict[str, Any] = {
            "id": self.id,
            "verdict": self.verdict.label,
            "findings": [
                finding_to_json(name, finding) | {"correction": finding.correction} for name, finding in self.findings
            ],
            "refusals": [refusal_to_json(name, refusal) for name, refusal in self.refusals],
            "elapsed_ms": round(self.elapsed_ms, 3),
        }
        optional = {
            "correction": self.correction,
            "record": self.record,
            "record_error": self.record_error,
            "unjudged": self.unjudged,
            "approval": self.approval.to_json() if self.approval else None,
        }
        if self.stage == "after":
            told |= {"stage": self.stage, "reverts": self.reverts}
        return told | {"by": list(self.by), "review": self.review} | {k: v for k, v in optional.items() if v}

    def message(self) -> str:
        """What a stopped agent is told: compact JSON that a model can act on."""
        said = self.approval.said() if self.approval and not self.allowed else {}
        told: dict[str, Any] = {
            "executed": self.stage == "after",
            "code": f"{self._outcome}:{','.join(self.by) or f'not_{self._failure}'}",
            "reason": self.reason,
        }
        if self.correction:
            told["correction"] = self.correction
        elif self._failure:
            told["next"] = f"The action is not at fault: actions cannot be {self._failure}. Stop, and report that."
        elif self.verdict is Verdict.BLOCK:
            told["next"] = _NEXT if self.stage == "before" else self._next_after()
        if self.reverted is not None:
            told |= {"reverted": not self.reverted} | ({"revert_error": self.reverted} if self.reverted else {})
        return orjson.dumps(told | said).decode()

    @property
    def _outcome(self) -> str:
        """What an agent is told that became of its action, in one word."""
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


def finding_to_json(name: str, finding: Finding) -> dict[str, Any]:
    """A finding as printed and recorded."""
    told: dict[str, Any] = {
        "specialist": name,
        "verdict": finding.verdict.label,
        "confidence": finding.confidence,
        "reason": finding.reason,
    }
    optional = {"correction": finding.correction, "sharper": finding.sharper, "evidence": list(finding.evidence)}
    return told | {key: value for key, value in optional.items() if value}


def refusal_to_json(name: str, refusal: Refusal) -> dict[str, Any]:
    """A refusal as printed and recorded."""
    told: dict[str, Any] = {"specialist": name, "reason": refusal.reason, "cause": refusal.cause.value}
    return told | {"ended": refusal.ended} if refusal.ended else told
