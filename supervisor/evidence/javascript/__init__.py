"""What JavaScript does: its calls by their qualified names, and the texts that their arguments may have.

Read with tree-sitter: strings and comments are not code. An outline: names are followed through `require`, `import`
and single assignments, not through functions.
"""

from __future__ import annotations

import re

from supervisor.errors import Unreadable
from supervisor.evidence.javascript.programs import Call, Program, Value

__all__ = ["MAX_BYTES", "Call", "Program", "Value", "fingerprint_of", "read"]

MAX_BYTES = 1024 * 1024
_LONG = 64 * 1024  # characters from which it is read without empty statements
# The end of a line stays, since a comment may end there. Lines of comment go that hold no quote, where no template has
# begun yet: so they are in no string.
_EMPTY = re.compile(r"(;);{15,}|(;\n)(?:[ \t]*+;\n){15,}")
_COMMENTS = re.compile(r"(?<![\\\n])\n(?:[ \t]*+//[^\n'\"`\\*]*+\n){16,}")


def read(code: str, before: str = "") -> Program:
    """Reads code, whole or in part; `before` is what it replaces. Raises Unreadable beyond MAX_BYTES and what parsing
    may take."""
    if len(code) > MAX_BYTES:
        raise Unreadable(f"{len(code):,} characters of JavaScript, more than the {MAX_BYTES:,} that are read")
    if len(code) > _LONG:
        code = _without_padding(code)
    return Program(code.encode("utf-8", "replace"), before)


def _without_padding(code: str) -> str:
    head, template, rest = code.partition("`")
    head = _COMMENTS.sub("\n", f" \n{head}")[2:]
    return _EMPTY.sub(lambda found: found[1] or found[2], head + template + rest)


def fingerprint_of(code: Program | None) -> frozenset[str]:
    """What code does, independent of how it is laid out and what it calls its modules: calls and their arguments."""
    if code is None:
        return frozenset()
    essence: set[str] = set()
    for call in code.calls:
        told = [f"{call.name} {place}={code.text(value)}" for place, value in enumerate(call.arguments)]
        essence.update(told or [call.name])
    essence.update(f"{target} = {code.text(value)}" for target, value in code.assignments if "." in target)
    return frozenset(essence)
