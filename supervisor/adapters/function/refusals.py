"""What a guarded call gives where it is refused: an exception, or the text for the agent."""

from __future__ import annotations

from typing import Any, Literal

from supervisor.decision.decision import Decision
from supervisor.errors import SupervisorError
from supervisor.verdict import Verdict

OnRefusal = Literal["raise", "return"]


class Refused(SupervisorError):
    """The action did not run, or what came of it may not stand (`decision.stage` tells which). The text is compact JSON
    for the agent; `decision` holds everything else, `returned` what the tool gave back, where it ran."""

    code = "refused"

    def __init__(self, decision: Decision, returned: Any = None) -> None:
        super().__init__(decision.message())
        self.decision = decision
        self.returned = returned


class Nudged(Refused):
    """Refused with a correction that the agent is expected to follow."""

    code = "nudged"


class Blocked(Refused):
    """Refused outright; the agent has to plan anew."""

    code = "blocked"


def refuse(decision: Decision, on_refusal: OnRefusal, returned: Any = None, cause: Exception | None = None) -> str:
    """Raises what the agent is told, or returns it."""
    if on_refusal == "return":
        return decision.message()
    raise (Nudged if decision.verdict is Verdict.NUDGE else Blocked)(decision, returned) from cause


def told(error: BaseException) -> str:
    """What a tool that failed came to, for its session's history."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 - the tool's own exception goes on as it came, even if it cannot say what it is
        return type(error).__name__
