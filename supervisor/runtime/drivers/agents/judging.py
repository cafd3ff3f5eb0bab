"""The guard of one agent: it answers the events of the agent's hooks, whoever carries them."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio

from supervisor.adapters.hooks import Host, answer
from supervisor.adapters.hooks.host import WITHIN, Moment
from supervisor.decision.decision import Decision
from supervisor.engine.protocol import Engine
from supervisor.engine.session import Session
from supervisor.errors import SupervisorError
from supervisor.runtime.drivers.agents.notes import write_private

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the guard says to an event: a refusal with its `reason`, or else `output`, an answer in the host's own form.
    `decision` is None where no decision was needed, or none was reached."""

    moment: Moment
    refused: bool
    reason: str = ""
    output: Mapping[str, Any] | None = None
    decision: Decision | None = None


class AgentGuard:
    """Judges what one agent does, in a session of its own, which knows its task from the beginning. A fault of the
    guard refuses."""

    def __init__(self, host: Host, engine: Engine, session: Session) -> None:
        self._host, self._engine, self.session = host, engine, session

    async def answer(self, payload: Any) -> Answer:
        """The answer to a hook's event."""
        try:
            with anyio.fail_after(WITHIN):
                return await self._answer(payload)
        except TimeoutError:
            return self._failed(payload, f"no decision within {WITHIN} s")
        except SupervisorError as error:
            return self._failed(payload, f"{error.code}: {error}")
        except Exception as error:  # noqa: BLE001 - an error as an answer would let the action run
            _log.exception("answering a hook of %s", self._host.name)
            return self._failed(payload, f"{type(error).__name__}: {error}")

    def remember(self, file: Path) -> None:
        """Stores what the guard knows of the session, for the attempt that goes on with it. Raises OSError."""
        write_private(file, json.dumps(self.session.to_json()))

    async def _answer(self, payload: Any) -> Answer:
        event = self._host.read(payload if isinstance(payload, Mapping) else {})
        if event.moment == "asked":  # the session knows the task; the agent is told other things as well
            return Answer("asked", refused=False)
        decision, reply = await answer(self._host, event, self._engine, self.session)
        output = None if reply.refused or not reply.text else json.loads(reply.text)
        return Answer(event.moment, reply.refused, reply.text.strip() if reply.refused else "", output, decision)

    def _failed(self, payload: Any, problem: str) -> Answer:
        """A refusal, except of what can no longer be prevented."""
        name = payload.get("hook_event_name") if isinstance(payload, Mapping) else None
        moment = self._host.events.get(name, "before") if isinstance(name, str) else "before"
        _log.error("the guard of %s has failed: %s", self._host.name, problem)
        reason = f"Supervisor: guard_failed: {problem}. Nothing runs unjudged; report this."
        return Answer(moment, moment == "before", reason)


def agent_guard(host: Host, engine: Engine, task: str, prompt: str, folder: Path, remembered: Path) -> AgentGuard:
    """The guard of the agent of a task. What an earlier attempt has `remembered` in that file goes on; a file that
    cannot be read is begun anew. Raises SupervisorError."""
    session = _session_in(remembered)
    if session is None:
        session = Session(host.name, prompt, {"cwd": str(folder), "workspace": str(folder)}, f"task:{task}")
    return AgentGuard(host, engine, session)


def _session_in(file: Path) -> Session | None:
    try:
        return Session.of_json(json.loads(file.read_bytes()))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, SupervisorError) as error:
        _log.warning("%s: what the guard remembered is lost: %s", file, error)
        return None
