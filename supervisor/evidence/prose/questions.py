"""Whether a deployment or a task says that the agent may only read."""

from __future__ import annotations

import re

from supervisor.action import Context

_LONGEST = 2_000  # characters of a task
_READS_ONLY = frozenset({"read-only", "readonly", "read_only", "ro"})
_FORBIDS = re.compile(
    r"(?i)\b(?:read[- ]only (?:access|database|mode|session|user)|(?:do not|don't) (?:modify|write))\b"
)


def only_reads(context: Context) -> bool:
    """Whether the deployment's facts, or explicit words of the task, forbid writing."""
    facts = context.facts
    if facts.get("read_only") is True or facts.get("readonly") is True:
        return True
    stated = (facts.get(name) for name in ("access", "mode", "permissions"))
    if any(isinstance(value, str) and value.strip().lower() in _READS_ONLY for value in stated):
        return True
    return bool(_FORBIDS.search((context.task or "")[:_LONGEST]))
