"""Gemini CLI's chats, `~/.gemini/tmp/<project>/chats/session-*.json`: one object with all messages, or one a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from supervisor.feedback.backtest.formats.lines import Report, json_lines, mapping, string, text_of
from supervisor.feedback.backtest.sessions import Called, PastSession, answer
from supervisor.intake.files import read_file

_MOST = 256 * 1024 * 1024  # bytes of one chat


def matches(first: Mapping[str, Any]) -> bool:
    """Whether a file that begins with this object has the format."""
    return "sessionId" in first and ("messages" in first or "projectHash" in first)


def read(path: Path, report: Report) -> Iterator[PastSession]:
    """The session of a file."""
    session = PastSession(path.stem)
    for number, value in enumerate(_values(path, report), 1):
        if "sessionId" in value:
            session.id = string(value["sessionId"]) or session.id
            session.project = string(value.get("projectHash"))
        messages = value.get("messages", [value])
        for place, message in enumerate(messages if isinstance(messages, list) else [], number):
            _read_message(mapping(message), f"{path}#{place}", session)
    yield session


def _values(path: Path, report: Report) -> Iterator[Mapping[str, Any]]:
    if path.suffix == ".jsonl":
        yield from (value for _, value in json_lines(path, report))
        return
    try:
        yield mapping(orjson.loads(read_file(path, _MOST)))
    except OSError as error:
        report(str(path), error.strerror or str(error))
    except orjson.JSONDecodeError as error:
        report(str(path), f"is not JSON: {error}")


def _read_message(message: Mapping[str, Any], place: str, session: PastSession) -> None:
    if message.get("type") == "user":
        session.say(text_of(message.get("content")), string(message.get("timestamp")))
    calls = message.get("toolCalls")
    for call in calls if isinstance(calls, list) else ():
        tool = string(mapping(call).get("name"))
        if tool:
            time = string(call.get("timestamp")) or string(message.get("timestamp"))
            called = session.call(Called(tool, mapping(call.get("args")), place, time))
            if call.get("status") in ("success", "error"):
                answer(called, _output(call.get("result")), failed=call["status"] == "error")
            called.refused = call.get("status") == "cancelled"


def _output(result: Any) -> str:
    """The text of a call's result: the responses of its parts."""
    parts = result if isinstance(result, list) else [result]
    responses = (mapping(mapping(mapping(part).get("functionResponse")).get("response")) for part in parts)
    return "\n".join(string(each.get("output", each.get("error"))) for each in responses)
