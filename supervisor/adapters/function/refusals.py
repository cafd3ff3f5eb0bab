"""The result of a refused call: an exception, or the text for the agent."""

from __future__ import annotations

from typing import Any, Literal

from supervisor.decision.decision import Decision
from supervisor.errors import SupervisorError
from supervisor.verdict import Verdict

OnRefusal = Literal["raise", "return"]


class Refused(SupervisorError):
    """The action did not run, or its outcome was refused (see `decision.stage`). The text is compact JSON for the
    agent. `decision` has everything else, `returned` what the tool returned if it ran."""

    code = "refused"

    def __init__(self, decision: Decision, returned: Any = None) -> None:
        super().__init__(decision.message())
        self.decision = decision
        self.returned = returned


class Nudged(Refused):
    """Refused with a correction that the agent is expected to follow."""

    code = "nudged"


class Blocked(Refused):
    """Refused without a correction; the agent must plan anew."""

    code = "blocked"


def refuse(decision: Decision, on_refusal: OnRefusal, returned: Any = None, cause: Exception | None = None) -> str:
    """Raises Nudged or Blocked, or returns the text for the agent."""
    if on_refusal == "return":
        return decision.message()
    raise (Nudged if decision.verdict is Verdict.NUDGE else Blocked)(decision, returned) from cause


def error_text(error: BaseException) -> str:
    """A tool's exception as text, for its session's history."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 - the exception's own `__str__` may raise
        return type(error).__name__
