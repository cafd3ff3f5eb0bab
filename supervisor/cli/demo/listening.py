"""A supervisor that one can watch at work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from supervisor.action import Action, Context
from supervisor.decision.decision import Decision
from supervisor.engine.session import Session
from supervisor.engine.supervisor import Supervisor
from supervisor.policy import Policy


@dataclass(frozen=True, slots=True)
class Seen:
    """One decision, and whose action it was about."""

    agent: str
    decision: Decision

    @property
    def is_outcome(self) -> bool:
        """Whether it is about what came of an action, not about the action."""
        return self.decision.stage == "after"


Tell = Callable[[Seen], None]


class Listening(Supervisor):
    """Tells somebody of each decision before anyone acts on it."""

    def __init__(self, policy: Policy, tell: Tell) -> None:
        super().__init__(policy)
        self._tell = tell

    async def decide(
        self, action: Action, context: Context | None = None, session: Session | None = None, **how: Any
    ) -> Decision:
        decision = await super().decide(action, context, session, **how)
        self._tell(Seen((session.agent if session else None) or "", decision))
        return decision
