"""What Claude Code's user has said at its prompt: no hook tells of a no, the transcript of the session does.

Only a no is taken from there. Whoever can write into a transcript can refuse itself something, and approve nothing.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Any

import orjson

from supervisor.intake.files import open_file

_NO = "The user doesn't want to proceed with this tool use."
_SAID = "the user said:\n"
_MOST = 1024 * 1024  # bytes at its end that are read: what we look for has just happened


def refused(transcript: str, calls: Collection[str]) -> list[tuple[str, str]]:
    """The calls among these that the user has refused, each with what was said to that. None where there is no such
    file."""
    marks = [call.encode() for call in calls]
    lines = (line for line in _last_lines(transcript) if any(mark in line for mark in marks))
    found = ((str(part.get("tool_use_id")), part.get("content")) for line in lines for part in _results(line))
    return [
        (call, said.partition(_SAID)[2])
        for call, said in found
        if call in calls and isinstance(said, str) and said.startswith(_NO)
    ]


def _last_lines(transcript: str) -> list[bytes]:
    try:
        file = open_file(transcript, os.O_RDONLY)
    except (OSError, ValueError):
        return []
    try:
        return os.pread(file, _MOST, max(os.fstat(file).st_size - _MOST, 0)).split(b"\n")
    except OSError:
        return []
    finally:
        os.close(file)


def _results(line: bytes) -> list[dict[str, Any]]:
    """The results of tools in a line; none where it is no message."""
    try:
        content = orjson.loads(line)["message"]["content"]
    except (ValueError, KeyError, TypeError):
        return []
    return [part for part in content if isinstance(part, dict) and part.get("is_error")]
