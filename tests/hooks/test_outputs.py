"""What a tool returned reaches the specialists as text, however a host wraps it."""

from __future__ import annotations

import json

import pytest

from supervisor.hooks import HOSTS

BLOCKS = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
CLAUDE = [
    ({"stdout": "On branch main", "stderr": "", "interrupted": False}, "On branch main"),
    ({"stdout": "", "stderr": "oops"}, "oops"),
    ({"stdout": "out", "stderr": "err"}, "out\nerr"),
    ({"type": "text", "file": {"filePath": "/a", "content": "text of it"}}, "text of it"),
    (BLOCKS, "a\nb"),
    ({"content": BLOCKS, "isError": False}, "a\nb"),
    ([*BLOCKS, {"type": "image", "data": "…"}], [*BLOCKS, {"type": "image", "data": "…"}]),
    ({"filePath": "/a", "content": "written"}, {"filePath": "/a", "content": "written"}),
    ("plain", "plain"),
    (None, None),
    ([], []),
]


@pytest.mark.parametrize(("response", "text"), CLAUDE)
@pytest.mark.parametrize("host", ["claude", "codex"])
def test_claude_code_and_codex(host, response, text):
    told = {"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {}, "tool_response": response}
    assert HOSTS[host].read(told).output == text


@pytest.mark.parametrize(
    ("response", "text", "failed"),
    [
        ({"llmContent": "out"}, "out", False),
        ({"llmContent": BLOCKS, "error": {"message": "no"}}, "a\nb", True),
        ("out", "out", False),
    ],
)
def test_gemini(response, text, failed):
    told = {"hook_event_name": "AfterTool", "tool_name": "t", "tool_input": {}, "tool_response": response}
    event = HOSTS["gemini"].read(told)
    assert (event.output, event.failed) == (text, failed)


@pytest.mark.parametrize(
    ("response", "text"), [(json.dumps({"stdout": "out", "exitCode": 0}), "out"), ("[not json", "[not json"), ("", "")]
)
def test_cursor(response, text):
    told = {"hook_event_name": "postToolUse", "tool_name": "Shell", "tool_input": "{}", "tool_output": response}
    assert HOSTS["cursor"].read(told).output == text
