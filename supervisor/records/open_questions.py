"""The open questions and valid answers in a journal, from which the queue's folder is rebuilt."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from supervisor.errors import BadRecord
from supervisor.intake.files import open_file
from supervisor.records.lines import MAX_LINE
from supervisor.records.verify import segment_paths

Signed = Callable[[bytes], tuple[str, dict[str, Any]]]  # kind and predicate of a line; BadRecord if it is not verified


def open_lines(records: Path, since: datetime, signed: Signed) -> dict[str, bytes]:
    """The lines of open questions and unused answers, by file name in the queue, from segments changed after `since`.
    Raises OSError, also if a line of a segment is too long: the lines behind it may matter."""
    events: list[tuple[str, str, str, bytes]] = []
    for path in segment_paths(records):
        if path.stat(follow_symlinks=False).st_ctime >= since.timestamp():
            with os.fdopen(open_file(path, os.O_RDONLY, own=True), "rb") as lines:
                events.extend(_approvals_in(_bounded(lines, path), signed))
    files: dict[str, bytes] = {}
    for _, name, state, line in sorted(events):
        _remember(files, name, state, line)
    return files


def _bounded(segment: BinaryIO, path: Path) -> Iterator[bytes]:
    while raw := segment.readline(MAX_LINE):
        if len(raw) == MAX_LINE and not raw.endswith(b"\n"):
            raise OSError(errno.EFBIG, "a line longer than any that is written", str(path))
        yield raw


def _approvals_in(lines: Iterable[bytes], signed: Signed) -> Iterator[tuple[str, str, str, bytes]]:
    """Each change of a question: its time, the question's name, the new state, and the line."""
    for raw in lines:
        line = raw.rstrip(b"\n")
        with contextlib.suppress(BadRecord, KeyError, TypeError, ValueError):  # content, or signed by another key
            kind, predicate = signed(line)
            if kind == "approval":
                yield predicate["time"], predicate["approval"], "answered", line
            elif kind == "use":
                yield predicate["time"], predicate["approval"], "used", line
            elif kind == "decision" and "approval" in predicate:
                yield predicate["time"], predicate["approval"]["id"], predicate["approval"]["state"], line


def _remember(files: dict[str, bytes], name: str, state: str, line: bytes) -> None:
    question, answer = f"{name}.question", f"{name}.answer"
    if state == "answered":
        files[answer] = line  # a later answer was accepted because the earlier one was not valid any more
    elif state == "asked":
        files[question] = line
        files.pop(answer, None)  # an earlier answer was not valid any more
    elif state != "denied":
        files.pop(question, None)
        files.pop(answer, None)
