"""Where a person is asked: what the question is bound to, how it stands, and what that makes of the verdict.

An approval holds for one actor, one exact action at one place, one policy, a set of objections, until it expires, and
once. A different value of any of them is a different question.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Literal, get_args

import orjson

from supervisor.verdict import Verdict

State = Literal["asked", "approved", "denied", "unanswered"]
SHORT = 12  # digits of a question's name that people are shown
_ASKED = (
    "A person is asked. Do not try it in another form. Go on with something else and propose exactly this again once it"
    " is approved, or report that it waits for approval."
)


@dataclass(frozen=True, slots=True)
class Binding:
    """What an answer is given for. `action` and `policy` are the SHA-256 under which they are recorded; `cwd` is where
    the action runs, on which its effect may depend."""

    agent: str | None
    session: str | None
    cwd: str | None
    action: str
    policy: str

    def name(self) -> str:
        """The question's name: the SHA-256 of all of it."""
        return hashlib.sha256(orjson.dumps(asdict(self), option=orjson.OPT_SORT_KEYS)).hexdigest()


@dataclass(frozen=True, slots=True)
class Approval:
    """How a question stands.

    `judged` is what the specialists said, `over` whose objections a person is asked about. `until` is when callers stop
    waiting (None: they do not wait), `expires` when the question is closed or the answer holds no more; an answer holds
    for `valid_for` seconds. `where` is who may ask: a host its own user, or the queue alone. `by` and `note` are the
    answerer's, `answer` is the address of the answer's record.
    """

    state: State
    binding: Binding
    judged: Verdict
    over: tuple[str, ...]
    until: datetime | None
    expires: datetime
    valid_for: float
    where: Literal["host", "queue"] = "host"
    by: str = ""
    note: str = ""
    answer: str = ""

    @property
    def name(self) -> str:
        """The question's name, under which it is answered."""
        return self.binding.name()

    def seconds_left(self, now: datetime | None = None) -> float:
        """How long a caller still waits for the answer."""
        if self.state != "asked" or self.until is None:
            return 0.0
        return max((self.until - (now or datetime.now(UTC))).total_seconds(), 0.0)

    def verdict(self, otherwise: str) -> Verdict:
        """What becomes of the action: it runs only when it is approved, or where nobody has answered and the policy
        says what `otherwise`."""
        if self.state == "approved":
            return Verdict.FLAG
        if self.state == "unanswered" and otherwise != "block":
            return self.judged if otherwise == "judged" else Verdict.FLAG
        return Verdict.BLOCK

    def said(self) -> dict[str, Any]:
        """What a stopped agent is told of it."""
        if self.state == "asked":
            return {"approval": self.name[:SHORT], "next": _ASKED}
        return {"note": self.note} if self.state == "denied" and self.note else {}

    def to_json(self) -> dict[str, Any]:
        """As printed, recorded and sent."""
        told: dict[str, Any] = {
            "state": self.state,
            "id": self.name,
            "judged": self.judged.label,
            "over": list(self.over),
            "until": self.until.isoformat() if self.until else None,
            "expires": self.expires.isoformat(),
            "valid_for": self.valid_for,
            "where": self.where,
            "binding": asdict(self.binding),
        }
        return told | {key: value for key in ("by", "note", "answer") if (value := getattr(self, key))}


def approval_of(told: Mapping[str, Any]) -> Approval:
    """A recorded or sent approval. KeyError, TypeError or ValueError where it is none."""
    if told["state"] not in get_args(State):
        raise ValueError(f"{told['state']!r} is no state of a question")
    approval = Approval(
        told["state"],
        Binding(**told["binding"]),
        Verdict.named(told["judged"]),
        tuple(told["over"]),
        datetime.fromisoformat(told["until"]) if told["until"] else None,
        datetime.fromisoformat(told["expires"]),
        float(told["valid_for"]),
        told["where"],
        told.get("by", ""),
        told.get("note", ""),
        told.get("answer", ""),
    )
    if approval.name != told["id"]:
        raise ValueError("its name is not what it is bound to")
    return approval
