"""Journals with decisions and labels that a test writes itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from supervisor.feedback.labelling import give
from supervisor.history import address_of
from supervisor.records.codec import content
from supervisor.records.envelope import Signer, open_signer
from supervisor.records.journal import Journal
from supervisor.records.labels import Label

START = datetime(2026, 11, 2, 12, tzinfo=UTC)  # a Monday


def at(minute: float) -> datetime:
    return START + timedelta(minutes=minute)


class Machine:
    """A folder of records and its key."""

    def __init__(self, folder: Path, **limits: Any) -> None:
        self.records = folder / "records"
        self.signer: Signer = open_signer(folder / "key.pem")
        self.journal = Journal(self.records, self.signer, **limits)

    def decide(
        self,
        command: str = "touch block",
        verdict: str = "block",
        minute: float = 0,
        session: str | None = "s1",
        specialist: str = "touches_block",
        **changed: Any,
    ) -> str:
        """One decision; the address of its record."""
        by = [specialist] if verdict != "ok" else []
        opinion = {"specialist": specialist, "verdict": verdict, "confidence": 0.9, "reason": "it touches"}
        action = {"tool": "bash", "args": {"command": command}, "kind": "shell", "fields": {"command": "command"}}
        action |= changed.pop("action", {})
        scene = content({"task": "t", "agent": changed.pop("agent", "builder"), "facts": {"cwd": "/srv/app"}})
        predicate: dict[str, Any] = {
            "id": address_of(f"{command} {minute} {session}".encode())[:32],
            "time": at(minute).isoformat(),
            "session": session,
            "action": action,
            "scene": scene[0],
            "opinions": [opinion, *changed.pop("losses", ())] if by else list(changed.pop("losses", ())),
            "decision": {"verdict": verdict, "by": by, "review": verdict == "flag"},
            "elapsed_ms": 2.0,
        }
        kind = changed.pop("kind", "decision")
        line = self.journal.append(kind, predicate | changed, address_of(content(action)[1]), [scene])
        return address_of(line)

    def label(self, record: str, word: Any = "wrong", by: str = "ann", minute: float = 60, **parts: str) -> Label:
        return give(self.journal, self.signer, replace(Label(record, word, by, at(minute), "terminal"), **parts))

    def deny(self, record: str, minute: float = 30) -> None:
        binding = {"agent": None, "session": "s1", "cwd": None, "action": "a" * 64, "policy": "p" * 64}
        told = {"time": at(minute).isoformat(), "answer": "denied", "by": "ann", "note": "", "via": "terminal"}
        self.journal.append("approval", told | {"record": record, "binding": binding}, "a" * 64)


def lost(specialist: str = "asks_database", cause: str = "infrastructure") -> dict[str, str]:
    return {"specialist": specialist, "reason": "no database is configured", "cause": cause}


def tree(rows: Sequence[Any]) -> list[Any]:
    return sorted(map(repr, rows))
