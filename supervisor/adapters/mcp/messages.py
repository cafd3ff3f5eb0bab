"""JSON-RPC messages, read as strictly as the strictest receiver would."""

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
_PRINTED = sys.int_info.str_digits_check_threshold  # digits that Python reads and writes whatever its settings say


class Unclear(Exception):
    """Two readers could take this message for different ones, or none could read it."""


def read(line: bytes) -> Any:
    """The JSON value in a line. Raises Unclear also for keys that are given twice: of those, one reader takes the
    first and another the last. Integers stay integers as long as Python writes them (an id is written again); a longer
    one, and a number beyond a double, is the text that stands there."""
    try:
        return json.loads(line.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refuse, **NUMBERS)
    except (ValueError, RecursionError) as error:
        raise Unclear(str(error) or type(error).__name__) from None


def shallow(line: bytes) -> bytes:
    """A line of JSON with null for what is nested deeper than the members of a message, or of those in a batch: what
    is left can be read however deep the rest is."""
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
    """The answer to a tool call that does not run: an error that the model reads, not one of the protocol."""
    return written(answer(message["id"], text, {"resultType": "complete"} if version_of(message) else None))


def answer(id: Any, text: str, like: Any = None) -> dict[str, Any]:
    """The answer to a tool call in the words of the guard; of the revision of the protocol that `like`, a result, is
    of."""
    result: dict[str, Any] = {"content": [{"type": "text", "text": text}], "isError": True}
    if isinstance(like, dict) and "resultType" in like:
        result["resultType"] = "complete"
    return {"jsonrpc": "2.0", "id": id, "result": result}


def version_of(message: dict[str, Any]) -> str:
    """The revision of the protocol that a request names, which they do since that of 2026-07-28; empty before."""
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    version = meta.get("io.modelcontextprotocol/protocolVersion") if isinstance(meta, dict) else None
    return version if isinstance(version, str) else ""


def key_of(id: Any) -> str:
    """An id as a key: to JSON-RPC `"1"` and `1` are two."""
    return json.dumps(id)


def _whole(text: str) -> int | str:
    return int(text) if len(text) <= _PRINTED else text


NUMBERS: Mapping[str, Any] = {"parse_int": _whole, "parse_float": real}  # for `json.loads`


def lines(chunks: Iterator[bytes], longest: int = MAX_MESSAGE) -> Iterator[bytes]:
    """The lines in a stream of bytes, each with its end. Raises Unclear for one that is longer than allowed."""
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
        raise ValueError("a key is given twice")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
