"""Unwrapping a tool's result from a host's format: the specialists read text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from supervisor.errors import BadInput
from supervisor.intake.documents import NUMBERS, read_json

CONTENTS = frozenset("result results output data response content text payload body value stdout answer".split())
_TEXTS = frozenset("result output content text stdout".split())  # may also hold a single word
_OF_MCP = frozenset({"content", "isError", "_meta"})
_ENVELOPE = re.compile(
    r'\s*\{\s*"(?:status|state|code|success|ok|error|isError|result|output|data|response|content|text)"'
)
_LONGEST_ENVELOPE = 256 * 1024  # characters of JSON that is looked into for one text
_MOST_IN_ENVELOPE = 6  # fields
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


def text_of_result(output: Any) -> Any:
    """The text of a result that holds nothing else: an MCP server's blocks, or one text in an envelope such as
    `{"status": "ok", "result": …}`, also where JSON encodes it. Any other value as it is."""
    if isinstance(output, str):
        opened = _opened(output)
        return output if opened is None else text_of_result(opened) if _is_text_alone(opened) else output
    if _has_blocks(output):
        return unwrapped(output)
    return next(output[name] for name in _texts_of(output)) if _is_text_alone(output) else output


def says_error(output: Any) -> bool:
    """Whether an MCP server's result says that the call failed."""
    return isinstance(output, Mapping) and output.get("isError") is True


def _opened(text: str) -> Any:
    """The object of a short JSON text that begins with a name of an envelope's content; None for any other text, also
    where a key stands twice: the agent reads both values."""
    if len(text) > _LONGEST_ENVELOPE or not _ENVELOPE.match(text):
        return None
    try:
        return read_json(text, limit=_LONGEST_ENVELOPE)
    except BadInput:
        return None


def _has_blocks(output: Any) -> bool:
    """Whether it holds an MCP server's blocks of text and nothing else that the agent reads."""
    blocks = output.get("content") if isinstance(output, Mapping) else output
    return (
        isinstance(blocks, list)
        and bool(blocks)
        and all(map(_is_block, blocks))
        and (blocks is output or (output.keys() <= _OF_MCP and _adds_nothing(output)))
    )


def _is_block(each: Any) -> bool:
    return (
        isinstance(each, Mapping)
        and each.keys() == {"type", "text"}
        and each["type"] == "text"
        and isinstance(each["text"], str)
    )


def _adds_nothing(output: Mapping[str, Any]) -> bool:
    return not output.get("_meta") and output.get("isError") in (None, False, True)


def _is_text_alone(output: Any) -> bool:
    """Whether an object holds one text of several words and, beside it, only the news that the call succeeded."""
    if _has_blocks(output):
        return True
    if not isinstance(output, Mapping) or not 0 < len(output) <= _MOST_IN_ENVELOPE:
        return False
    texts = _texts_of(output)
    return len(texts) == 1 and all(is_success(name, each) for name, each in output.items() if name != texts[0])


def _texts_of(output: Mapping[str, Any]) -> list[str]:
    texts = [name for name, each in output.items() if name in CONTENTS and isinstance(each, str)]
    return [name for name in texts if " " in output[name] or name in _TEXTS]


def is_success(name: str, value: Any) -> bool:
    """Whether a field of an envelope only says that the call succeeded."""
    if name in ("status", "state", "code", "statusCode", "status_code"):
        return str(value).lower() in ("ok", "success", "succeeded", "200", "true")
    if name in ("success", "ok"):
        return value is True
    return name in ("error", "errors", "isError", "is_error", "message") and not value


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
