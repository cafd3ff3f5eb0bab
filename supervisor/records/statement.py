"""The signed payload: an in-toto Statement (v1) with a predicate of this project; and the content lines it names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from supervisor.errors import BadRecord
from supervisor.history import address_of

_STATEMENT = "https://in-toto.io/Statement/v1"
_PREDICATE = "urn:supervisor-guard:{}:v1"
_START = (
    f'{{"_type":"{_STATEMENT}","subject":[{{"name":"%s","digest":{{"sha256":"%s"}}}}],'
    f'"predicateType":"{_PREDICATE.format("%s")}","predicate":{{'
).encode()
_CONTENT_START = b'{"sha256":"'
_CONTENT_MIDDLE = b'","content":'


def statement(kind: str, subject: str, *members: bytes) -> bytes:
    """The bytes to sign: a predicate of these `members` (see `members_of`) about the thing whose SHA-256 is `subject`.

    The caller encodes most members beforehand: this runs under the journal's lock.
    """
    name = kind.encode()
    return b"%s%s}}" % (_START % (name, subject.encode(), name), b",".join(filter(None, members)))


def members_of(predicate: Mapping[str, Any]) -> bytes:
    """A predicate's JSON without its braces."""
    return orjson.dumps(predicate)[1:-1]


def read_statement(payload: bytes) -> tuple[str, dict[str, Any]]:
    """The kind and the predicate of a statement of this project. Raises BadRecord for any other payload."""
    try:
        values = orjson.loads(payload)
        prefix, _, kind = values["predicateType"].removesuffix(":v1").rpartition(":")
        if values["_type"] != _STATEMENT or f"{prefix}:{{}}:v1" != _PREDICATE:
            raise BadRecord("not a statement of this journal", code="not_a_statement")
        return kind, dict(values["predicate"])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadRecord("not an in-toto statement", code="not_a_statement") from None


def content_line(address: str, content: bytes) -> bytes:
    """The line that stores JSON bytes under their address."""
    return _CONTENT_START + address.encode() + _CONTENT_MIDDLE + content + b"}\n"


def read_content(line: bytes) -> tuple[str, bytes] | None:
    """The address and the bytes of a content line; None for any other line. Raises BadRecord if the bytes do not match
    the address."""
    if not line.startswith(_CONTENT_START):
        return None
    address = line[len(_CONTENT_START) : len(_CONTENT_START) + 64].decode("ascii", "replace")
    content = line[len(_CONTENT_START) + 64 + len(_CONTENT_MIDDLE) : -1]
    if content_line(address, content) != line + b"\n" or address_of(content) != address:
        raise BadRecord("its content is not what its address says", code="content_changed")
    return address, content
