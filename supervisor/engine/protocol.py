"""What an engine is to who needs one: the guard, wrappers, adapters, hooks, and whoever waits for a person."""

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

    What a method means stands here; what is particular to one engine stands with it. `decide` and `aobserve` are for
    coroutines, `decide_from_thread` and `observe` for callers that have no event loop.
    """

    @property
    def policy(self) -> Policy | None:
        """The policy that it decides under; None where another process has it."""

    def start(self) -> None:
        """Gets ready what the first decision would wait for. NoWorker."""

    def action(
        self,
        tool: str,
        args: Mapping[str, Any],
        kind: str | None = None,
        fields: Mapping[str, str] | None = None,
        parameters: frozenset[str] | None = None,
    ) -> Action:
        """The action that a tool call is, in this deployment's terms; see `proposal.shaped`."""

    async def decide(self, action: Action, context: Context | None = None, session: Session | None = None) -> Decision:
        """The decision on one action. When it returns, its record is on disk.

        `session` remembers nudges, and is the context where none is given. Policy never raises; the caller's own
        cancellation does, and BadInput where the context holds what no record could, or where more looks like secrets
        than can be masked in time.
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
        """An action that ran joins its session's history, with what its tool returned or raised.

        Returns the decision on what came of it; None where nobody judges actions of this kind after they ran. What is
        known is `context` where it is given, else what the session knows; the past is the session's where there is one.
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
        """Records that an action which a decision wanted undone was undone, or the `problem` that it met. Returns the
        decision with what became of it. RecordFailed."""

    def is_answered(self, approval: Approval) -> bool:
        """Whether a person has answered, so that the action may be proposed again."""

    def answer(self, name: str, word: str, by: str, note: str = "") -> dict[str, Any]:
        """A person's answer to a question. BadInput where there is no such question, MayNotAnswer inside a guarded
        session or tool."""

    def relay(self, name: str, word: str, host: str, note: str = "") -> dict[str, Any]:
        """What a host's own user has said at its prompt: for adapters."""

    def resumed(self, name: str, host: str) -> None:
        """An action has run because its host's own user said yes; see `Queue.resumed`."""

    def close(self) -> None:
        """Ends what it holds open."""


if TYPE_CHECKING:
    _KEPT_BY: tuple[type[Engine], ...] = (Supervisor, Remote)
