"""Refusals by Gemini CLI's user. No hook reports one, so it is read from the session's chat.

Its events do not name their calls, and its chat has each call with its arguments. So a call is known by its tool and
its arguments, and a refusal counts for calls that were proposed before it. Only refusals are read there, as in
`transcript`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import orjson

from supervisor.adapters.hooks.transcript import last_lines

_NO = "User denied execution."


def name_of(tool: str, args: Mapping[str, Any]) -> str:
    """The name of a call, the same in an event and in a chat."""
    return hashlib.sha256(orjson.dumps([tool, args], option=orjson.OPT_SORT_KEYS)).hexdigest()


def refused(chat: str, calls: Mapping[str, str]) -> list[tuple[str, str]]:
    """The calls among these that the user has refused since they were proposed. There are no notes: the user writes the
    next request instead. Empty if there is no such file."""
    lines = [line for line in last_lines(chat) if _NO.encode() in line]
    found = {name: time for line in lines for name, time in _denied(line)}  # the last refusal of each
    return [(call, "") for call, since in calls.items() if _is_after(found.get(call, ""), since)]


def _denied(line: bytes) -> Iterator[tuple[str, str]]:
    """The refused calls in a line: the name and the time of each."""
    try:
        message = orjson.loads(line)
        for call in message["toolCalls"]:
            if call["status"] == "cancelled" and _NO in orjson.dumps(call["result"]).decode():
                yield name_of(call["name"], call["args"]), str(call["timestamp"])
    except (ValueError, KeyError, TypeError):  # another sort of line
        return


def _is_after(time: str, since: str) -> bool:
    try:
        return datetime.fromisoformat(time) >= datetime.fromisoformat(since)
    except (ValueError, TypeError):
        return False
