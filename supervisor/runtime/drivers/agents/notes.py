"""What the next attempt has to know of an agent's session, kept in the task's home."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from supervisor.evidence.secrets import LEAST_SALT, Masker
from supervisor.runtime.drivers.agents.observation import Kind, Observation
from supervisor.runtime.drivers.agents.parking import answered
from supervisor.runtime.drivers.driver import Job
from supervisor.runtime.tasks.outcome import Ending
from supervisor.runtime.tasks.usage import Spent

_log = logging.getLogger(__name__)
_REMEMBERED = 20  # calls that have run
_SHOWN = 300  # characters
_FAILED = "it has failed, or was refused"
_FILE = "session.json"


@dataclass(slots=True)
class Notes:
    """`session` is the agent's name for its session, empty if there is none to go on with. `running` are the calls that
    have begun, by their ids, `ran` the latest that have ended; secrets in them are masked. `deferred` is the call that
    the agent itself will make again, and `usage` what it has said then that the session has spent. `told` says that the
    session has heard its task."""

    session: str = ""
    running: dict[str, str] = field(default_factory=dict)
    ran: list[str] = field(default_factory=list)
    deferred: str = ""
    usage: dict[str, Spent] = field(default_factory=dict)
    told: bool = False

    @classmethod
    def read(cls, home: Path) -> Notes:
        """The notes of the attempt before; empty ones if there are none that can be read."""
        try:
            stored = json.loads((home / _FILE).read_bytes())
            calls = (dict(stored["running"]), list(stored["ran"]), str(stored["deferred"]))
            usage = {str(model): Spent.from_json(spent) for model, spent in stored["usage"].items()}
            return cls(str(stored["session"]), *calls, usage, bool(stored["told"]))
        except FileNotFoundError:
            return cls()
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            _log.warning("%s: the session before cannot be gone on with: %s", home / _FILE, error)
            return cls()

    def write(self, home: Path) -> None:
        """Replaces what is stored. Raises OSError."""
        write_private(home / _FILE, json.dumps(asdict(self)))

    def take(self, observation: Observation) -> bool:
        """Takes in what the agent does. Returns whether that has to be stored."""
        if observation.kind is Kind.TOOL_PROPOSED and observation.call:
            self.running[observation.call] = masked(observation.text)
        elif observation.kind is Kind.TOOL_FINISHED and observation.call in self.running:
            call = self.running.pop(observation.call)
            self.ran = [*self.ran, f"{call} ({_FAILED})" if observation.failed else call][-_REMEMBERED:]
        elif observation.kind is Kind.SESSION_STARTED and observation.text:
            self.session = observation.text
        else:
            return False
        return True

    def cut_off(self, reason: str) -> str:
        """What an agent is told that goes on with a session. What had not ended then is over now."""
        told = [f"You were cut off: {reason or 'the attempt before has ended'}."]
        if self.ran:
            told.append("These calls were over, the latest last:\n" + "\n".join(f"- {call}" for call in self.ran))
        if self.running:
            listed = "\n".join(f"- {call}" for call in self.running.values())
            told.append(f"These were not finished, and may have had a part of their effect:\n{listed}")
            self.running.clear()
        return "\n\n".join([*told, "Look at what is there, then go on with your task:"])

    def goes_on(self, reason: str) -> str:
        """What an agent is told that a limit has stopped: it knows its task, and where it was."""
        unfinished = [f"- {call}" for call in self.running.values()]
        self.running.clear()
        told = f"You were stopped by a limit: {reason} The limit is over. Go on where you were."
        return "\n".join([told, *(["These calls were not finished:", *unfinished] if unfinished else [])])


def words_for(job: Job, notes: Notes) -> str:
    """What an agent is told at the beginning of an attempt: its task, and what has become of the session before."""
    previous, prompt = job.previous, job.spec.prompt
    if not notes.session:
        return prompt
    if said := answered(job.given):
        return f"{said}\n\n{prompt}"
    if previous is not None and notes.told and previous.ending in (Ending.LIMITED, Ending.PARKED):
        return notes.goes_on(previous.reason)
    return f"{notes.cut_off(previous.reason if previous else '')}\n\n{prompt}"


def masked(words: str, most: int = _SHOWN) -> str:
    """The beginning of what an agent says, without secrets."""
    return Masker(os.urandom(LEAST_SALT)).mask_text(words)[:most]


def write_private(file: Path, content: str) -> None:
    """Replaces a file, which only its owner may read, in one step. Raises OSError."""
    fresh = file.with_name(f".{file.name}.new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
        opened.write(content)
    os.replace(fresh, file)


def shown_call(tool: str, args: Mapping[str, Any]) -> str:
    """A call as a line."""
    return f"{tool} {json.dumps(args, ensure_ascii=False)}"
