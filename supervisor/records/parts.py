"""The parts of a decision's record that its segment stores under their addresses: what its specialists saw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from supervisor.action import Step
from supervisor.errors import BadRecord
from supervisor.records.codec import answers_of
from supervisor.records.read import Record


@dataclass(slots=True)
class Parts:
    """The context of a decision, who was asked, and what doors answered, by specialist. `missing` names what the
    journal does not have."""

    task: str | None = None
    agent: str | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    history: list[Step] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    answers: dict[str, Any] = field(default_factory=dict)
    library: str = ""
    missing: list[str] = field(default_factory=list)


def parts_of(stored: Record) -> Parts:
    """The parts of a record. What cannot be read is named in `missing`: the rest is still there."""
    predicate, parts = stored.predicate, Parts()

    def part(name: str, read: Callable[[], Any], otherwise: Any) -> Any:
        try:
            return read()
        except (BadRecord, KeyError, TypeError, ValueError, AttributeError) as error:
            parts.missing.append(f"{name}: {error}")
            return otherwise

    scene = part("scene", lambda: dict(stored.content(predicate["scene"])), {})
    parts.task, parts.agent, parts.facts = scene.get("task"), scene.get("agent"), dict(scene.get("facts") or {})
    parts.history = part("history", lambda: stored.history(predicate["history"]), [])
    parts.asked = part("asked", lambda: list(stored.content(predicate["asked"])), [])
    parts.answers = dict(part("answers", lambda: answers_of(predicate["answers"], stored.content), {}))
    versions = part("versions", lambda: dict(stored.content(predicate["versions"])), {})
    parts.library = str(versions.get("supervisor", ""))
    return parts
