"""Claude Code: https://code.claude.com/docs/en/hooks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from supervisor.adapters.hooks.host import TIMEOUT, Event, Host, Moment, arguments, moment, text
from supervisor.adapters.hooks.transcript import refused
from supervisor.intake.results import WITHHELD, in_place_of, unwrapped

_EVENTS: dict[str, Moment] = {
    "UserPromptSubmit": "asked",
    "PreToolUse": "before",
    "PostToolUse": "after",
    "PostToolUseFailure": "after",
    "Stop": "finish",
    "SubagentStop": "finish",
}
# In others "ask" lets the tool run: https://github.com/anthropics/claude-code/issues/77212.
_ASKING_MODES = ("default", "plan", "acceptEdits")
_EVERY_TOOL = {"PreToolUse", "PostToolUse", "PostToolUseFailure"}


def read(payload: Mapping[str, Any]) -> Event:
    """An event as Claude Code tells it; Codex tells the same."""
    kind = moment(payload, _EVENTS)
    known: dict[str, Any] = {
        "session": text(payload, "session_id"),
        "cwd": text(payload, "cwd") or None,
        "agent": text(payload, "agent_type") or None,
        "transcript": text(payload, "agent_transcript_path") or text(payload, "transcript_path"),
    }
    if kind == "asked":
        return Event(kind, text=text(payload, "prompt"), **known)
    if kind == "finish":
        again = payload.get("stop_hook_active") is True
        return Event(kind, text=text(payload, "last_assistant_message"), is_again=again, **known)
    failed = payload["hook_event_name"] == "PostToolUseFailure"
    output = payload.get("error") if failed else unwrapped(payload.get("tool_response"))
    tool, args = text(payload, "tool_name"), arguments(payload, "tool_input")
    known |= {"call": text(payload, "tool_use_id"), "can_pause": payload.get("permission_mode") in _ASKING_MODES}
    known["response"] = payload.get("tool_response")
    return Event(kind, tool=tool, args=args, output=output, failed=failed, **known)


def entry(event: str, command: str) -> dict[str, Any]:
    """One setting: every tool, and more time than the client ever takes."""
    hook = {"type": "command", "command": command, "timeout": TIMEOUT}
    return {"matcher": "*", "hooks": [hook]} if event in _EVERY_TOOL else {"hooks": [hook]}


def pause(reason: str) -> dict[str, Any]:
    """Has Claude Code ask its user, and tell why; where there is nobody (`claude -p`), it refuses."""
    told = {"hookEventName": "PreToolUse", "permissionDecision": "ask", "permissionDecisionReason": reason}
    return {"hookSpecificOutput": told}


def withhold(event: Event, message: str) -> dict[str, Any] | None:
    """Has Claude Code show the message instead of what the tool returned, which has to have the form of that tool's
    results; else Claude Code keeps them. What a failed tool said cannot be replaced."""
    instead = in_place_of(event.response, WITHHELD)
    if instead is None or event.failed:
        return None
    told = {"hookEventName": "PostToolUse", "updatedToolOutput": instead, "additionalContext": f"Supervisor: {message}"}
    return {"hookSpecificOutput": told}


def canary(command: str) -> dict[str, Any]:
    """What the host would say before it runs `command` in a shell."""
    told = {"session_id": "doctor", "cwd": "/", "hook_event_name": "PreToolUse"}
    return told | {"tool_name": "Bash", "tool_input": {"command": command}}


CLAUDE = Host(
    "claude",
    "Claude Code",
    read,
    ".claude",
    "settings.json",
    _EVENTS,
    entry,
    canary,
    home="CLAUDE_CONFIG_DIR",
    pause=pause,
    refused=refused,
    withhold=withhold,
)
