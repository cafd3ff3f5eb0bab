"""Supervisor: every action that an agent proposes is judged before it runs.

    from supervisor import guard

    @guard
    def delete_customer(customer_id: str) -> None: ...

The names below are imported when they are first used, so that `import supervisor` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from supervisor.action import Action, Context, Step
    from supervisor.adapters.function.guard import Guard, guard
    from supervisor.adapters.function.refusals import Blocked, Nudged, Refused
    from supervisor.decision.decision import Decision
    from supervisor.engine.session import Session
    from supervisor.engine.supervisor import Supervisor
    from supervisor.errors import SupervisorError
    from supervisor.policy import Policy, read_policy
    from supervisor.verdict import Cause, Finding, Refusal, Verdict

__all__ = [
    "Action",
    "Blocked",
    "Cause",
    "Context",
    "Decision",
    "Finding",
    "Guard",
    "Nudged",
    "Policy",
    "Refusal",
    "Refused",
    "Session",
    "Step",
    "Supervisor",
    "SupervisorError",
    "Verdict",
    "guard",
    "read_policy",
]

_HOMES = {
    "action": ("Action", "Context", "Step"),
    "adapters.function.refusals": ("Blocked", "Nudged", "Refused"),
    "decision.decision": ("Decision",),
    "engine.supervisor": ("Supervisor",),
    "errors": ("SupervisorError",),
    "adapters.function.guard": ("Guard", "guard"),
    "policy": ("Policy", "read_policy"),
    "engine.session": ("Session",),
    "verdict": ("Cause", "Finding", "Refusal", "Verdict"),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            from importlib import import_module

            value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
