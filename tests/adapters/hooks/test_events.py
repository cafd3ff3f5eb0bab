"""A host's events, in the shapes that its documentation has, come to the same few things."""

from __future__ import annotations

from typing import Any

import pytest

from supervisor.adapters.hooks import HOSTS

CURSOR = {"conversation_id": "c-1", "generation_id": "g-1", "workspace_roots": ["/work"], "cursor_version": "2.0.77"}
CLAUDE = {"session_id": "s-1", "transcript_path": "/t.jsonl", "cwd": "/work", "permission_mode": "default"}
GEMINI = {"session_id": "s-1", "transcript_path": "/t.json", "cwd": "/work", "timestamp": "2026-11-22T10:00:00Z"}

EVENTS: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ("cursor", CURSOR, {"hook_event_name": "beforeSubmitPrompt", "prompt": "tidy up", "attachments": []}, {
        "moment": "asked", "text": "tidy up", "session": "c-1", "cwd": "/work",
    }),
    ("cursor", CURSOR, {"hook_event_name": "preToolUse", "tool_name": "Shell", "tool_use_id": "t", "cwd": "/repo/a",
                        "tool_input": {"command": "npm test", "working_directory": "/repo/b"}}, {
        "moment": "before", "tool": "Shell", "args": {"command": "npm test", "working_directory": "/repo/b"},
        "cwd": "/repo/b",
    }),
    ("cursor", CURSOR, {"hook_event_name": "preToolUse", "tool_name": "MCP:notes:write",
                        "tool_input": '{"text": "a"}'}, {
        "moment": "before", "tool": "MCP__notes__write", "args": {"text": "a"},
    }),
    ("cursor", CURSOR, {"hook_event_name": "preToolUse", "tool_name": "Delete", "tool_input": {"file_path": "a"}}, {
        "tool": "delete_file",
    }),
    ("cursor", CURSOR, {"hook_event_name": "postToolUseFailure", "tool_name": "Shell", "tool_input": {},
                        "error_message": "timed out", "failure_type": "timeout"}, {
        "moment": "after", "output": "timed out", "failed": True,
    }),
    ("claude", CLAUDE, {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"},
                        "agent_id": "a-1", "agent_type": "Explore"}, {
        "moment": "before", "tool": "Bash", "agent": "Explore", "session": "s-1", "cwd": "/work",
    }),
    ("claude", CLAUDE, {"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": {},
                        "error": "no"}, {
        "moment": "after", "output": "no", "failed": True,
    }),
    ("claude", CLAUDE, {"hook_event_name": "Stop", "stop_hook_active": True, "last_assistant_message": "Done."}, {
        "moment": "finish", "text": "Done.", "is_again": True,
    }),
    ("codex", CLAUDE, {"hook_event_name": "PreToolUse", "tool_name": "apply_patch",
                       "tool_input": {"command": "*** Begin Patch\n*** End Patch"}}, {
        "tool": "apply_patch", "args": {"patch": "*** Begin Patch\n*** End Patch"},
    }),
    ("gemini", GEMINI, {"hook_event_name": "BeforeTool", "tool_name": "run_shell_command",
                        "tool_input": {"command": "ls", "dir_path": "../b"}}, {
        "moment": "before", "cwd": "/b",
    }),
    ("gemini", GEMINI, {"hook_event_name": "BeforeTool", "tool_name": "notes_write", "tool_input": {},
                        "mcp_context": {"server_name": "notes", "tool_name": "write"}}, {
        "tool": "mcp__notes__write",
    }),
    ("gemini", GEMINI, {"hook_event_name": "AfterAgent", "prompt": "tidy up", "prompt_response": "Done."}, {
        "moment": "finish", "text": "Done.", "is_again": False,
    }),
]  # fmt: skip


@pytest.mark.parametrize(("host", "usual", "told", "meant"), EVENTS, ids=[f"{e[0]}-{i}" for i, e in enumerate(EVENTS)])
def test_an_event_is_read(host: str, usual: dict[str, Any], told: dict[str, Any], meant: dict[str, Any]) -> None:
    event = HOSTS[host].read(usual | told)
    assert {name: getattr(event, name) for name in meant} == meant
