"""What Python code does: its calls by their qualified names, and what their arguments are made of.

Read with tree-sitter, which also reads fragments (the new text of an edit). Strings and comments are not code.
"""

from __future__ import annotations

from supervisor.errors import Unreadable
from supervisor.evidence.python.modules import Call, Module, Value
from supervisor.evidence.python.padding import without_padding
from supervisor.evidence.python.syntax import MAX_STEPS

__all__ = ["MAX_BYTES", "MAX_STEPS", "Call", "Module", "Value", "fingerprint_of", "read"]

MAX_BYTES = 1024 * 1024
_LONG = 64 * 1024  # characters from which it is read without what does nothing


def read(code: str, before: str = "") -> Module:
    """Reads code, whole or in part; `before` is what it replaces. Raises Unreadable beyond MAX_BYTES and MAX_STEPS."""
    if len(code) > MAX_BYTES:
        raise Unreadable(f"{len(code):,} characters of Python, more than the {MAX_BYTES:,} that are read")
    return Module((without_padding(code) if len(code) > _LONG else code).encode("utf-8", "replace"), before)


def fingerprint_of(code: Module | None) -> frozenset[str]:
    """What code does, independent of how it is laid out and what its imports are called: calls and their arguments."""
    if code is None:
        return frozenset()
    essence: set[str] = set()
    for call in code.calls:
        arguments = [*enumerate(call.positional), *call.keywords.items()]
        told = [f"{call.name} {place}={code.text(value)}" for place, value in arguments]
        essence.update(told or [call.name])
    essence.update(f"{target} = {code.text(value)}" for target, value in code.assignments if "." in target)
    return frozenset(essence)
