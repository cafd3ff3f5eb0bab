"""Claude Code's session files, `~/.claude/projects/<project>/<session>.jsonl`: one message a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from supervisor.feedback.backtest.formats.lines import Report, json_lines, mapping, string, text_of
from supervisor.feedback.backtest.sessions import Called, PastSession, answer

_NOT_SAID = ("<command-", "<local-command", "Caveat:", "[Request interrupted")
_REMINDER = re.compile(r"<system-reminder>.{0,100000}?</system-reminder>", re.DOTALL)
_REFUSED = "The user doesn't want to proceed with this tool use."


def matches(first: Mapping[str, Any]) -> bool:
    """Whether a file that begins with this line has the format."""
    if first.get("type") == "summary":
        return "leafUuid" in first
    return "sessionId" in first and isinstance(first.get("type"), str)


def read(path: Path, report: Report) -> Iterator[PastSession]:
    """The sessions of a file: the agent's own, and one for each subagent whose messages it holds."""
    sessions: dict[tuple[str, str], PastSession] = {}
    calls: dict[str, Called] = {}
    for place, line in json_lines(path, report):
        if line.get("type") not in ("user", "assistant") or line.get("isMeta"):
            continue
        key = string(line.get("sessionId")) or path.stem, _agent(line)
        session = sessions.setdefault(key, PastSession(":".join(filter(None, key))))
        session.project = session.project or string(line.get("cwd"))
        content, time = mapping(line.get("message")).get("content"), string(line.get("timestamp"))
        if line["type"] == "assistant":
            _read_calls(content, place, time, session, calls)
        else:
            _read_user(content, time, session, calls)
    yield from sessions.values()


def _agent(line: Mapping[str, Any]) -> str:
    return string(line.get("agentId")) or ("subagent" if line.get("isSidechain") else "")


def _parts(content: Any) -> list[Mapping[str, Any]]:
    return [part for part in content if isinstance(part, Mapping)] if isinstance(content, list) else []


def _read_calls(content: Any, place: str, time: str, session: PastSession, calls: dict[str, Called]) -> None:
    for part in _parts(content):
        tool = string(part.get("name"))
        if part.get("type") == "tool_use" and tool:
            calls[string(part.get("id"))] = session.call(Called(tool, mapping(part.get("input")), place, time))


def _read_user(content: Any, time: str, session: PastSession, calls: Mapping[str, Called]) -> None:
    for part in _parts(content):
        called = calls.get(string(part.get("tool_use_id")))
        if part.get("type") == "tool_result" and called is not None:
            output = text_of(part.get("content"))
            answer(called, output, failed=bool(part.get("is_error")))
            called.refused = called.failed and output.startswith(_REFUSED)
    said = _REMINDER.sub("", text_of(content)).strip()
    if not said.startswith(_NOT_SAID):
        session.say(said, time)
