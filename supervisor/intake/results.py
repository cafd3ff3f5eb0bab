"""Unwrapping a tool's result from a host's format: the specialists read text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from supervisor.intake.documents import NUMBERS

_LONGEST = 4 * 1024 * 1024  # characters of JSON that is unwrapped
WITHHELD = "Supervisor has withheld what this tool returned."


def unwrapped(response: Any) -> Any:
    """The text of a command's output, of a file that was read, or of an MCP server's blocks; any other value as it
    is."""
    if isinstance(response, list):
        texts = [block.get("text") if isinstance(block, Mapping) else None for block in response]
        return "\n".join(map(str, texts)) if texts and all(isinstance(text, str) for text in texts) else response
    if not isinstance(response, Mapping):
        return response
    if isinstance(response.get("stdout"), str):
        return "\n".join(filter(None, (response["stdout"], _text(response.get("stderr")))))
    file = response.get("file")
    if isinstance(file, Mapping) and isinstance(file.get("content"), str):
        return file["content"]
    return unwrapped(response["content"]) if isinstance(response.get("content"), list) else response


def in_place_of(response: Any, text: str) -> Any:
    """The text in the format of a result, for a host that accepts no other format in its place; None if the format is
    unknown."""
    blocks = [{"type": "text", "text": text}]
    if isinstance(response, (str, list)):
        return text if isinstance(response, str) else blocks
    if not isinstance(response, Mapping):
        return None
    if isinstance(response.get("stdout"), str):
        return {"stdout": text, "stderr": "", "interrupted": response.get("interrupted") is True, "isImage": False}
    file = response.get("file")
    if isinstance(file, Mapping) and isinstance(file.get("content"), str):
        return {**response, "file": {**file, "content": text, "numLines": 1, "totalLines": 1}}
    if isinstance(response.get("content"), list):
        return {**response, "content": blocks}
    known = next((key for key in ("content", "result") if isinstance(response.get(key), str)), None)
    return {**response, known: text} if known else None


def unwrapped_json(response: Any) -> Any:
    """The same for a result that is a JSON string; any other string is returned as it is."""
    if not isinstance(response, str) or not response.startswith(("{", "[")) or len(response) > _LONGEST:
        return unwrapped(response)
    try:
        return unwrapped(json.loads(response, **NUMBERS))
    except (ValueError, RecursionError):
        return response


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
