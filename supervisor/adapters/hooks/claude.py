"""Claude Code: https://code.claude.com/docs/en/hooks."""

from __future__ import annotations

import re
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
# In other modes "ask" lets the tool run: https://github.com/anthropics/claude-code/issues/77212.
_ASKING_MODES = ("default", "plan", "acceptEdits")
_QUESTION = "AskUserQuestion"  # its questions are a list of objects
_YES_OR_NO = re.compile(
    r"(?i)(?:yes|no|ok|okay|sure|continue|proceed|go (?:on|ahead)|start|stop|cancel|wait|pause|later|not (?:now|yet))\b"
)
_EVERY_TOOL = {"PreToolUse", "PostToolUse", "PostToolUseFailure"}


def read(payload: Mapping[str, Any]) -> Event:
    """An event of Claude Code; Codex has the same form."""
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
    if tool == _QUESTION:
        args = {**args, "question": _question(args)}
    known |= {"call": text(payload, "tool_use_id"), "can_pause": payload.get("permission_mode") in _ASKING_MODES}
    known["response"] = payload.get("tool_response")
    return Event(kind, tool=tool, args=args, output=output, failed=failed, **known)


def _question(args: Mapping[str, Any]) -> str:
    """The questions of the tool in words. A choice between more than yes and no is part of its question."""
    asked = args.get("questions")
    return " ".join(_worded(each) for each in asked if isinstance(each, Mapping)) if isinstance(asked, list) else ""


def _worded(question: Mapping[str, Any]) -> str:
    options = question.get("options")
    labels = (
        [str(each.get("label")) for each in options if isinstance(each, Mapping)] if isinstance(options, list) else []
    )
    choice = "" if all(map(_YES_OR_NO.match, labels)) else f" {', or '.join(labels)}?"
    return f"{question.get('question', '')}{choice}"


def entry(event: str, command: str) -> dict[str, Any]:
    """One entry of the settings: for every tool, with a longer timeout than the client's."""
    hook = {"type": "command", "command": command, "timeout": TIMEOUT}
    return {"matcher": "*", "hooks": [hook]} if event in _EVERY_TOOL else {"hooks": [hook]}


def pause(reason: str) -> dict[str, Any]:
    """The answer after which Claude Code asks its user, with the reason. Without a user (`claude -p`), it refuses."""
    output = {"hookEventName": "PreToolUse", "permissionDecision": "ask", "permissionDecisionReason": reason}
    return {"hookSpecificOutput": output}


def withhold(event: Event, message: str) -> dict[str, Any] | None:
    """The answer after which Claude Code shows the message instead of the tool's result. The replacement must have the
    form of that tool's results, else Claude Code ignores it. The output of a failed tool cannot be replaced."""
    instead = in_place_of(event.response, WITHHELD)
    if instead is None or event.failed:
        return None
    output = {
        "hookEventName": "PostToolUse",
        "updatedToolOutput": instead,
        "additionalContext": f"Supervisor: {message}",
    }
    return {"hookSpecificOutput": output}


def tell(message: str) -> dict[str, Any]:
    """The answer after which Claude Code shows its user a message. A refusal is an exit code, which holds even if no
    answer can be read, and cannot carry one."""
    return {"systemMessage": message}


def canary(command: str) -> dict[str, Any]:
    """The host's event before it runs `command` in a shell."""
    common = {"session_id": "doctor", "cwd": "/", "hook_event_name": "PreToolUse"}
    return common | {"tool_name": "Bash", "tool_input": {"command": command}}


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
    tell=tell,
)
