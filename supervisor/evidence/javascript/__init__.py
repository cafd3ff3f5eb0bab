"""What JavaScript does: its calls by their qualified names, and the texts that their arguments may have.

The reader uses tree-sitter: strings and comments are not code. Names are followed through `require`, `import` and
single assignments, not through functions.
"""

from __future__ import annotations

import re

from supervisor.errors import Unreadable
from supervisor.evidence.javascript.programs import Call, Program, Value

__all__ = ["MAX_BYTES", "Call", "Program", "Value", "fingerprint_of", "read"]

MAX_BYTES = 1024 * 1024
_LONG = 64 * 1024  # characters from which padding is removed first
# The end of a line is kept, since a comment may end there. Comment lines are removed only if they contain no quote and
# precede the first template: so they are in no string.
_EMPTY = re.compile(r"(;);{15,}|(;\n)(?:[ \t]*+;\n){15,}")
_COMMENTS = re.compile(r"(?<![\\\n])\n(?:[ \t]*+//[^\n'\"`\\*]*+\n){16,}")


def read(code: str, before: str = "") -> Program:
    """Reads code, whole or in part; `before` is what it replaces.

    Raises Unreadable beyond MAX_BYTES and MAX_STEPS.
    """
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
    """What code does, independent of layout and module aliases: its calls and their arguments."""
    if code is None:
        return frozenset()
    parts: set[str] = set()
    for call in code.calls:
        described = [f"{call.name} {place}={code.text(value)}" for place, value in enumerate(call.arguments)]
        parts.update(described or [call.name])
    parts.update(f"{target} = {code.text(value)}" for target, value in code.assignments if "." in target)
    return frozenset(parts)
