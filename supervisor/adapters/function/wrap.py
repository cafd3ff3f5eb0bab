"""A guard around a Python function: its calls are judged before they run, and their outcomes after."""

from __future__ import annotations

import functools
import inspect
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from supervisor.action import Action
from supervisor.adapters.function.refusals import OnRefusal, error_text, refuse
from supervisor.adapters.function.undo import Inverse
from supervisor.decision.decision import Decision
from supervisor.engine.offload import IN_THREAD
from supervisor.engine.session import Session, inside
from supervisor.errors import BadInput
from supervisor.intake.json_values import exact, is_small, shown
from supervisor.intake.kinds import runs
from supervisor.intake.parsing import check

if TYPE_CHECKING:
    from supervisor.engine.protocol import Engine

logger = logging.getLogger("supervisor")


class Guard(Protocol):
    """The methods that a wrapped tool calls of its guard, `supervisor.adapters.function.guard.Guard`."""

    @property
    def supervisor(self) -> Engine: ...
    def decide(self, action: Action) -> Decision: ...
    async def adecide(self, action: Action) -> Decision: ...
    def observe(
        self, decision: Decision, output: Any, *, failed: bool = False, session: Session | None = None
    ) -> Decision | None: ...
    async def aobserve(
        self, decision: Decision, output: Any, *, failed: bool = False, session: Session | None = None
    ) -> Decision | None: ...


def wrapped(
    guard: Guard, function: Callable[..., Any], proposing: Proposing, on_refusal: OnRefusal, inverse: Inverse
) -> Callable[..., Any]:
    """The function behind the guard; a coroutine function if it is one. Raises BadInput if `inverse` does not fit."""
    is_async = _is_async(function)
    inverse.check(function, is_async=is_async)
    return (_async if is_async else _sync)(guard, function, proposing, on_refusal, inverse)


class Proposing:
    """Turns a call of one function into an action: its arguments by name, with defaults, without `self`."""

    def __init__(
        self,
        guard: Guard,
        function: Callable[..., Any],
        name: str | None,
        kind: str | None,
        fields: Mapping[str, str],
    ) -> None:
        self._guard, self._kind = guard, kind
        self._name = name or str(getattr(function, "__name__", type(function).__name__))
        check(self._name, {}, kind)
        self._signature = inspect.signature(function)
        parameters = list(self._signature.parameters.values())
        self._receiver = parameters[0].name if parameters and parameters[0].name in ("self", "cls") else None
        self._extra = next((each.name for each in parameters if each.kind is each.VAR_KEYWORD), None)
        named = frozenset(each.name for each in parameters if each.name not in (self._receiver, self._extra))
        if not self._extra and (unknown := sorted(set(fields.values()) - named)):
            raise BadInput(f"{self._name} has no parameter {shown(unknown[0])}", place="fields")
        self._fields, self._parameters = fields, named

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Action:
        """The action of a call. Raises TypeError, as the function itself, if the arguments do not fit its signature;
        BadInput if they cannot be judged."""
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        named = dict(bound.arguments)
        named.pop(self._receiver or "", None)
        extra = named.pop(self._extra or "", {})
        if twice := sorted(named.keys() & extra.keys()):
            raise BadInput(f"{shown(twice[0])} is given twice", place="args", code="not_exact")
        given = exact(named | extra)
        action = self._guard.supervisor.action(self._name, given, self._kind, self._fields, self._parameters)
        part = runs(action.kind)
        if part and action.get(part) is None:
            message = (
                f"{self._name} is a {action.kind} tool, and none of its arguments is the {part}; name it in `fields`"
            )
            raise BadInput(message, place="fields", code="no_part")
        return action


def _is_async(function: Callable[..., Any]) -> bool:
    """Whether a call returns a coroutine; an object may have an async `__call__`."""
    called = getattr(function, "__call__", None)  # noqa: B004 - needs the method itself
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(called)


def _sync(
    guard: Guard, function: Callable[..., Any], proposing: Proposing, on_refusal: OnRefusal, inverse: Inverse
) -> Callable[..., Any]:
    @functools.wraps(function)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        decision = guard.decide(proposing(args, kwargs))
        if not decision.allowed:
            return refuse(decision, on_refusal)
        try:
            with inside():
                returned = function(*args, **kwargs)
        except BaseException as error:  # an interrupted tool, too, may have done half of its work
            judged = judge_outcome(guard, decision, error_text(error), failed=True)
            if judged and not judged.allowed:
                judged, _ = inverse.run(guard.supervisor, judged, args, kwargs, error)
                error.add_note(judged.message())
            raise
        judged = judge_outcome(guard, decision, returned)
        if judged is None or judged.allowed:
            return returned
        judged, problem = inverse.run(guard.supervisor, judged, args, kwargs, returned)
        return refuse(judged, on_refusal, returned, problem)

    return guarded


def _async(
    guard: Guard,
    function: Callable[..., Awaitable[Any]],
    proposing: Proposing,
    on_refusal: OnRefusal,
    inverse: Inverse,
) -> Callable[..., Awaitable[Any]]:
    @functools.wraps(function)
    async def guarded(*args: Any, **kwargs: Any) -> Any:
        small = is_small(args, kwargs)
        action = proposing(args, kwargs) if small else await IN_THREAD.run(proposing, args, kwargs)
        decision = await guard.adecide(action)
        if not decision.allowed:
            return refuse(decision, on_refusal)
        try:
            with inside():
                returned = await function(*args, **kwargs)
        except BaseException as error:  # a cancelled tool, too, may have done half of its work
            # Not awaited: a second cancellation would lose the outcome.
            judged = judge_outcome(guard, decision, error_text(error), failed=True)
            if judged and not judged.allowed:
                judged, _ = await inverse.arun(guard.supervisor, judged, args, kwargs, error)
                error.add_note(judged.message())
            raise
        judged = await ajudge_outcome(guard, decision, returned)
        if judged is None or judged.allowed:
            return returned
        judged, problem = await inverse.arun(guard.supervisor, judged, args, kwargs, returned)
        return refuse(judged, on_refusal, returned, problem)

    return guarded


def judge_outcome(
    guard: Guard, decision: Decision, output: Any, *, failed: bool = False, session: Session | None = None
) -> Decision | None:
    """The decision on the outcome of a call. None if the guard itself fails: an exception would make the caller think
    that the tool has not run."""
    try:
        return guard.observe(decision, output, failed=failed, session=session)
    except Exception:  # see above
        logger.exception("the output of %s is not remembered", decision.action.tool)
        return None


async def ajudge_outcome(
    guard: Guard, decision: Decision, output: Any, *, failed: bool = False, session: Session | None = None
) -> Decision | None:
    """`judge_outcome`, from a coroutine."""
    try:
        return await guard.aobserve(decision, output, failed=failed, session=session)
    except Exception:  # as above
        logger.exception("the output of %s is not remembered", decision.action.tool)
        return None
