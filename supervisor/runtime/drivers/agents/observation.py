"""What an agent does, in words that all drivers share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from supervisor.runtime.processes.states import Event
from supervisor.runtime.tasks.usage import Usage


class Kind(StrEnum):
    """What was observed."""

    SESSION_STARTED = "session_started"
    TURN_STARTED = "turn_started"
    MESSAGE = "message"
    TOOL_PROPOSED = "tool_proposed"
    TOOL_FINISHED = "tool_finished"
    AWAITING_APPROVAL = "awaiting_approval"
    AWAITING_ANSWER = "awaiting_answer"
    USAGE = "usage"
    QUOTA = "quota"
    WARNING = "warning"
    TURN_ENDED = "turn_ended"


# What the watch over the process hears of each; anything else is a sign of life.
EVENTS: Mapping[Kind, Event] = {
    Kind.TURN_STARTED: Event.TURN_STARTED,
    Kind.TOOL_PROPOSED: Event.TOOL_STARTED,
    Kind.TOOL_FINISHED: Event.TOOL_ENDED,
    Kind.AWAITING_APPROVAL: Event.APPROVAL_ASKED,
    Kind.QUOTA: Event.QUOTA_REACHED,
}


@dataclass(frozen=True, slots=True)
class Observation:
    """`text` is the message, the proposed call, or why a turn ended. `call` is the agent's id of a tool call. `failed`
    is whether the tool or the turn has failed. `usage` is what the attempt has spent so far, as the agent counts.
    `until` is when a quota is there again, in seconds since 1970."""

    kind: Kind
    text: str = ""
    call: str = ""
    failed: bool = False
    usage: Usage | None = None
    until: float | None = None


def mapping(value: Any, *path: str) -> Mapping[str, Any]:
    """The object at a path inside a value; an empty one if there is none. What an agent prints is no proof of
    anything, so whatever has another form than expected counts as absent."""
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def objects(value: Any, *path: str) -> list[Mapping[str, Any]]:
    """The objects in the list at a path."""
    found = mapping(value, *path[:-1]).get(path[-1])
    return [each for each in found if isinstance(each, Mapping)] if isinstance(found, list) else []


def text(value: Any, *path: str) -> str:
    """The text at a path; empty if there is none."""
    found = mapping(value, *path[:-1]).get(path[-1])
    return found if isinstance(found, str) else ""


def count(value: Any, *path: str) -> int:
    """The whole number of 0 or more at a path; 0 if there is none."""
    found = mapping(value, *path[:-1]).get(path[-1])
    return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else 0


def number(value: Any, *path: str) -> float | None:
    """The finite number at a path."""
    found = mapping(value, *path[:-1]).get(path[-1])
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        return None
    return float(found) if abs(found) < _LARGEST else None


_LARGEST = 1e15
