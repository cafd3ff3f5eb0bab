"""A supervisor that reports each decision to a listener."""

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
    """One decision, and the agent of its action."""

    agent: str
    decision: Decision

    @property
    def is_outcome(self) -> bool:
        """Whether it is about the outcome of an action."""
        return self.decision.stage == "after"


Listener = Callable[[Seen], None]


class Listening(Supervisor):
    """Calls a listener with each decision before it takes effect."""

    def __init__(self, policy: Policy, listener: Listener) -> None:
        super().__init__(policy)
        self._listener = listener

    async def decide(
        self, action: Action, context: Context | None = None, session: Session | None = None, **how: Any
    ) -> Decision:
        decision = await super().decide(action, context, session, **how)
        self._listener(Seen((session.agent if session else None) or "", decision))
        return decision
