"""JSON-RPC messages, read as strictly as the strictest receiver does."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from supervisor.intake.documents import real

MAX_MESSAGE = 64 * 1024 * 1024  # bytes
PARSE_ERROR, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32602, -32603
_TOKENS = re.compile(rb'"(?:[^"\\]|\\.)*+"|[\[\]{}]|[^"\[\]{}]+|"', re.DOTALL)
_PRINTED = sys.int_info.str_digits_check_threshold  # digits of an integer that Python always converts


class Unclear(Exception):
    """The message is ambiguous (two readers could read it differently) or unreadable."""


def read(line: bytes) -> Any:
    """The JSON value in a line. Raises Unclear if it is not JSON, or if a key occurs twice: some readers take the first
    value, others the last. An integer that Python cannot convert, and a number beyond a double, stay text."""
    try:
        return json.loads(line.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refuse, **NUMBERS)
    except (ValueError, RecursionError) as error:
        raise Unclear(str(error) or type(error).__name__) from None


def shallow(line: bytes) -> bytes:
    """A line of JSON in which null replaces everything nested deeper than the members of a message, so that it can be
    parsed however deep it was."""
    most = 2 if line.lstrip().startswith(b"[") else 1
    kept, depth = [], 0
    for token in _TOKENS.findall(line):
        if token in (b"[", b"{"):
            depth += 1
            if depth == most + 1:
                kept.append(b"null")
        if depth <= most:
            kept.append(token)
        if token in (b"]", b"}"):
            depth -= 1
    return b"".join(kept)


def written(message: Any) -> bytes:
    """A message as one line."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def error(id: Any, code: int, message: str) -> bytes:
    """The answer to a request that cannot be served."""
    return written({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})


def refused(message: dict[str, Any], text: str) -> bytes:
    """The answer to a refused tool call: an error result that the model reads, not a protocol error."""
    return written(answer(message["id"], text, {"resultType": "complete"} if version_of(message) else None))


def answer(id: Any, text: str, like: Any = None) -> dict[str, Any]:
    """The guard's answer to a tool call, for the protocol revision of the result `like`."""
    result: dict[str, Any] = {"content": [{"type": "text", "text": text}], "isError": True}
    if isinstance(like, dict) and "resultType" in like:
        result["resultType"] = "complete"
    return {"jsonrpc": "2.0", "id": id, "result": result}


def version_of(message: dict[str, Any]) -> str:
    """The protocol revision that a request names; "" before the revision of 2026-07-28."""
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    version = meta.get("io.modelcontextprotocol/protocolVersion") if isinstance(meta, dict) else None
    return version if isinstance(version, str) else ""


def key_of(id: Any) -> str:
    """An id as a key: in JSON-RPC `"1"` and `1` differ."""
    return json.dumps(id)


def _whole(text: str) -> int | str:
    return int(text) if len(text) <= _PRINTED else text


NUMBERS: Mapping[str, Any] = {"parse_int": _whole, "parse_float": real}  # for `json.loads`


def lines(chunks: Iterator[bytes], longest: int = MAX_MESSAGE) -> Iterator[bytes]:
    """The lines of a stream of bytes, each with its end. Raises Unclear if one is longer than `longest` bytes."""
    begun = bytearray()
    for chunk in chunks:
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            begun += chunk[start : end + 1]
            yield bytes(begun)
            begun.clear()
            start = end + 1
        begun += chunk[start:]
        if len(begun) > longest:
            raise Unclear(f"a message has more than the {longest:,} bytes allowed")
    if begun:
        yield bytes(begun)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key occurs twice")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
