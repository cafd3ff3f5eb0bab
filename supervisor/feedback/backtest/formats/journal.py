"""Supervisor's own signed records: each decision with the action and the context that the specialists saw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from supervisor.engine.replay import seen_in
from supervisor.errors import BadRecord, SupervisorError
from supervisor.feedback.backtest.formats.lines import Report, string
from supervisor.feedback.backtest.sessions import Called, PastSession
from supervisor.records.read import Record, records_in


def matches(first: Mapping[str, Any]) -> bool:
    """Whether a segment begins with this line."""
    return {"sha256", "content"} <= first.keys() or isinstance(first.get("payload"), str)


def read(path: Path, report: Report) -> Iterator[PastSession]:
    """A session for each decision, since each record names its own history. `supervisor verify` checks signatures."""

    def unread(error: BadRecord) -> None:
        report(str(path.parent / (error.place or path.name)), error.message)

    for record in records_in(path, unread):
        if record.kind == "decision":
            try:
                yield _session(record, path)
            except (SupervisorError, KeyError, TypeError, ValueError) as error:
                report(str(path.parent / record.place), f"is no record of a decision: {error}")


def _session(record: Record, path: Path) -> PastSession:
    action, context = seen_in(record)
    session = PastSession(context.session or record.address, string(context.facts.get("cwd")))
    session.say(context.task or "")
    time = string(record.predicate.get("time"))
    place = str(path.parent / record.place)
    session.call(Called(action.tool, action.args, place, time, seen=(action, context)))
    return session
