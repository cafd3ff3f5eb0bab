"""Actions as `supervisor check --jsonl` reads them: one a line, each with its own context."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from supervisor.feedback.backtest.formats.lines import Report, json_lines, mapping, string
from supervisor.feedback.backtest.parts import WHOLE, Part
from supervisor.feedback.backtest.sessions import Called, PastSession


def matches(first: Mapping[str, Any]) -> bool:
    """Whether a file that begins with this line has the format."""
    return isinstance(first.get("tool"), str) and isinstance(first.get("args", {}), Mapping)


def read(path: Path, report: Report, part: Part = WHOLE) -> Iterator[PastSession]:
    """A session for each line of a file, or of a part of it, since each brings its own history."""
    for place, line in json_lines(path, report, part):
        context = mapping(line.get("context"))
        name = string(line.get("session")) or string(context.get("session")) or place
        session = PastSession(name, string(context.get("cwd")))
        session.say(string(context.get("task")))
        session.call(Called(string(line.get("tool")), mapping(line.get("args")), place, given=context))
        yield session
