"""Refusals by Claude Code's user. No hook reports a refusal at the prompt, so it is read from the session's transcript.

Only refusals are read there: an agent that can write to its transcript can refuse its own calls, and approve nothing.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import orjson

from supervisor.intake.files import open_file

_NO = "The user doesn't want to proceed with this tool use."
_SAID = "the user said:\n"
_MOST = 1024 * 1024  # bytes that are read, at its end: the refusal is recent


def refused(transcript: str, calls: Mapping[str, str]) -> list[tuple[str, str]]:
    """The calls among these that the user has refused, each with the user's note. Empty if there is no such file. Since
    when each is known does not matter: every call has a name of its own."""
    marks = [call.encode() for call in calls]
    lines = (line for line in last_lines(transcript) if any(mark in line for mark in marks))
    found = ((str(part.get("tool_use_id")), part.get("content")) for line in lines for part in _results(line))
    return [
        (call, content.partition(_SAID)[2])
        for call, content in found
        if call in calls and isinstance(content, str) and content.startswith(_NO)
    ]


def last_lines(transcript: str) -> list[bytes]:
    """The lines at the end of a file, the first of them perhaps without its beginning; none if it cannot be read."""
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
    """The failed tool results in a line; none if it is no message."""
    try:
        content = orjson.loads(line)["message"]["content"]
    except (ValueError, KeyError, TypeError):
        return []
    return [part for part in content if isinstance(part, dict) and part.get("is_error")]
