"""All that a journal tells about one decision: what came before it, what it was based on, and what came of it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from supervisor.action import Step
from supervisor.cli.log.choice import is_decision
from supervisor.decision.lost_votes import lost_votes_of
from supervisor.errors import BadRecord
from supervisor.history import step_to_json
from supervisor.records.declined import KIND as DECLINED
from supervisor.records.labels import KIND as LABEL
from supervisor.records.newest import Found, Report, newest
from supervisor.records.parts import parts_of
from supervisor.records.read import Record, records_in

_LATER = 20  # later decisions of the session, among which is the first that has the outcome in its history
_KINDS = ("decision", "outcome", "revert", "approval")


@dataclass(slots=True)
class Story:
    """One decision with its scene, its history, the doors' answers, and the records that followed from it.

    `missing` names the parts that the journal does not have. `came_out` is the action's own step in the session's later
    history; None if no later decision of the session shows it. `outcome`, `revert` and `answer` are the predicates of
    the records about its outcome, about undoing it, and of the person's answer; `declined` is that of the "no" of a
    host's user to an action that was let through.
    """

    record: Found
    task: str | None = None
    agent: str | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    history: list[Step] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    answers: dict[str, Any] = field(default_factory=dict)
    library: str = ""
    came_out: Step | None = None
    went_on: bool = False
    outcome: dict[str, Any] | None = None
    revert: dict[str, Any] | None = None
    answer: dict[str, Any] | None = None
    declined: dict[str, Any] | None = None
    labels: list[dict[str, Any]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The record with its parts in place of their addresses."""
        record, predicate = self.record, self.record.predicate
        return {
            "record": record.address,
            "place": record.place,
            "kind": record.kind,
            **predicate,
            "task": self.task,
            "agent": self.agent,
            "facts": self.facts,
            "steps_before": [step_to_json(step) for step in self.history],
            "asked": self.asked,
            "answers": self.answers,
            "lost": [each.to_json() for each in lost_votes_of(predicate["opinions"])],
            "came_out": step_to_json(self.came_out) if self.came_out else None,
            "outcome": self.outcome,
            "revert": self.revert,
            "answer": self.answer,
            "declined": self.declined,
            "labels": self.labels,
            "missing": self.missing,
        }


def story_of(folder: Path, record: Found, report: Report) -> Story:
    """The story of a decision. Raises BadRecord if its segment cannot be read any more."""
    story = Story(record)
    stored = _stored(record)
    _read_parts(story, stored)
    _read_later(folder, story, report)
    return story


def _stored(record: Found) -> Record:
    """The record with the contents of its segment, which `newest` leaves out."""
    for each in records_in(record.path, lambda _: None):
        if each.address == record.address:
            return each
    raise BadRecord("the record is not there any more", place=record.path.name)


def _read_parts(story: Story, stored: Record) -> None:
    parts = parts_of(stored)
    for each in fields(parts):
        setattr(story, each.name, getattr(parts, each.name))


def _read_later(folder: Path, story: Story, report: Report) -> None:
    """Finds the records that followed: the outcome, its undoing, the answer of a person, the session's next steps."""
    record = story.record
    about = record.predicate
    question = about.get("approval", {}).get("id")

    def is_later(each: Found) -> bool:
        if each.kind not in _KINDS or each.address == record.address:
            return False
        if each.kind == "approval":
            return question is not None and bool(each.predicate.get("approval") == question)
        return bool(each.predicate.get("session") == about["session"])

    def note(each: Found) -> None:
        if each.kind == LABEL and each.predicate.get("record") == record.address:
            story.labels.append(each.predicate)
        if each.kind == DECLINED and each.predicate.get("record") == record.address:
            story.declined = each.predicate

    later = _earliest(folder, is_later, note, record, report)
    story.labels.sort(key=lambda label: str(label.get("time")))
    story.answer = next((each.predicate for each in later if each.kind == "approval"), None)
    outcomes = [each for each in later if each.kind == "outcome" and _is_about(each, record)]
    undone = record if record.kind == "outcome" else outcomes[0] if outcomes else None
    story.outcome = outcomes[0].predicate if outcomes else None
    for each in later:
        if each.kind == "revert" and undone is not None and each.predicate.get("outcome") == undone.address:
            story.revert = each.predicate
    if record.kind == "outcome":
        story.came_out = story.history.pop() if story.history else None
    elif about["session"] is not None or story.outcome is not None:
        _find_step(story, [each for each in later if each.kind in ("decision", "outcome")])


def _earliest(
    folder: Path, wanted: Callable[[Found], bool], note: Callable[[Found], None], record: Found, report: Report
) -> list[Found]:
    """The first records that are wanted, from the time of `record` on. `note` sees every record."""
    first: list[Found] = []

    def keep(each: Found) -> bool:
        note(each)
        if wanted(each):
            first.append(each)
            if len(first) > 50 * _LATER:
                first.sort()
                del first[_LATER:]
        return False

    newest(folder, 1, keep, report, since=record.time)
    return sorted(first)[:_LATER]


def _is_about(outcome: Found, record: Found) -> bool:
    """Whether an outcome is that of this action: the same call, the same scene, the same past and one step more."""
    same = ("action", "scene", "session")
    return is_decision(outcome.predicate) and all(
        outcome.predicate.get(key) == record.predicate.get(key) for key in same
    )


def _find_step(story: Story, following: list[Found]) -> None:
    """The action's own step in the past of the first later decision that has more steps."""
    place, action = len(story.history), story.record.predicate["action"]
    wanted = {each.address for each in following}
    for path in dict.fromkeys(each.path for each in following):
        for stored in records_in(path, lambda _: None):  # whoever reads the whole journal reports it
            if stored.address not in wanted:
                continue
            with contextlib.suppress(BadRecord, KeyError, TypeError):  # its own `log show` names what is missing
                past = stored.history(stored.predicate["history"])[place:]
                same = (step for step in past if step.tool == action["tool"] and step.args == action["args"])
                story.came_out = next(same, None)
                if past:
                    story.went_on = True
                    return
