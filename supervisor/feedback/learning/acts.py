"""Recorded actions with what was known: those that labels are about, and the newest ones to try a rule on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from supervisor.action import Action, Context
from supervisor.engine.replay import seen_in
from supervisor.errors import BadRecord
from supervisor.feedback.rows import summary_of
from supervisor.records.newest import newest
from supervisor.records.read import records_in
from supervisor.records.verify import segment_paths

NEWEST = 1_000  # decisions on which a rule is tried
_KINDS = ("decision", "outcome")


@dataclass(frozen=True, slots=True)
class Act:
    """A recorded action. The context of one of the newest is not read."""

    record: str
    id: str
    time: str
    verdict: str
    action: Action
    context: Context

    @property
    def summary(self) -> str:
        """The action on one line."""
        return summary_of({"tool": self.action.tool, "args": self.action.args})


def acts_of(folder: Path, wanted: Collection[str]) -> dict[str, Act]:
    """The actions with these addresses, each with the context that its specialists saw. What cannot be read is left
    out."""
    found: dict[str, Act] = {}
    for path in segment_paths(folder):
        for record in records_in(path):
            if record.address not in wanted or record.kind not in _KINDS:
                continue
            try:
                told, (action, context) = record.predicate, seen_in(record)
                parts = (str(told["id"]), str(told["time"]), str(told["decision"]["verdict"]))
                found[record.address] = Act(record.address, *parts, action, context)
            except (BadRecord, KeyError, TypeError, ValueError):  # any program with the key can write a line
                continue
    return found


def newest_acts(folder: Path) -> list[Act]:
    """The newest decisions, oldest first. What cannot be read is left out."""
    found: list[Act] = []
    for each in newest(folder, NEWEST, lambda record: record.kind == "decision", lambda _: None):
        try:
            told = each.predicate
            parts = (str(told["id"]), str(told["time"]), str(told["decision"]["verdict"]))
            found.append(Act(each.address, *parts, Action(**told["action"]), Context()))
        except (KeyError, TypeError):
            continue
    return found
