"""Undoes a tool's call if its outcome was refused."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio

from supervisor.decision.decision import Decision
from supervisor.errors import BadInput, SupervisorError

if TYPE_CHECKING:
    from supervisor.engine.protocol import Engine
from supervisor.adapters.function.refusals import error_text

_log = logging.getLogger("supervisor")


@dataclass(frozen=True, slots=True)
class Inverse:
    """The function that undoes a tool's call. Its arguments are the call's, and `outcome`: the tool's result or
    exception."""

    undo: Callable[..., Any] | None

    def check(self, tool: Callable[..., Any], *, is_async: bool) -> None:
        """Raises BadInput if it cannot undo calls of this tool."""
        if self.undo is None:
            return
        if "outcome" in inspect.signature(tool).parameters:
            raise BadInput("the tool has its own parameter called outcome", place="revert")
        takes = inspect.signature(self.undo).parameters
        if "outcome" not in takes and all(each.kind is not each.VAR_KEYWORD for each in takes.values()):
            raise BadInput("it has no parameter called outcome, for what the tool returned or raised", place="revert")
        if inspect.iscoroutinefunction(self.undo) and not is_async:
            raise BadInput("it is a coroutine function, but the tool is not", place="revert")

    def run(
        self, by: Engine, decision: Decision, args: Any, kwargs: Any, outcome: Any
    ) -> tuple[Decision, Exception | None]:
        """Undoes the call if the decision requires that, and records it. Returns the decision with that result, and the
        exception that the inverse has raised."""
        if not self._is_wanted(decision) or self.undo is None:
            return decision, None
        try:
            self.undo(*args, **kwargs, outcome=outcome)
        except BaseException as error:  # an interrupt of the inverse is recorded as well
            ended = _recorded(by, decision, error_text(error))
            if not isinstance(error, Exception):
                raise
            return ended, error
        return _recorded(by, decision, ""), None

    async def arun(
        self, by: Engine, decision: Decision, args: Any, kwargs: Any, outcome: Any
    ) -> tuple[Decision, Exception | None]:
        """`run`, from a coroutine. A cancellation does not stop it."""
        if not inspect.iscoroutinefunction(self.undo):
            return self.run(by, decision, args, kwargs, outcome)
        if not self._is_wanted(decision):
            return decision, None
        undo: Callable[[], Awaitable[Any]] = partial(self.undo, *args, **kwargs, outcome=outcome)
        try:
            with anyio.CancelScope(shield=True):
                await undo()
        except BaseException as error:  # as above
            ended = _recorded(by, decision, error_text(error))
            if not isinstance(error, Exception):
                raise
            return ended, error
        return _recorded(by, decision, ""), None

    def _is_wanted(self, decision: Decision) -> bool:
        if decision.reverts and self.undo is None:
            _log.error("%s must be undone, and has no inverse: what it did stands", decision.action.tool)
        return decision.reverts


def _recorded(by: Engine, decision: Decision, problem: str) -> Decision:
    """Records the undoing. If the record cannot be written, the returned decision still has the result."""
    if problem:
        _log.error("undoing %s has failed, and what it did stands: %s", decision.action.tool, problem)
    try:
        return by.reverted(decision, problem)
    except SupervisorError as error:
        _log.error("the result of undoing %s is not recorded: %s", decision.action.tool, error)
        return replace(decision, reverted=problem, record_error=str(error))
