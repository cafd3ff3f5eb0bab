"""The front door: put a guard before a tool.

@guard
def delete_customer(customer_id: str) -> None: ...

with guard.session(agent="support-bot", task="Close the account of customer 7"):
    delete_customer("7")
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, get_args, overload

from supervisor.action import Action
from supervisor.adapters.function.refusals import OnRefusal
from supervisor.adapters.function.undo import Inverse
from supervisor.adapters.function.wrap import Proposing, wrapped
from supervisor.decision.decision import Decision
from supervisor.engine.approval_wait import await_answer, wait_for_answer
from supervisor.engine.offload import IN_THREAD
from supervisor.engine.session import Session, inside
from supervisor.engine.supervisor import Supervisor
from supervisor.errors import BadInput
from supervisor.intake.json_values import exact, is_small, shown
from supervisor.intake.parsing import check

if TYPE_CHECKING:
    from supervisor.engine.protocol import Engine

P = ParamSpec("P")
T = TypeVar("T")
Waits = Literal["always", "queue", "never"]


class Guard:
    """Guards tools with one supervisor. `guard` is the one of the environment, opened when first used: the daemon that
    SUPERVISOR_URL names, else an engine in this process. For a policy of your own make another:
    `Guard(Supervisor(read_policy("policy.yaml")))`."""

    def __init__(self, supervisor: Engine | None = None) -> None:
        self._supervisor = supervisor
        self._lock = threading.Lock()
        self._session: ContextVar[Session | None] = ContextVar("supervisor_session", default=None)

    @property
    def supervisor(self) -> Engine:
        """The engine behind this guard."""
        with self._lock:
            if self._supervisor is None:
                self._supervisor = _of_environment()
            return self._supervisor

    @overload
    def __call__(self, tool: Callable[P, T], /) -> Callable[P, T]: ...
    @overload
    def __call__(
        self,
        /,
        *,
        name: str | None = None,
        kind: str | None = None,
        fields: Mapping[str, str] | None = None,
        on_refusal: OnRefusal = "raise",
        revert: Callable[..., Any] | None = None,
    ) -> Callable[[Callable[P, T]], Callable[P, T]]: ...
    def __call__(
        self,
        tool: Callable[..., Any] | None = None,
        /,
        *,
        name: str | None = None,
        kind: str | None = None,
        fields: Mapping[str, str] | None = None,
        on_refusal: OnRefusal = "raise",
        revert: Callable[..., Any] | None = None,
    ) -> Any:
        """Guards a tool: `@guard`, `guard(tool)`, or `@guard(kind="refund", fields={"order": "order_no"})`.

        `kind` and `fields` say what the tool does where its name does not (`fields`: a part's name to the argument's);
        `name` is what records call it. A nudge raises Nudged, a block Blocked; with `on_refusal="return"` the tool
        returns their text instead. What the tool itself raises passes unchanged.

        What came of the call is judged as well, by those who judge after an action ran, and what they object to is
        raised or returned in the same way, instead of the result. `revert` undoes a call: where the policy wants that,
        it is called with the same arguments and, as `outcome`, with what the tool returned or raised.
        """

        if on_refusal not in get_args(OnRefusal):
            raise BadInput(f"{shown(on_refusal)} is neither of {', '.join(get_args(OnRefusal))}", place="on_refusal")

        def put_before(function: Any) -> Any:
            if isinstance(function, (staticmethod, classmethod)):
                return type(function)(put_before(function.__func__))
            proposing = Proposing(self, function, name, kind, fields or {})
            return wrapped(self, function, proposing, on_refusal, Inverse(revert))

        return put_before if tool is None else put_before(tool)

    def check(
        self,
        tool: str,
        args: Mapping[str, Any],
        *,
        kind: str | None = None,
        fields: Mapping[str, str] | None = None,
        session: Session | None = None,
        waits: Waits = "always",
    ) -> Decision:
        """The decision on a tool call, without running anything. Never raises for policy; BadInput for bad input.

        `session` is the current one where none is given. Where a person is asked, the caller `waits` as long as the
        policy says: always, never, or only for the queue, where its host may ask its own user otherwise.
        """
        return self.decide(self._proposed(tool, args, kind, fields), session, waits)

    async def acheck(
        self,
        tool: str,
        args: Mapping[str, Any],
        *,
        kind: str | None = None,
        fields: Mapping[str, str] | None = None,
        session: Session | None = None,
        waits: Waits = "always",
    ) -> Decision:
        """`check`, from a coroutine."""
        proposed = partial(self._proposed, tool, args, kind, fields)
        action = proposed() if is_small(args) else await IN_THREAD.run(proposed)
        return await self.adecide(action, session, waits)

    def decide(self, action: Action, session: Session | None = None, waits: Waits = "always") -> Decision:
        """`check`, for an action that has been shaped already."""
        session = session or self.current_session
        decision = self.supervisor.decide_from_thread(action, None, session)
        if _waits(decision, waits) and wait_for_answer(self.supervisor, decision):
            return self.supervisor.decide_from_thread(action, None, session)
        return decision

    async def adecide(self, action: Action, session: Session | None = None, waits: Waits = "always") -> Decision:
        """`decide`, from a coroutine."""
        session = session or self.current_session
        decision = await self.supervisor.decide(action, session=session)
        if _waits(decision, waits) and await await_answer(self.supervisor, decision):
            return await self.supervisor.decide(action, session=session)
        return decision

    @contextlib.contextmanager
    def session(
        self, agent: str | None = None, task: str | None = None, facts: Mapping[str, Any] | None = None
    ) -> Iterator[Session]:
        """Says who acts, what for, and what is known, for every guarded call inside. Sessions of other tasks and
        threads are other sessions."""
        session = Session(agent, task, facts)
        token = self._session.set(session)
        try:
            with inside():
                yield session
        finally:
            self._session.reset(token)

    @property
    def current_session(self) -> Session | None:
        """The session of the running task or thread."""
        return self._session.get()

    def observe(
        self, decision: Decision, output: Any, *, failed: bool = False, session: Session | None = None
    ) -> Decision | None:
        """Tells the session, the current one or another, what came of an action that `check` allowed and the caller
        ran. Returns the decision on that; None where nobody judges such an action after it ran."""
        session = session or self.current_session
        return self.supervisor.observe(session, decision.action, output, failed=failed)

    async def aobserve(
        self, decision: Decision, output: Any, *, failed: bool = False, session: Session | None = None
    ) -> Decision | None:
        """`observe`, from a coroutine."""
        session = session or self.current_session
        return await self.supervisor.aobserve(session, decision.action, output, failed=failed)

    def _proposed(
        self, tool: str, args: Mapping[str, Any], kind: str | None, fields: Mapping[str, str] | None
    ) -> Action:
        told = exact(args)
        check(tool, told, kind)
        return self.supervisor.action(tool, told, kind, fields)


def _of_environment() -> Engine:
    url = os.environ.get("SUPERVISOR_URL")
    if not url:
        return Supervisor.from_environment()
    from supervisor.engine.remote.client import Remote

    return Remote.at(url)


def _waits(decision: Decision, waits: Waits) -> bool:
    """Whether a person is asked whose answer this caller waits for."""
    return decision.is_asked and (waits == "always" or (waits == "queue" and not decision.asks_host))


guard = Guard()
