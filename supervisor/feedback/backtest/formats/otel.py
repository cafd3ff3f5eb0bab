"""OpenTelemetry's spans of tool calls (`execute_tool`, semantic conventions for generative AI), as OTLP JSON lines."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from supervisor.feedback.backtest.formats.lines import Report, json_lines, mapping, parsed, string, text_of
from supervisor.feedback.backtest.sessions import Called, PastSession, answer

_NANOSECONDS = 1_000_000_000


_READ = (
    "gen_ai.operation.name",
    "gen_ai.tool.name",
    "gen_ai.tool.call.arguments",
    "gen_ai.tool.call.result",
    "gen_ai.input.messages",
)
_LATEST = 2**63 - 1  # what SQLite can store


class _Span(NamedTuple):
    start: int
    place: str
    attributes: Mapping[str, Any]
    failed: bool


class _Spans:
    """The spans of a file, in a temporary database on the disk: a file may have more than fit into memory, and those
    of one session may stand anywhere in it. Used with `with`."""

    def __enter__(self) -> _Spans:
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute(
            "CREATE TABLE spans (number INTEGER PRIMARY KEY, key TEXT, start INTEGER, place TEXT, attributes BLOB,"
            " failed INTEGER)"
        )
        self._database.execute("BEGIN")
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def add(self, key: str, span: _Span) -> None:
        values = (key, min(span.start, _LATEST), span.place, orjson.dumps(span.attributes), span.failed)
        inserted = "INSERT INTO spans (key, start, place, attributes, failed) VALUES (?, ?, ?, ?, ?)"
        self._database.execute(inserted, values)

    def keys(self) -> Iterator[str]:
        """The sessions, in the order in which the file names them first."""
        self._database.execute("CREATE INDEX by_key ON spans (key, start, number)")
        for (key,) in self._database.execute("SELECT key FROM spans GROUP BY key ORDER BY min(number)"):
            yield key

    def of(self, key: str) -> Iterator[_Span]:
        """The spans of a session, oldest first."""
        columns = "SELECT start, place, attributes, failed FROM spans WHERE key = ? ORDER BY start, number"
        for start, place, attributes, failed in self._database.execute(columns, (key,)):
            yield _Span(start, place, orjson.loads(attributes), bool(failed))


def matches(first: Mapping[str, Any]) -> bool:
    """Whether a file that begins with this object has the format."""
    return "resourceSpans" in first


def read(path: Path, report: Report) -> Iterator[PastSession]:
    """The sessions of a file: one for each conversation, or each trace that names none. Spans may come in any order."""
    with _Spans() as spans:
        for place, line in json_lines(path, report):
            for span in _spans_in(line):
                attributes = _attributes(span.get("attributes"))
                key = string(attributes.get("gen_ai.conversation.id")) or string(span.get("traceId"))
                failed = mapping(span.get("status")).get("code") in (2, "STATUS_CODE_ERROR")
                read = {name: attributes[name] for name in _READ if name in attributes}
                spans.add(key, _Span(_start(span), place, read, failed))
        for key in spans.keys():  # noqa: SIM118 - it is no dictionary
            session = PastSession(key)
            for each in spans.of(key):
                _read_span(each, session)
            yield session


def _spans_in(line: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for resource in _list(line.get("resourceSpans")):
        for scope in _list(mapping(resource).get("scopeSpans")):
            yield from (mapping(span) for span in _list(mapping(scope).get("spans")))


def _read_span(span: _Span, session: PastSession) -> None:
    time = datetime.fromtimestamp(span.start / _NANOSECONDS, UTC).isoformat() if span.start else ""
    for message in _list(parsed(span.attributes.get("gen_ai.input.messages"))):
        if mapping(message).get("role") == "user":
            session.say(_said(message), time)
    tool = string(span.attributes.get("gen_ai.tool.name"))
    if span.attributes.get("gen_ai.operation.name") != "execute_tool" or not tool:
        return
    args = mapping(parsed(span.attributes.get("gen_ai.tool.call.arguments")))
    called = session.call(Called(tool, args, span.place, time))
    if "gen_ai.tool.call.result" in span.attributes or span.failed:
        answer(called, span.attributes.get("gen_ai.tool.call.result"), failed=span.failed)


def _said(message: Mapping[str, Any]) -> str:
    parts = _list(message.get("parts"))
    return "\n".join(string(mapping(part).get("content")) for part in parts) or text_of(message.get("content"))


def _start(span: Mapping[str, Any]) -> int:
    given = str(span.get("startTimeUnixNano", ""))
    return int(given) if given.isdecimal() and len(given) < len("9" * 20) else 0


def _attributes(listed: Any) -> dict[str, Any]:
    pairs = (mapping(each) for each in _list(listed))
    return {string(each.get("key")): _value(each.get("value")) for each in pairs}


def _value(value: Any) -> Any:
    """The value of an attribute, whose one key names its type."""
    for kind, inner in mapping(value).items():
        if kind == "arrayValue":
            return [_value(each) for each in _list(mapping(inner).get("values"))]
        if kind == "kvlistValue":
            return _attributes(mapping(inner).get("values"))
        return inner
    return None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
