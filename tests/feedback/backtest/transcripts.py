"""Session files as agents write them, with as little in them as the tests need."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

HARM = "rm -rf ~"
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2  # no token: it has no checksum


def write_lines(path: Path, lines: Iterable[Mapping[str, Any]]) -> Path:
    """A file of JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def claude(home: Path, calls: Iterable[tuple[str, str | None]], said: str = "Tidy up", name: str = "s-1") -> Path:
    """A session of Claude Code in which the user says something, the agent runs commands, and the user says thanks."""
    lines: list[dict[str, Any]] = [{"type": "summary", "summary": "a title", "leafUuid": "1"}]

    def add(role: str, content: Any, **more: Any) -> None:
        message = {"role": role, "content": content}
        time = f"2026-11-02T10:00:{len(lines) % 60:02}Z"
        common = {"type": role, "sessionId": name, "cwd": "/srv/shop", "timestamp": time, "message": message}
        lines.append(common | more)

    add("user", said)
    add("user", "Caveat: this was written by the host", isMeta=True)
    for number, (command, output) in enumerate(calls):
        call = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": command}}
        add("assistant", [{"type": "text", "text": "I do this"}, call])
        if output is not None:
            add("user", [{"type": "tool_result", "tool_use_id": f"t{number}", "content": output}])
    add("user", "thanks")
    return write_lines(home / ".claude" / "projects" / "-srv-shop" / f"{name}.jsonl", lines)


def codex(home: Path, command: str, exit_code: int = 0) -> Path:
    """A session of Codex with one command, whose user's words stand there in two forms."""
    text = [{"type": "input_text", "text": "push it"}]
    environment = [{"type": "input_text", "text": "<environment_context>…</environment_context>"}]
    arguments = json.dumps({"command": ["bash", "-lc", command], "workdir": "/srv/api"})
    output = json.dumps({"output": "done", "metadata": {"exit_code": exit_code}})
    payloads: list[tuple[str, dict[str, Any]]] = [
        ("session_meta", {"id": "c-1", "cwd": "/srv/api"}),
        ("response_item", {"type": "message", "role": "user", "content": environment}),
        ("response_item", {"type": "message", "role": "user", "content": text}),
        ("event_msg", {"type": "user_message", "message": "push it"}),
        ("response_item", {"type": "function_call", "name": "shell", "arguments": arguments, "call_id": "1"}),
        ("response_item", {"type": "function_call_output", "call_id": "1", "output": output}),
    ]
    lines = ({"timestamp": "2026-11-20T10:00:00Z", "type": kind, "payload": item} for kind, item in payloads)
    return write_lines(home / ".codex" / "sessions" / "2026" / "11" / "20" / "rollout-1.jsonl", lines)


def gemini(home: Path, command: str, status: str = "success") -> Path:
    """A chat of Gemini CLI with one command."""
    call = {
        "id": "1",
        "name": "run_shell_command",
        "args": {"command": command},
        "status": status,
        "timestamp": "2026-11-21T10:00:00Z",
        "result": [{"functionResponse": {"response": {"output": "gone"}}}],
    }
    messages = [
        {"id": "1", "timestamp": "2026-11-21T10:00:00Z", "type": "user", "content": "tidy"},
        {"id": "2", "timestamp": "2026-11-21T10:00:00Z", "type": "gemini", "content": "", "toolCalls": [call]},
    ]
    chat = {"sessionId": "g-1", "projectHash": "abc", "startTime": "", "lastUpdated": "", "messages": messages}
    path = home / ".gemini" / "tmp" / "abc" / "chats" / "session-1.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(chat, indent=2))
    return path


def spans(path: Path, command: str) -> Path:
    """OpenTelemetry's spans of one conversation: what the user said, and one tool call that failed."""
    said = json.dumps([{"role": "user", "parts": [{"type": "text", "content": "install it"}]}])
    chat = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": said, "gen_ai.conversation.id": "o-1"}
    call = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "bash",
        "gen_ai.tool.call.arguments": json.dumps({"command": command}),
        "gen_ai.conversation.id": "o-1",
    }
    listed = [_span(1, call, code=2), _span(0, chat)]  # a later span may be written first
    return write_lines(path, [{"resourceSpans": [{"scopeSpans": [{"spans": listed}]}]}])


def _span(number: int, attributes: Mapping[str, str], code: int = 0) -> dict[str, Any]:
    pairs = [{"key": name, "value": {"stringValue": value}} for name, value in attributes.items()]
    start = str(1_763_978_400_000_000_000 + number)
    return {"traceId": "t", "startTimeUnixNano": start, "attributes": pairs, "status": {"code": code}}
