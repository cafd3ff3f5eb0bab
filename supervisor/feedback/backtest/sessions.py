"""A session of the past: what the user said and what the agent called, in order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from supervisor.action import Action, Context

MOST_OUTPUT = 128 * 1024  # characters of an output that are kept
MOST_EVENTS = 50_000  # of one session; later ones are reported as left out


@dataclass(frozen=True, slots=True)
class Said:
    """Words of the user."""

    text: str
    time: str = ""  # ISO 8601, "" if it is not known


@dataclass(slots=True)
class Called:
    """A tool call. `place` is its file and line. `output` is None until a result is read; `refused` means that the
    user did not let it run. `given` is its context as JSON, for a call that brings its own; `seen` are the action and
    the context of a signed record."""

    tool: str
    args: Mapping[str, Any]
    place: str
    time: str = ""
    output: Any = None
    answered: bool = False
    failed: bool = False
    refused: bool = False
    given: Mapping[str, Any] | None = None
    seen: tuple[Action, Context] | None = None

    @property
    def after(self) -> str:
        """What became of the call."""
        if self.refused:
            return "refused by the user"
        if not self.answered:
            return "unknown"
        return "failed" if self.failed else "ran"


@dataclass(slots=True)
class PastSession:
    """One agent at work, as a file has it. `project` is its working directory, "" if it is not known."""

    id: str
    project: str = ""
    events: list[Said | Called] = field(default_factory=list)
    left_out: int = 0  # events beyond MOST_EVENTS

    def say(self, text: str, time: str = "") -> None:
        """Adds words of the user, unless the same words came just before in another form."""
        words = text.strip()
        last = self.events[-1] if self.events else None
        if words and not (isinstance(last, Said) and last.text == words):
            self._add(Said(words, time))

    def call(self, called: Called) -> Called:
        """Adds a tool call."""
        self._add(called)
        return called

    def _add(self, event: Said | Called) -> None:
        if len(self.events) < MOST_EVENTS:
            self.events.append(event)
        else:
            self.left_out += 1


def answer(called: Called, output: Any, *, failed: bool = False) -> None:
    """Adds the result of a call."""
    called.output = output[:MOST_OUTPUT] if isinstance(output, str) else output
    called.answered, called.failed = True, failed
