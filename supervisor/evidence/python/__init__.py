"""What Python code does: its calls by their qualified names, and the origin of their arguments.

The reader uses tree-sitter, which also parses fragments (the new text of an edit). Strings and comments are not code.
"""

from __future__ import annotations

from supervisor.errors import Unreadable
from supervisor.evidence.python.modules import Call, Module, Value
from supervisor.evidence.python.padding import without_padding
from supervisor.evidence.python.syntax import MAX_STEPS

__all__ = ["MAX_BYTES", "MAX_STEPS", "Call", "Module", "Value", "fingerprint_of", "read"]

MAX_BYTES = 1024 * 1024
_LONG = 64 * 1024  # characters from which padding is removed first


def read(code: str, before: str = "") -> Module:
    """Reads code, whole or in part; `before` is what it replaces. Raises Unreadable beyond MAX_BYTES and MAX_STEPS."""
    if len(code) > MAX_BYTES:
        raise Unreadable(f"{len(code):,} characters of Python, more than the {MAX_BYTES:,} that are read")
    return Module((without_padding(code) if len(code) > _LONG else code).encode("utf-8", "replace"), before)


def fingerprint_of(code: Module | None) -> frozenset[str]:
    """What code does, independent of layout and import aliases: its calls and their arguments."""
    if code is None:
        return frozenset()
    parts: set[str] = set()
    for call in code.calls:
        arguments = [*enumerate(call.positional), *call.keywords.items()]
        described = [f"{call.name} {place}={code.text(value)}" for place, value in arguments]
        parts.update(described or [call.name])
    parts.update(f"{target} = {code.text(value)}" for target, value in code.assignments if "." in target)
    return frozenset(parts)
