"""What is known of a host: how its events read, and where its settings stand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from supervisor.errors import BadInput

Moment = Literal["asked", "before", "after", "finish"]
OnFailure = Literal["closed", "open", "observe"]
TIMEOUT = 60  # seconds after which a host gives up on a hook, as its settings say; all but Cursor may run the action
WITHIN = 50  # seconds in which our client answers; the rest is for the host's shell, and for a machine that is busy


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that a host tells.

    `before` and `after` a tool call have `tool` and `args`, and `after` its `output`; what the user has `asked` and
    what an agent says at its `finish` is `text`. `is_again` tells that the agent is finishing because a refusal to
    finish made it go on. `call` is the host's name for the call, and `can_pause` tells that its user is asked where the
    hook says so. `response` is the `output` in the host's own wrapping, `transcript` the file with all that was said.
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

    `events` names its events with what happens to them where the guard itself fails: `before` ones are refused (or
    not, where the policy says so), the others are told to whoever looks at the agent's log. `entry` makes one setting
    from an event's name and a command. `facts` are what specialists have to know of the host. `echoes` says that a
    refusal's text is read from stdout. `pause` makes the answer after which the host asks its user,
    `withhold` the one after which its agent reads a message instead of a result; None where that result has to stand.
    `refused` finds the calls that its user has refused in a transcript, where no event tells of them.
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
    refused: Callable[[str, Collection[str]], list[tuple[str, str]]] | None = None
    withhold: Callable[[Event, str], dict[str, Any] | None] | None = None

    def settings(self, place: Path) -> Path:
        """The settings file in a project's folder or a home."""
        return place / self.folder / self.file


def moment(payload: Mapping[str, Any], events: Mapping[str, Moment]) -> Moment:
    """What kind of event it is. BadInput for one that we have not asked for: it may be a tool call under a new name."""
    name = text(payload, "hook_event_name")
    if name not in events:
        raise BadInput(f"{name!r} is none of {', '.join(events)}", place="hook_event_name")
    return events[name]


def text(payload: Mapping[str, Any], key: str) -> str:
    """The text under `key`; empty where there is none. BadInput for anything else."""
    value = payload.get(key)
    if value is not None and not isinstance(value, str):
        raise BadInput("text is expected", place=key)
    return value or ""


def arguments(payload: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """A tool's arguments. BadInput for what is no object."""
    value = payload.get(key)
    if not isinstance(value, Mapping):
        raise BadInput("an object is expected", place=key)
    return value
