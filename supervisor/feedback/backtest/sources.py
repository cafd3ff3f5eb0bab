"""Where agents keep their sessions, and the format of each file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import orjson

from supervisor.errors import BadInput
from supervisor.feedback.backtest.formats import actions, claude, codex, gemini, journal, otel
from supervisor.feedback.backtest.formats.lines import Report
from supervisor.feedback.backtest.parts import WHOLE, Part, parts_of
from supervisor.feedback.backtest.sessions import PastSession
from supervisor.intake.files import open_file

# In the order in which they are tried.
FORMATS: dict[str, ModuleType] = {
    "gemini": gemini,
    "records": journal,
    "opentelemetry": otel,
    "codex": codex,
    "claude": claude,
    "actions": actions,
}
_SUFFIXES = (".jsonl", ".json", ".ndjson")
_HEAD = 4 * 1024 * 1024  # bytes that are searched for a line that shows the format
_FIRST = 20  # lines


class Source(NamedTuple):
    """A file of sessions, or a part of one."""

    path: Path
    format: str
    part: Part = WHOLE

    def sessions(self, report: Report) -> Iterator[PastSession]:
        """Its sessions, one after the other."""
        parts = () if self.part == WHOLE else (self.part,)
        found: Iterator[PastSession] = FORMATS[self.format].read(self.path, report, *parts)
        return found


def usual_places(environment: Mapping[str, str]) -> list[Path]:
    """The folders in which the known agents keep their sessions."""
    home = Path(environment.get("HOME") or Path.home())
    claude_home = Path(environment.get("CLAUDE_CONFIG_DIR") or home / ".claude")
    codex_home = Path(environment.get("CODEX_HOME") or home / ".codex")
    return [claude_home / "projects", codex_home / "sessions", home / ".gemini" / "tmp"]


def sources_in(paths: Iterable[Path], report: Report, *, needed: bool = True) -> list[Source]:
    """The files with sessions at these paths, each once, in the order of their paths; a large file of actions in
    parts. Folders are searched without following links. A file whose format is not known is reported.

    Raises BadInput if a path does not exist and is `needed`.
    """
    found: dict[str, Source] = {}
    for path in paths:
        if not path.exists():
            if needed:
                raise BadInput("there is no such file or folder", place=str(path), code="no_source")
            continue
        for file in _files(path):
            identity = os.path.realpath(file)
            if identity not in found and (source := _source(file, report)):
                found[identity] = source
    ordered = sorted(found.values(), key=lambda each: str(each.path))
    return [part for source in ordered for part in _parts(source)]


def _parts(source: Source) -> list[Source]:
    if FORMATS[source.format] is not actions:
        return [source]
    return [source._replace(part=part) for part in parts_of(source.path)]


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for folder, _, names in os.walk(path):
        yield from (Path(folder, name) for name in names if name.endswith(_SUFFIXES))


def _source(path: Path, report: Report) -> Source | None:
    try:
        with open(open_file(path), "rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        report(str(path), error.strerror or str(error))
        return None
    for first in _first_values(path, head):
        for name, module in FORMATS.items():
            if module.matches(first):
                return Source(path, name)
    if head.strip():
        report(str(path), "is in no known format")
    return None


def _first_values(path: Path, head: bytes) -> Iterator[Mapping[str, Any]]:
    """The first objects of a file. Of a single object that is longer than the head, only its first names are known."""
    whole = [] if path.suffix != ".json" else [head]
    for raw in (*whole, *head.split(b"\n")[:_FIRST]):
        try:
            value = orjson.loads(raw)
        except orjson.JSONDecodeError:
            continue
        if isinstance(value, Mapping):
            yield value
    if path.suffix == ".json" and b'"sessionId"' in head[:_HEAD] and b'"messages"' in head:
        yield {"sessionId": "", "messages": []}
