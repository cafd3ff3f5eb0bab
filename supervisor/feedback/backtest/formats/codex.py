"""Codex CLI's session files, `~/.codex/sessions/<date>/rollout-*.jsonl`: one item a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from supervisor.feedback.backtest.formats.lines import Report, json_lines, mapping, parsed, string, text_of
from supervisor.feedback.backtest.sessions import Called, PastSession, answer

_NOT_SAID = ("<", "# AGENTS.md")  # what Codex itself puts before the user's words
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})


def matches(first: Mapping[str, Any]) -> bool:
    """Whether a file that begins with this line has the format."""
    return isinstance(first.get("payload"), Mapping) and isinstance(first.get("type"), str)


def read(path: Path, report: Report) -> Iterator[PastSession]:
    """The session of a file."""
    session = PastSession(path.stem)
    calls: dict[str, Called] = {}
    for place, line in json_lines(path, report):
        item, time = mapping(line.get("payload")), string(line.get("timestamp"))
        if line.get("type") == "session_meta":
            session.id, session.project = string(item.get("id")) or session.id, string(item.get("cwd"))
        elif line.get("type") == "event_msg" and item.get("type") == "user_message":
            session.say(string(item.get("message")), time)
        elif line.get("type") == "response_item":
            _read_item(item, place, time, session, calls)
    yield session


def _read_item(item: Mapping[str, Any], place: str, time: str, session: PastSession, calls: dict[str, Called]) -> None:
    kind, call = item.get("type"), string(item.get("call_id"))
    if kind == "message" and item.get("role") == "user":
        said = text_of(item.get("content")).strip()
        if not said.startswith(_NOT_SAID):
            session.say(said, time)
    elif kind in _CALLS:
        tool, args = _called(item)
        calls[call] = session.call(Called(tool, args, place, time))
    elif kind in _OUTPUTS and call in calls:
        answer(calls[call], *_result(item.get("output")))
        calls[call].failed = _has_failed(item.get("output"))


def _called(item: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    if item["type"] == "local_shell_call":
        return "shell", {"command": mapping(item.get("action")).get("command")}
    tool = string(item.get("name")) or "unknown"
    given = item.get("arguments", item.get("input"))
    if item["type"] == "custom_tool_call":
        return tool, {"patch" if tool == "apply_patch" else "input": given}
    return tool, mapping(parsed(given)) or ({"input": given} if given else {})


def _result(output: Any) -> tuple[Any]:
    inner = parsed(output)
    return (mapping(inner).get("output", output),)


def _has_failed(output: Any) -> bool:
    inner = mapping(parsed(output))
    return inner.get("success") is False or mapping(inner.get("metadata")).get("exit_code", 0) not in (0, None)
