"""The description of a host: the form of its events, and the place of its settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from supervisor.errors import BadInput

Moment = Literal["asked", "before", "after", "finish"]
OnFailure = Literal["closed", "open", "observe"]
TIMEOUT = 60  # seconds of a hook in the host's settings; after that, all hosts but Cursor may run the action
WITHIN = 50  # seconds in which our client answers; the rest is for the host's shell and a busy machine


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a host.

    `before` and `after` a tool call have `tool` and `args`, and `after` its `output`. `text` is the user's prompt
    (`asked`) or the agent's last message (`finish`). `is_again` is whether the agent finishes again after a refused
    finish. `call` is the host's id of the call. `can_pause` is whether the host can ask its user. `response` is the
    `output` in the host's own form, `transcript` the file with the session's messages.
    """

    moment: Moment
    session: str
    cwd: str | None = None
    agent: str | None = None
    tool: str = ""
    args: Mapping[str, Any] = field(default_factory=dict)
    output: Any = None
    failed: bool = False
    text: str = ""
    is_again: bool = False
    call: str = ""
    can_pause: bool = False
    response: Any = None
    transcript: str = ""


@dataclass(frozen=True, slots=True)
class Host:
    """A command-line agent that runs hooks.

    `events` maps its events to moments. If the guard itself fails, `before` events are refused (or not, as the policy
    says), and the others write a message to the agent's log. `entry` makes one entry of the settings from an event's
    name and a command. `facts` are the host's facts for specialists. `echoes` is whether the host reads a refusal's
    text from stdout. `pause` makes the answer after which the host asks its user; `withhold` the one after which its
    agent reads a message instead of a result, or None if the result cannot be replaced. `refused` finds the calls in a
    transcript that the user has refused, for hosts without an event for that: among calls with the time, in ISO 8601,
    since which each is known. `tell` makes the answer to a finished
    turn that shows the user a text, which the agent does not read.
    """

    name: str
    title: str
    read: Callable[[Mapping[str, Any]], Event]
    folder: str
    file: str
    events: Mapping[str, Moment]
    entry: Callable[[str, str], dict[str, Any]]
    canary: Callable[[str], dict[str, Any]]
    frame: Mapping[str, Any] = field(default_factory=dict)
    home: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    echoes: bool = False
    note: str = ""
    pause: Callable[[str], dict[str, Any]] | None = None
    refused: Callable[[str, Mapping[str, str]], list[tuple[str, str]]] | None = None
    withhold: Callable[[Event, str], dict[str, Any] | None] | None = None
    tell: Callable[[str], dict[str, Any]] | None = None

    def settings(self, place: Path) -> Path:
        """The settings file in a project's folder or a home."""
        return place / self.folder / self.file


def moment(payload: Mapping[str, Any], events: Mapping[str, Moment]) -> Moment:
    """The moment of an event. Raises BadInput for an unknown event: it may be a tool call under a new name."""
    name = text(payload, "hook_event_name")
    if name not in events:
        raise BadInput(f"{name!r} is none of {', '.join(events)}", place="hook_event_name")
    return events[name]


def text(payload: Mapping[str, Any], key: str) -> str:
    """The text under `key`; "" if there is none. Raises BadInput for any other value."""
    value = payload.get(key)
    if value is not None and not isinstance(value, str):
        raise BadInput("text is expected", place=key)
    return value or ""


def arguments(payload: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """A tool's arguments. Raises BadInput if they are no object."""
    value = payload.get(key)
    if not isinstance(value, Mapping):
        raise BadInput("an object is expected", place=key)
    return value
