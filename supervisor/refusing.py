"""What a guarded call gives where it is refused, or where what it came to may not stand."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import anyio

from supervisor.decision.decision import Decision
from supervisor.errors import BadInput, SupervisorError
from supervisor.verdict import Verdict

if TYPE_CHECKING:
    from supervisor.engine_protocol import Engine

OnRefusal = Literal["raise", "return"]
_log = logging.getLogger("supervisor")


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


@dataclass(frozen=True, slots=True)
class Inverse:
    """What undoes a tool: called with the arguments of the call and, as `outcome`, what the tool returned or raised."""

    undo: Callable[..., Any] | None

    def check(self, tool: Callable[..., Any], *, is_async: bool) -> None:
        """BadInput where it could not be called for this tool."""
        if self.undo is None:
            return
        if "outcome" in inspect.signature(tool).parameters:
            raise BadInput("the tool has a parameter of its own called outcome", place="revert")
        takes = inspect.signature(self.undo).parameters
        if "outcome" not in takes and all(each.kind is not each.VAR_KEYWORD for each in takes.values()):
            raise BadInput("it has no parameter called outcome, for what the tool returned or raised", place="revert")
        if inspect.iscoroutinefunction(self.undo) and not is_async:
            raise BadInput("a coroutine cannot be awaited by a tool that is none", place="revert")

    def run(
        self, by: Engine, decision: Decision, args: Any, kwargs: Any, outcome: Any
    ) -> tuple[Decision, Exception | None]:
        """Undoes what came to this decision, if it asks for that, and has it recorded. Returns the decision with what
        became of it, and the exception that the inverse has raised."""
        if not self._is_wanted(decision) or self.undo is None:
            return decision, None
        try:
            self.undo(*args, **kwargs, outcome=outcome)
        except BaseException as error:  # that an inverse was interrupted is recorded as well
            ended = _recorded(by, decision, told(error))
            if not isinstance(error, Exception):
                raise
            return ended, error
        return _recorded(by, decision, ""), None

    async def arun(
        self, by: Engine, decision: Decision, args: Any, kwargs: Any, outcome: Any
    ) -> tuple[Decision, Exception | None]:
        """`run`, from a coroutine, which may be cancelled: what is to be undone is undone all the same."""
        if not inspect.iscoroutinefunction(self.undo):
            return self.run(by, decision, args, kwargs, outcome)
        if not self._is_wanted(decision):
            return decision, None
        undo: Callable[[], Awaitable[Any]] = partial(self.undo, *args, **kwargs, outcome=outcome)
        try:
            with anyio.CancelScope(shield=True):
                await undo()
        except BaseException as error:  # as above
            ended = _recorded(by, decision, told(error))
            if not isinstance(error, Exception):
                raise
            return ended, error
        return _recorded(by, decision, ""), None

    def _is_wanted(self, decision: Decision) -> bool:
        if decision.reverts and self.undo is None:
            _log.error("%s is to be undone, and has no inverse: what it did stands", decision.action.tool)
        return decision.reverts


def _recorded(by: Engine, decision: Decision, problem: str) -> Decision:
    """Where the record cannot be written, what became of the action is all the more to be said."""
    if problem:
        _log.error("undoing %s has failed, and what it did stands: %s", decision.action.tool, problem)
    try:
        return by.reverted(decision, problem)
    except SupervisorError as error:
        _log.error("what became of undoing %s is not recorded: %s", decision.action.tool, error)
        return replace(decision, reverted=problem, record_error=str(error))
