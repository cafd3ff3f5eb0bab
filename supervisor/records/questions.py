"""Questions to a person and the person's answers, read from their records."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, get_args

from supervisor.decision.approval import Approval, approval_of
from supervisor.errors import BadInput

Word = Literal["approved", "denied"]
# Ways to answer that an agent does not have: a terminal, the daemon's token, or a console that was opened with it.
PERSON = ("terminal", "daemon", "console")


class NotAsked(BadInput):
    """There is no such question, or it is already answered."""

    code = "not_asked"


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a person: the recorded decision that asks it, and the address of that record."""

    approval: Approval
    decision: dict[str, Any]
    record: str

    def to_json(self) -> dict[str, Any]:
        """The question as shown to the person who answers."""
        values = {key: self.decision[key] for key in ("time", "session", "action", "opinions")}
        objections = [each for each in values.pop("opinions") if each["specialist"] in self.approval.over]
        return {"id": self.approval.name, **values, "objections": objections} | {
            "approval": self.approval.to_json(),
            "record": self.record,
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """A person's answer. `via` is how it was given (one of `PERSON`, `program`, or a host's name). `over` names the
    specialists whose objections it overrules. `action` and `record` are the addresses of the action and of the answer's
    record."""

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
        """Whether the answer applies to an action with objections of these specialists. A denial always does; an
        approval only if it overrules all of them."""
        return self.word == "denied" or set(over) <= set(self.over)

    def to_json(self) -> dict[str, Any]:
        """The answer as shown to the person who gave it."""
        values = {"id": self.name, "answer": self.word, "by": self.by, "note": self.note, "record": self.record}
        return values | {"expires": self.expires.isoformat()}


def question_of(kind: str, predicate: dict[str, Any], record: str) -> Question:
    """The question in a decision's record. Raises KeyError, TypeError or ValueError if there is none."""
    if kind != "decision":
        raise ValueError("no decision")
    approval = approval_of(predicate["approval"])
    if approval.state != "asked":
        raise ValueError("no question")
    return Question(approval, predicate, record)


def answer_of(kind: str, predicate: dict[str, Any], record: str) -> Answer:
    """The answer in a record. Raises KeyError, TypeError or ValueError if there is none."""
    if kind != "approval" or predicate["answer"] not in get_args(Word):
        raise ValueError("no answer")
    about = (predicate["approval"], predicate["by"], predicate["note"], tuple(predicate["over"]))
    times = (datetime.fromisoformat(predicate["time"]), datetime.fromisoformat(predicate["expires"]))
    return Answer(predicate["answer"], *about, *times, predicate["via"], predicate["binding"]["action"], record)


def use_of(answer: Answer, now: datetime) -> dict[str, Any]:
    """The predicate of the record that an approval is used. It is written before the decision that it approves."""
    return {"time": now.isoformat(), "approval": answer.name, "answer": answer.record}


def predicate_of(question: Question, word: str, by: str, note: str, via: str, now: datetime) -> dict[str, Any]:
    """The predicate of an answer's record."""
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
