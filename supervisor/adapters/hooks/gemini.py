"""Gemini CLI: https://geminicli.com/docs/hooks/reference."""

from __future__ import annotations

import os.path
from collections.abc import Mapping
from typing import Any

from supervisor.adapters.hooks.gemini_chat import name_of, refused
from supervisor.adapters.hooks.host import TIMEOUT, Event, Host, Moment, arguments, moment, text
from supervisor.intake.results import unwrapped

_EVENTS: dict[str, Moment] = {
    "BeforeAgent": "asked",
    "BeforeTool": "before",
    "AfterTool": "after",
    "AfterAgent": "finish",
}


def read(payload: Mapping[str, Any]) -> Event:
    """An event of Gemini. A command may name its working directory; a tool's output is in `llmContent`."""
    kind = moment(payload, _EVENTS)
    known: dict[str, Any] = {"session": text(payload, "session_id"), "cwd": text(payload, "cwd") or None}
    known["transcript"] = text(payload, "transcript_path")
    if kind == "asked":
        return Event(kind, text=text(payload, "prompt"), **known)
    if kind == "finish":
        again = payload.get("stop_hook_active") is True
        return Event(kind, text=text(payload, "prompt_response"), is_again=again, **known)
    tool, args = _tool(payload), arguments(payload, "tool_input")
    known["call"] = name_of(text(payload, "tool_name"), args)
    if known["cwd"] and isinstance(place := args.get("dir_path"), str) and tool == "run_shell_command":
        known["cwd"] = os.path.normpath(os.path.join(known["cwd"], place))
    response = payload.get("tool_response")
    result = response if isinstance(response, Mapping) else {"llmContent": response}
    return Event(
        kind,
        tool=tool,
        args=args,
        output=unwrapped(result.get("llmContent")),
        failed=bool(result.get("error")),
        **known,
    )


def _tool(payload: Mapping[str, Any]) -> str:
    """The tool's name. For an MCP server's tool, Gemini joins the names of server and tool; this separates them."""
    context = payload.get("mcp_context")
    if isinstance(context, Mapping) and isinstance(context.get("tool_name"), str):
        return f"mcp__{context.get('server_name')}__{context['tool_name']}"
    return text(payload, "tool_name")


def entry(event: str, command: str) -> dict[str, Any]:
    """One entry of the settings. The timeout is in milliseconds."""
    hook = {"name": "supervisor", "type": "command", "command": command, "timeout": TIMEOUT * 1000}
    return {"matcher": "*", "hooks": [hook]}


def canary(command: str) -> dict[str, Any]:
    """The host's event before it runs `command` in a shell."""
    common = {"session_id": "doctor", "cwd": "/", "hook_event_name": "BeforeTool"}
    return common | {"tool_name": "run_shell_command", "tool_input": {"command": command}}


GEMINI = Host("gemini", "Gemini CLI", read, ".gemini", "settings.json", _EVENTS, entry, canary, refused=refused)
