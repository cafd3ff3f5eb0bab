"""Approval by a person: what the question is bound to, its state, and the verdict that follows from the state.

An approval holds once, until it expires, for one actor, one exact action in one directory, one policy and one set of
objections. If any of these differs, it is a different question.
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
SHORT = 12  # digits of a question's name in output for people
_ASKED = (
    "A person is asked. Do not try it in another form. Go on with something else and propose exactly this again once it"
    " is approved, or report that it waits for approval."
)


@dataclass(frozen=True, slots=True)
class Binding:
    """What an answer applies to. `action` and `policy` are the SHA-256 of the recorded values. `cwd` is the directory
    in which the action runs: its effect may depend on it."""

    agent: str | None
    session: str | None
    cwd: str | None
    action: str
    policy: str

    def name(self) -> str:
        """The question's name: the SHA-256 of the whole binding."""
        return hashlib.sha256(orjson.dumps(asdict(self), option=orjson.OPT_SORT_KEYS)).hexdigest()


@dataclass(frozen=True, slots=True)
class Approval:
    """The state of a question.

    `judged` is the verdict of the specialists; `over` names the specialists whose objections the person may overrule.
    `until` is when callers stop waiting (None: they do not wait). `expires` is when the question closes or the answer
    stops being valid; an answer is valid for `valid_for` seconds. `where` is the place of the question: the host may
    ask its own user (`host`), or only the queue asks (`queue`). `by` and `note` come from the person who answered.
    `answer` is the address of the answer's record.
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
        """The seconds that a caller still waits for the answer."""
        if self.state != "asked" or self.until is None:
            return 0.0
        return max((self.until - (now or datetime.now(UTC))).total_seconds(), 0.0)

    def verdict(self, otherwise: str) -> Verdict:
        """The verdict on the action: it runs only if it is approved, or if no answer came in time and the policy's
        `otherwise` lets it run."""
        if self.state == "approved":
            return Verdict.FLAG
        if self.state == "unanswered" and otherwise != "block":
            return self.judged if otherwise == "judged" else Verdict.FLAG
        return Verdict.BLOCK

    def for_agent(self) -> dict[str, Any]:
        """The part of a stopped agent's message that concerns the approval."""
        if self.state == "asked":
            return {"approval": self.name[:SHORT], "next": _ASKED}
        return {"note": self.note} if self.state == "denied" and self.note else {}

    def to_json(self) -> dict[str, Any]:
        """The approval as printed, recorded and sent."""
        values: dict[str, Any] = {
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
        return values | {key: value for key in ("by", "note", "answer") if (value := getattr(self, key))}


def approval_of(values: Mapping[str, Any]) -> Approval:
    """The approval in recorded or sent values. Raises KeyError, TypeError or ValueError for anything else."""
    if values["state"] not in get_args(State):
        raise ValueError(f"{values['state']!r} is no state of a question")
    approval = Approval(
        values["state"],
        Binding(**values["binding"]),
        Verdict.named(values["judged"]),
        tuple(values["over"]),
        datetime.fromisoformat(values["until"]) if values["until"] else None,
        datetime.fromisoformat(values["expires"]),
        float(values["valid_for"]),
        values["where"],
        values.get("by", ""),
        values.get("note", ""),
        values.get("answer", ""),
    )
    if approval.name != values["id"]:
        raise ValueError("its name is not what it is bound to")
    return approval
