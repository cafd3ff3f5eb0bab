"""Checks that every approval that let an action run was given for that action, was valid, and was used once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any


class ApprovalCheck:
    """Collects a journal's records as they are read, in any order; `problems` then lists every approval that is not
    proven."""

    def __init__(self) -> None:
        self._answers: dict[str, Mapping[str, Any]] = {}
        self._used: list[tuple[str, Mapping[str, Any]]] = []
        self._uses: list[tuple[str, str]] = []

    def note(self, place: str, kind: str, predicate: Mapping[str, Any], address: str) -> None:
        """Adds one verified record."""
        if kind == "approval":
            self._answers[address] = predicate
        elif kind == "decision" and _state(predicate) == "approved":
            self._used.append((place, predicate))
        elif kind == "use":
            self._uses.append((place, str(predicate.get("answer"))))

    def problems(self) -> Iterator[tuple[str, str, str]]:
        """Place, code and message of each use that is not proven."""
        used: set[str] = set()
        for place, address in self._uses:
            if address in used:
                yield place, "approval_reused", "the same approval was used before"
            used.add(address)
        spent: set[str] = set()
        for place, decision in self._used:
            address = str(decision["approval"].get("answer"))
            if address in spent:
                yield place, "approval_reused", "another action was let through by the same approval"
            elif (answer := self._answers.get(address)) is None:
                yield place, "approval_missing", "the approval that let its action through is not there"
            elif why := _against(decision, answer):
                yield place, "approval_differs", f"the approval that let its action through {why}"
            spent.add(address)


def _state(predicate: Mapping[str, Any]) -> str:
    approval = predicate.get("approval")
    return str(approval.get("state")) if isinstance(approval, dict) else ""


def _against(decision: Mapping[str, Any], answer: Mapping[str, Any]) -> str:
    """Why an answer does not approve this decision; empty if it does."""
    approval = decision["approval"]
    try:
        if answer["answer"] != "approved":
            return "is none"
        if answer["binding"] != approval["binding"] or not set(approval["over"]) <= set(answer["over"]):
            return "was given for something else"
        is_late = datetime.fromisoformat(decision["time"]) >= datetime.fromisoformat(answer["expires"])
        return "had expired" if is_late else ""
    except (KeyError, TypeError, ValueError):
        return "cannot be read"
