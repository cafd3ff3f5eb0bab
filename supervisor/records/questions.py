"""What a person is asked, and what a person has said, as their records tell it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, get_args

from supervisor.decision.approval import Approval, approval_of
from supervisor.errors import BadInput

Word = Literal["approved", "denied"]
PERSON = ("terminal", "daemon")  # where whoever answers has shown what an agent has not got: a terminal, or the token


class NotAsked(BadInput):
    """There is no such question, or it has been answered."""

    code = "not_asked"


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked: the decision that asks, as recorded, and its record's address."""

    approval: Approval
    decision: dict[str, Any]
    record: str

    def to_json(self) -> dict[str, Any]:
        """For whoever is to answer."""
        told = {key: self.decision[key] for key in ("time", "session", "action", "opinions")}
        objections = [each for each in told.pop("opinions") if each["specialist"] in self.approval.over]
        return {"id": self.approval.name, **told, "objections": objections} | {
            "approval": self.approval.to_json(),
            "record": self.record,
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person has said, to what, and until when that holds. `via` is how it was given (one of `PERSON`,
    `program`, or a host's name), `action` and `record` are the addresses of the action and of the answer's record."""

    word: Word
    name: str
    by: str
    note: str
    over: tuple[str, ...]
    given: datetime
    expires: datetime
    via: str
    action: str
    record: str

    def covers(self, over: Iterable[str]) -> bool:
        """Whether it holds for an action to which these object. A denial does whoever else does; an approval only
        where nobody does of whom its giver was not told."""
        return self.word == "denied" or set(over) <= set(self.over)

    def to_json(self) -> dict[str, Any]:
        """For whoever has answered."""
        told = {"id": self.name, "answer": self.word, "by": self.by, "note": self.note, "record": self.record}
        return told | {"expires": self.expires.isoformat()}


def question_of(kind: str, told: dict[str, Any], record: str) -> Question:
    """The question that a decision's record asks. KeyError, TypeError or ValueError where it asks none."""
    if kind != "decision":
        raise ValueError("no decision")
    approval = approval_of(told["approval"])
    if approval.state != "asked":
        raise ValueError("no question")
    return Question(approval, told, record)


def answer_of(kind: str, told: dict[str, Any], record: str) -> Answer:
    """The answer that a record gives. KeyError, TypeError or ValueError where it gives none."""
    if kind != "approval" or told["answer"] not in get_args(Word):
        raise ValueError("no answer")
    about = (told["approval"], told["by"], told["note"], tuple(told["over"]))
    times = (datetime.fromisoformat(told["time"]), datetime.fromisoformat(told["expires"]))
    return Answer(told["answer"], *about, *times, told["via"], told["binding"]["action"], record)


def use_of(answer: Answer, now: datetime) -> dict[str, Any]:
    """What the record of an approval's use says. It is written before the decision that the approval lets through."""
    return {"time": now.isoformat(), "approval": answer.name, "answer": answer.record}


def predicate_of(question: Question, word: str, by: str, note: str, via: str, now: datetime) -> dict[str, Any]:
    """What the record of an answer says."""
    approval = question.approval
    return {
        "time": now.isoformat(),
        "answer": word,
        "by": by,
        "note": note,
        "via": via,
        "approval": approval.name,
        "binding": approval.to_json()["binding"],
        "over": list(approval.over),
        "decision": question.decision["id"],
        "record": question.record,
        "expires": (now + timedelta(seconds=approval.valid_for)).isoformat(),
    }
