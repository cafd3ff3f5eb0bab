"""Tool calls that wait for the client's user. The guard asks the user by elicitation, as a server would."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from supervisor.adapters.mcp.messages import key_of, written
from supervisor.adapters.proposed import Proposed

MAX_HELD = 100  # calls that wait at once; further ones are refused with a question in the queue
MAX_SHOWN = 2_000  # characters of a call
_SCHEMA = {
    "type": "object",
    "properties": {
        "approve": {"type": "boolean", "title": "Let it run", "description": "This call, this once."},
        "note": {"type": "string", "title": "Note", "description": "A note for the agent."},
    },
    "required": ["approve"],
}


@dataclass(frozen=True, slots=True)
class Held:
    """A call that waits: its line, its message, its judgment, and the call to judge again."""

    line: bytes
    message: dict[str, Any]
    proposed: Proposed
    call: dict[str, Any]


class Asking:
    """The calls of one connection that wait."""

    def __init__(self) -> None:
        self._mark = f"supervisor-{os.urandom(8).hex()}-"  # the prefix of our requests' ids; no server can guess it
        self._held: dict[str, Held] = {}
        self._asked = 0
        self._can = False

    def introduced(self, message: dict[str, Any]) -> None:
        """Reads the client's capabilities from `initialize`. From the revision of 2026-07-28 on, clients do not send
        it, and servers ask only in their answers."""
        params = message.get("params")
        able = params.get("capabilities") if isinstance(params, dict) else None
        elicits = able.get("elicitation") if isinstance(able, dict) else None
        self._can = isinstance(elicits, dict) and (not elicits or "form" in elicits)

    @property
    def can(self) -> bool:
        """Whether one more call may wait."""
        return self._can and len(self._held) < MAX_HELD

    def ask(self, held: Held) -> bytes:
        """Holds a call, and returns the request to the client."""
        self._asked += 1
        id = f"{self._mark}{self._asked}"
        self._held[id] = held
        reason = held.proposed.decision.reason if held.proposed.decision else ""
        shown = f"{held.call['tool']} {held.call['args']}"[:MAX_SHOWN]
        params = {"message": f"Supervisor: {reason} Let it run anyway? {shown}", "requestedSchema": _SCHEMA}
        return written({"jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": params})

    def is_ours(self, message: Any) -> bool:
        """Whether a message of the client answers one of our requests."""
        return isinstance(message, dict) and "method" not in message and str(message.get("id")).startswith(self._mark)

    def answered(self, message: dict[str, Any]) -> Held | None:
        """The call of an answer; None if it was cancelled meanwhile."""
        return self._held.pop(str(message["id"]), None)

    def cancelled(self, message: dict[str, Any]) -> None:
        """Drops a call that the client has cancelled."""
        params = message.get("params")
        key = key_of(params.get("requestId")) if isinstance(params, dict) else ""
        self._held = {id: held for id, held in self._held.items() if key_of(held.message.get("id")) != key}


def said(message: dict[str, Any]) -> tuple[bool, str] | None:
    """Whether the user approves, and the note; None if the user has not answered."""
    result = message.get("result")
    if not isinstance(result, dict) or result.get("action") not in ("accept", "decline"):
        return None
    content = result.get("content")
    content = content if isinstance(content, dict) else {}
    note = content.get("note")
    return result["action"] == "accept" and content.get("approve") is True, note if isinstance(note, str) else ""
