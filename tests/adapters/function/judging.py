"""What the guards of these tests are judged by."""

from __future__ import annotations

from supervisor.action import Action, Context
from supervisor.specialist import Opinion, block, nudge, ok, specialist

SEEN: list[tuple[Action, Context]] = []


@specialist("*")
def judges(action: Action, context: Context) -> Opinion:
    """Objects to whatever argument says so, and keeps what it saw."""
    SEEN.append((action, context))
    values = str(action.args)
    if "BLOCK" in values:
        return block("It says BLOCK.")
    return nudge("It says NUDGE.", correction="Say please.") if "NUDGE" in values else ok()
