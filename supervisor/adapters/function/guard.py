"""The guard: it judges the calls of a tool.

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
    """Guards tools with one engine. The module's `guard` opens its engine at the first use: the daemon that
    SUPERVISOR_URL names, else an engine in this process. For your own policy, create another guard:
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

        `kind` and `fields` declare what the tool does if its name does not show it (`fields` maps a part's name to the
        argument's); `name` is the tool's name in records. A nudge raises Nudged, a block Blocked; with
        `on_refusal="return"` the tool returns their text instead. The tool's own exceptions pass unchanged.

        Specialists for outcomes judge the result too; an objection is raised or returned in the same way, instead of
        the result. `revert` undoes a call: if the policy requires that, it is called with the same arguments and
        `outcome`, which is what the tool returned or raised. Raises BadInput if an option is invalid.
        """

        if on_refusal not in get_args(OnRefusal):
            raise BadInput(f"{shown(on_refusal)} is none of {', '.join(get_args(OnRefusal))}", place="on_refusal")

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
        """The decision on a tool call. Runs nothing. A verdict never raises; raises BadInput if the input is invalid.

        `session` is by default the current one. If a person is asked, the caller waits as long as the policy says
        (`waits="always"`), not at all ("never"), or only if the host cannot ask its own user ("queue").
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
        """`check`, for an `Action`."""
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
        """A session for every guarded call inside: the agent, its task, and known facts. Other asyncio tasks and
        threads have their own sessions."""
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
        """Adds the outcome of an action that `check` allowed and the caller ran to the session, by default the current
        one. Returns the decision on the outcome; None if no specialist judges outcomes of this kind."""
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
        exact_args = exact(args)
        check(tool, exact_args, kind)
        return self.supervisor.action(tool, exact_args, kind, fields)


def _of_environment() -> Engine:
    url = os.environ.get("SUPERVISOR_URL")
    if not url:
        return Supervisor.from_environment()
    from supervisor.engine.remote.client import Remote

    return Remote.at(url)


def _waits(decision: Decision, waits: Waits) -> bool:
    """Whether this caller waits for a person's answer."""
    return decision.is_asked and (waits == "always" or (waits == "queue" and not decision.asks_host))


guard = Guard()
