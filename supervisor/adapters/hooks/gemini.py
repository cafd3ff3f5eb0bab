"""Gemini CLI: https://geminicli.com/docs/hooks/reference."""

from __future__ import annotations

import os.path
from collections.abc import Mapping
from typing import Any

from supervisor.adapters.hooks.host import TIMEOUT, Event, Host, Moment, arguments, moment, text
from supervisor.intake.results import unwrapped

_EVENTS: dict[str, Moment] = {
    "BeforeAgent": "asked",
    "BeforeTool": "before",
    "AfterTool": "after",
    "AfterAgent": "finish",
}


def read(payload: Mapping[str, Any]) -> Event:
    """A command may name the directory it runs in; what a tool returned stands in `llmContent`."""
    kind = moment(payload, _EVENTS)
    known: dict[str, Any] = {"session": text(payload, "session_id"), "cwd": text(payload, "cwd") or None}
    if kind == "asked":
        return Event(kind, text=text(payload, "prompt"), **known)
    if kind == "finish":
        again = payload.get("stop_hook_active") is True
        return Event(kind, text=text(payload, "prompt_response"), is_again=again, **known)
    tool, args = _tool(payload), arguments(payload, "tool_input")
    if known["cwd"] and isinstance(place := args.get("dir_path"), str) and tool == "run_shell_command":
        known["cwd"] = os.path.normpath(os.path.join(known["cwd"], place))
    response = payload.get("tool_response")
    told = response if isinstance(response, Mapping) else {"llmContent": response}
    return Event(
        kind, tool=tool, args=args, output=unwrapped(told.get("llmContent")), failed=bool(told.get("error")), **known
    )


def _tool(payload: Mapping[str, Any]) -> str:
    """The tool's name; that of an MCP server's tool by itself, which Gemini has glued together with its server's."""
    context = payload.get("mcp_context")
    if isinstance(context, Mapping) and isinstance(context.get("tool_name"), str):
        return f"mcp__{context.get('server_name')}__{context['tool_name']}"
    return text(payload, "tool_name")


def entry(event: str, command: str) -> dict[str, Any]:
    """One setting; its time is in milliseconds."""
    hook = {"name": "supervisor", "type": "command", "command": command, "timeout": TIMEOUT * 1000}
    return {"matcher": "*", "hooks": [hook]}


def canary(command: str) -> dict[str, Any]:
    """What the host would say before it runs `command` in a shell."""
    told = {"session_id": "doctor", "cwd": "/", "hook_event_name": "BeforeTool"}
    return told | {"tool_name": "run_shell_command", "tool_input": {"command": command}}


GEMINI = Host("gemini", "Gemini CLI", read, ".gemini", "settings.json", _EVENTS, entry, canary)
