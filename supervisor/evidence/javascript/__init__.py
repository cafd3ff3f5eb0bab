"""What JavaScript does: its calls by their qualified names, and the texts that their arguments may have.

Read with tree-sitter: strings and comments are not code. An outline: names are followed through `require`, `import`
and single assignments, not through functions.
"""

from __future__ import annotations

from supervisor.errors import Unreadable
from supervisor.evidence.javascript.programs import Call, Program

__all__ = ["MAX_BYTES", "Call", "Program", "read"]

MAX_BYTES = 256 * 1024


def read(code: str) -> Program:
    """Reads code, whole or in part. Raises Unreadable beyond MAX_BYTES and what parsing may take."""
    source = code.encode("utf-8", "replace")
    if len(source) > MAX_BYTES:
        raise Unreadable(f"{len(source):,} bytes of JavaScript, more than the {MAX_BYTES:,} that are read")
    return Program(source)
