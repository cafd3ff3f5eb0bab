"""Tool calls that wait for the client's user, whom the guard asks as a server would: by elicitation."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from supervisor.adapters.mcp.messages import key_of, written
from supervisor.adapters.proposed import Proposed

MAX_HELD = 100  # calls that wait at a time; more are told of the queue
MAX_SHOWN = 2_000  # characters of a call
_SCHEMA = {
    "type": "object",
    "properties": {
        "approve": {"type": "boolean", "title": "Let it run", "description": "This call, this once."},
        "note": {"type": "string", "title": "Note", "description": "What the agent is told of it."},
    },
    "required": ["approve"],
}


@dataclass(frozen=True, slots=True)
class Held:
    """A call that waits: its line, what it says, and what is to be proposed again."""

    line: bytes
    message: dict[str, Any]
    proposed: Proposed
    call: dict[str, Any]


class Asking:
    """The calls of one connection that wait."""

    def __init__(self) -> None:
        self._mark = f"supervisor-{os.urandom(8).hex()}-"  # of our own requests; no server's is taken for one
        self._held: dict[str, Held] = {}
        self._asked = 0
        self._can = False

    def introduced(self, message: dict[str, Any]) -> None:
        """What the client says of itself. Since the revision of 2026-07-28, servers ask in their answers alone, and
        clients introduce themselves otherwise."""
        params = message.get("params")
        able = params.get("capabilities") if isinstance(params, dict) else None
        elicits = able.get("elicitation") if isinstance(able, dict) else None
        self._can = isinstance(elicits, dict) and (not elicits or "form" in elicits)

    @property
    def can(self) -> bool:
        """Whether one more call may wait."""
        return self._can and len(self._held) < MAX_HELD

    def ask(self, held: Held) -> bytes:
        """Holds a call, and gives the request that is sent to the client."""
        self._asked += 1
        id = f"{self._mark}{self._asked}"
        self._held[id] = held
        reason = held.proposed.decision.reason if held.proposed.decision else ""
        shown = f"{held.call['tool']} {held.call['args']}"[:MAX_SHOWN]
        params = {"message": f"Supervisor: {reason} Shall it run all the same? {shown}", "requestedSchema": _SCHEMA}
        return written({"jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": params})

    def is_ours(self, message: Any) -> bool:
        """Whether a message of the client answers a request of ours."""
        return isinstance(message, dict) and "method" not in message and str(message.get("id")).startswith(self._mark)

    def answered(self, message: dict[str, Any]) -> Held | None:
        """The call that the answer is about, unless it was cancelled meanwhile."""
        return self._held.pop(str(message["id"]), None)

    def cancelled(self, message: dict[str, Any]) -> None:
        """A call that its client does not want any more is not held any longer."""
        params = message.get("params")
        key = key_of(params.get("requestId")) if isinstance(params, dict) else ""
        self._held = {id: held for id, held in self._held.items() if key_of(held.message.get("id")) != key}


def said(message: dict[str, Any]) -> tuple[bool, str] | None:
    """Whether the user approves, and the note; None where the user has said neither."""
    result = message.get("result")
    if not isinstance(result, dict) or result.get("action") not in ("accept", "decline"):
        return None
    content = result.get("content")
    content = content if isinstance(content, dict) else {}
    note = content.get("note")
    return result["action"] == "accept" and content.get("approve") is True, note if isinstance(note, str) else ""
