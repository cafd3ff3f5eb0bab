"""The interface of an engine, for the guard, wrappers, adapters, hooks and callers that wait for a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from supervisor.action import Action, Context
from supervisor.decision.approval import Approval
from supervisor.decision.decision import Decision
from supervisor.engine.session import Session
from supervisor.policy import Policy

if TYPE_CHECKING:
    from supervisor.engine.remote.client import Remote
    from supervisor.engine.supervisor import Supervisor


class Engine(Protocol):
    """Decides on actions: in this process (`Supervisor`), or behind a socket (`Remote`).

    The methods are documented here; an implementation documents only where it differs. `decide` and `aobserve` are
    for coroutines, `decide_from_thread` and `observe` for callers that have no event loop.
    """

    @property
    def policy(self) -> Policy | None:
        """The policy of this engine; None if another process has it."""

    def start(self) -> None:
        """Prepares what the first decision would wait for. Raises NoWorker if no worker can be started."""

    def action(
        self,
        tool: str,
        args: Mapping[str, Any],
        kind: str | None = None,
        fields: Mapping[str, str] | None = None,
        parameters: frozenset[str] | None = None,
    ) -> Action:
        """The action of a tool call, with the tools that the policy declares; see `intake.parsing.shaped`."""

    async def decide(self, action: Action, context: Context | None = None, session: Session | None = None) -> Decision:
        """The decision on one action. When it returns, its record is on disk.

        `session` remembers nudges, and gives the context if `context` is None. A verdict never raises. The caller's
        cancellation does. Raises BadInput if the context cannot be recorded, or if it has more possible secrets than
        can be masked in time.
        """

    def decide_from_thread(
        self, action: Action, context: Context | None = None, session: Session | None = None
    ) -> Decision:
        """`decide`, for callers that have no event loop."""

    def observe(
        self,
        session: Session | None,
        action: Action,
        output: Any,
        *,
        failed: bool = False,
        context: Context | None = None,
    ) -> Decision | None:
        """Adds an action that ran to its session's history, with what its tool returned or raised.

        Returns the decision on the outcome; None if no specialist judges outcomes of this kind. The outcome is judged
        in `context` if given, else in the session's; the history is the session's if there is one.
        """

    async def aobserve(
        self,
        session: Session | None,
        action: Action,
        output: Any,
        *,
        failed: bool = False,
        context: Context | None = None,
    ) -> Decision | None:
        """`observe`, from a coroutine."""

    def reverted(self, decision: Decision, problem: str = "") -> Decision:
        """Records that an action was undone as its decision required, or the `problem` of the attempt. Returns the
        decision with that result. Raises RecordFailed."""

    def is_answered(self, approval: Approval) -> bool:
        """Whether a person has answered, so that the action may be proposed again."""

    def answer(self, name: str, word: str, by: str, note: str = "") -> dict[str, Any]:
        """Stores a person's answer to a question. Raises BadInput if there is no such question, MayNotAnswer inside a
        guarded session or tool."""

    def relay(self, name: str, word: str, host: str, note: str = "") -> dict[str, Any]:
        """Stores the answer that a host's own user gave at the host's prompt. For adapters."""

    def resumed(self, name: str, host: str) -> None:
        """Records that an action ran because its host's own user approved it; see `Queue.resumed`."""

    def close(self) -> None:
        """Closes every resource."""


if TYPE_CHECKING:
    _KEPT_BY: tuple[type[Engine], ...] = (Supervisor, Remote)
