"""CrewAI: hooks before and after every tool of every crew in this process.

    hooks = install()

CrewAI runs the tool if a hook raises, so no hook here raises. It drops the reason of a refusal, so the hook after the
call puts it into the result. A crew is a session; for one session a kickoff, use `guard.session`.
"""

from __future__ import annotations

import json
import threading
from typing import Any

from crewai.hooks import (
    ToolCallHookContext,
    register_after_tool_call_hook,
    register_before_tool_call_hook,
    unregister_after_tool_call_hook,
    unregister_before_tool_call_hook,
)

from supervisor.adapters.calls import Calls, logger
from supervisor.adapters.function.guard import Guard
from supervisor.adapters.proposed import Proposed, Same


def install(guard: Guard | None = None, *, pauses: bool = False, **about: Any) -> SupervisorHooks:
    """Registers the hooks. They stay until `remove` is called. With `pauses`, a person at the terminal is asked if the
    policy asks a person."""
    return SupervisorHooks(guard, pauses=pauses, **about)


class SupervisorHooks:
    """Both hooks. A call is identified by its dictionary of arguments, the same object before and after."""

    def __init__(self, guard: Guard | None = None, *, pauses: bool = False, **about: Any) -> None:
        self._calls, self._pauses, self._terminal = Calls(guard, **about), pauses, threading.Lock()
        self._hooks = (self._before, self._after)
        register_before_tool_call_hook(self._hooks[0])
        register_after_tool_call_hook(self._hooks[1])

    def remove(self) -> None:
        """Unregisters the hooks."""
        unregister_before_tool_call_hook(self._hooks[0])
        unregister_after_tool_call_hook(self._hooks[1])

    def _before(self, context: ToolCallHookContext) -> bool | None:
        try:
            asked = [context.task.description] if context.task else []
            session = self._calls.session(Same(context.crew or context.agent or context.task), asked)
            about: dict[str, Any] = {"tool": context.tool_name, "args": context.tool_input, "session": session}
            about["description"] = getattr(context.tool, "description", None)
            proposed = self._calls.before(**about, waits="queue" if self._pauses else "always")
            if proposed.question and self._pauses:
                proposed = self._answered(context, proposed, about)
            refusal = self._calls.running(Same(context.tool_input), proposed)
        except Exception:  # noqa: BLE001 - the host would run the tool
            logger.exception("a tool call could not be judged")
            return False
        return False if refusal else None

    def _answered(self, context: ToolCallHookContext, proposed: Proposed, about: dict[str, Any]) -> Proposed:
        """Asks the terminal's user, one question at a time. Without a user, the question stays open."""
        why = proposed.decision.reason if proposed.decision else ""
        asked = f"Supervisor: {why}\n{context.tool_name} {json.dumps(context.tool_input, default=str)}"
        try:
            with self._terminal:
                answer = context.request_human_input(asked, "`yes` lets it run; any other answer goes to the agent:")
        except EOFError:
            return proposed
        approved = answer.lower() in ("y", "yes")
        return self._calls.answered(proposed, "CrewAI", approved, "" if approved else answer, **about)

    def _after(self, context: ToolCallHookContext) -> str | None:
        proposed = self._calls.ended(Same(context.tool_input))
        if proposed is None:
            return None
        objection = self._calls.after(proposed, context.tool_result)
        return objection.in_place_of(context.tool_result) if objection else proposed.refusal or None
