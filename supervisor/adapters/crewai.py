"""CrewAI: hooks before and after every tool of every crew in this process.

    hooks = install()

CrewAI runs the tool where a hook raises, so nothing here does; and it drops the reason of a refusal, which the hook
after the call therefore puts into its result. A crew is a session; for one a kickoff, use `guard.session`.
"""

from __future__ import annotations

from typing import Any

from crewai.hooks import (
    ToolCallHookContext,
    register_after_tool_call_hook,
    register_before_tool_call_hook,
    unregister_after_tool_call_hook,
    unregister_before_tool_call_hook,
)

from supervisor.adapters.calls import Calls, logger
from supervisor.adapters.proposed import Same
from supervisor.guarding import Guard


def install(guard: Guard | None = None, **about: Any) -> SupervisorHooks:
    """Registers the hooks. They stay until `remove` is called."""
    return SupervisorHooks(guard, **about)


class SupervisorHooks:
    """Both hooks. A call is known by its dictionary of arguments, which is the same one before and after."""

    def __init__(self, guard: Guard | None = None, **about: Any) -> None:
        self._calls = Calls(guard, **about)
        self._hooks = (self._before, self._after)
        register_before_tool_call_hook(self._hooks[0])
        register_after_tool_call_hook(self._hooks[1])

    def remove(self) -> None:
        """Takes the hooks away."""
        unregister_before_tool_call_hook(self._hooks[0])
        unregister_after_tool_call_hook(self._hooks[1])

    def _before(self, context: ToolCallHookContext) -> bool | None:
        try:
            asked = [context.task.description] if context.task else []
            session = self._calls.session(Same(context.crew or context.agent or context.task), asked)
            about = getattr(context.tool, "description", None)
            proposed = self._calls.before(context.tool_name, context.tool_input, session, description=about)
            refusal = self._calls.running(Same(context.tool_input), proposed)
        except Exception:  # noqa: BLE001 - the host would run the tool
            logger.exception("a tool call could not be judged")
            return False
        return False if refusal else None

    def _after(self, context: ToolCallHookContext) -> str | None:
        proposed = self._calls.ended(Same(context.tool_input))
        if proposed is None:
            return None
        objection = self._calls.after(proposed, context.tool_result)
        return objection.in_place_of(context.tool_result) if objection else proposed.refusal or None
