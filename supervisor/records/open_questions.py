"""The questions that are open and the answers that hold, as the journal tells it: the queue's folder can be rebuilt."""

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

Signed = Callable[[bytes], tuple[str, dict[str, Any]]]  # a line to what it says; BadRecord where it does not verify


def open_lines(records: Path, since: datetime, signed: Signed) -> dict[str, bytes]:
    """By file of the queue, the questions and answers of segments that were touched since then, without what is used
    up. OSError, also where a segment has a line longer than any that is written: what stands behind it may matter."""
    told: list[tuple[str, str, str, bytes]] = []
    for path in segment_paths(records):
        if path.stat(follow_symlinks=False).st_ctime >= since.timestamp():
            with os.fdopen(open_file(path, os.O_RDONLY, own=True), "rb") as lines:
                told.extend(_approvals_in(_bounded(lines, path), signed))
    found: dict[str, bytes] = {}
    for _, name, state, line in sorted(told):
        _remember(found, name, state, line)
    return found


def _bounded(segment: BinaryIO, path: Path) -> Iterator[bytes]:
    while raw := segment.readline(MAX_LINE):
        if len(raw) == MAX_LINE and not raw.endswith(b"\n"):
            raise OSError(errno.EFBIG, "a line longer than any that is written", str(path))
        yield raw


def _approvals_in(lines: Iterable[bytes], signed: Signed) -> Iterator[tuple[str, str, str, bytes]]:
    """When, about which question, and how it stood from then on."""
    for raw in lines:
        line = raw.rstrip(b"\n")
        with contextlib.suppress(BadRecord, KeyError, TypeError, ValueError):  # content, or not ours
            kind, told = signed(line)
            if kind == "approval":
                yield told["time"], told["approval"], "answered", line
            elif kind == "use":
                yield told["time"], told["approval"], "used", line
            elif kind == "decision" and "approval" in told:
                yield told["time"], told["approval"]["id"], told["approval"]["state"], line


def _remember(found: dict[str, bytes], name: str, state: str, line: bytes) -> None:
    question, answer = f"{name}.question", f"{name}.answer"
    if state == "answered":
        found[answer] = line  # a later one was taken because the one before it did not hold
    elif state == "asked":
        found[question] = line
        found.pop(answer, None)  # one that there was did not hold
    elif state != "denied":
        found.pop(question, None)
        found.pop(answer, None)
