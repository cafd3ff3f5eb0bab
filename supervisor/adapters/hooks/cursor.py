"""Cursor: https://cursor.com/docs/agent/hooks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from supervisor.adapters.hooks.host import TIMEOUT, Event, Host, Moment, arguments, moment, text
from supervisor.errors import BadInput
from supervisor.intake.documents import read_json
from supervisor.intake.parsing import MAX_ACTION
from supervisor.intake.results import unwrapped_json

_EVENTS: dict[str, Moment] = {
    "beforeSubmitPrompt": "asked",
    "preToolUse": "before",
    "postToolUse": "after",
    "postToolUseFailure": "after",
}
_TOOLS = {"Delete": "delete_file"}  # names that show the kind


def read(payload: Mapping[str, Any]) -> Event:
    """An event of Cursor. Tools of MCP servers are named `MCP:server:tool`, and outputs are JSON as text."""
    kind = moment(payload, _EVENTS)
    known: dict[str, Any] = {"session": text(payload, "conversation_id"), "cwd": _cwd(payload)}
    if kind == "asked":
        return Event(kind, text=text(payload, "prompt"), **known)
    args = _arguments(payload)
    if isinstance(place := args.get("working_directory"), str) and place:
        known["cwd"] = place
    tool, failed = text(payload, "tool_name"), payload["hook_event_name"] == "postToolUseFailure"
    tool = _TOOLS.get(tool, tool.replace(":", "__"))
    output = payload.get("error_message") if failed else unwrapped_json(payload.get("tool_output"))
    return Event(kind, tool=tool, args=args, output=output, failed=failed, **known)


def _cwd(payload: Mapping[str, Any]) -> str | None:
    roots = payload.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else None
    return text(payload, "cwd") or first


def _arguments(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """The tool's arguments: an object, or its JSON as text."""
    given = payload.get("tool_input")
    if not isinstance(given, str):
        return arguments(payload, "tool_input")
    try:
        return arguments({"tool_input": read_json(given, limit=MAX_ACTION)}, "tool_input")
    except BadInput as error:
        raise error if error.place else BadInput(str(error), place="tool_input", code=error.code) from None


def entry(event: str, command: str) -> dict[str, Any]:
    """One entry of the settings. With `failClosed`, Cursor itself refuses if the hook crashes or hangs."""
    hook: dict[str, Any] = {"command": command, "timeout": TIMEOUT}
    return hook | {"failClosed": True} if _EVENTS[event] == "before" and "exit 2" in command else hook


def canary(command: str) -> dict[str, Any]:
    """The host's event before it runs `command` in a shell."""
    common = {"conversation_id": "doctor", "workspace_roots": ["/"], "hook_event_name": "preToolUse"}
    return common | {"tool_name": "Shell", "tool_input": {"command": command}}


CURSOR = Host(
    "cursor", "Cursor", read, ".cursor", "hooks.json", _EVENTS, entry, canary, frame={"version": 1}, echoes=True
)
