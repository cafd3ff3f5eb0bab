"""Google ADK: a plugin, which covers every agent of an app.

    app = App(name="notes", root_agent=agent, plugins=[SupervisorPlugin()])

Name it first: an earlier plugin that returns its own result hides a call from it.
"""

from __future__ import annotations

from typing import Any

from google.adk.plugins.base_plugin import BasePlugin
from google.adk.tools import BaseTool, ToolContext

from supervisor.adapters.calls import Calls
from supervisor.adapters.function.guard import Guard
from supervisor.adapters.function.refusals import error_text


class SupervisorPlugin(BasePlugin):
    """Every tool call is judged before it runs. A refused one returns the correction as `{"error": …}`."""

    def __init__(self, guard: Guard | None = None, name: str = "supervisor", **about: Any) -> None:
        super().__init__(name)
        self._calls = Calls(guard, **about)

    async def before_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext
    ) -> dict[str, Any] | None:
        host = tool_context.session
        said = tool_context.user_content.parts if tool_context.user_content else None
        asked = [part.text for part in said or () if part.text]
        session = self._calls.session((host.app_name, host.user_id, host.id), asked)
        about = {"tool": tool.name, "args": tool_args, "session": session, "description": tool.description}
        proposed = await self._calls.abefore(**about, waits="queue")
        if proposed.question:
            said = tool_context.tool_confirmation
            if not (proposed.repeats(self._calls.ended(_question(tool_context))) and said):
                self._calls.running(_question(tool_context), proposed)
                why = proposed.decision.reason if proposed.decision else ""
                tool_context.request_confirmation(hint=f"Supervisor: {why}", payload={"args": tool_args})
                return {"error": proposed.refusal}
            proposed = await self._calls.aanswered(proposed, "Google ADK", said.confirmed, **about)
        refusal = self._calls.running(_call(tool_context), proposed)
        return {"error": refusal} if refusal else None

    async def after_tool_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, result: dict[str, Any]
    ) -> dict[str, Any] | None:
        """Judges the outcome. ADK also calls it for refused calls, which are not judged again."""
        proposed = self._calls.ended(_call(tool_context))
        objection = await self._calls.aafter(proposed, result) if proposed else None
        return {"error": objection.in_place_of(result)} if objection else None

    async def on_tool_error_callback(
        self, *, tool: BaseTool, tool_args: dict[str, Any], tool_context: ToolContext, error: Exception
    ) -> dict[str, Any] | None:
        proposed = self._calls.ended(_call(tool_context))
        objection = await self._calls.aafter(proposed, error_text(error), failed=True) if proposed else None
        return {"error": objection.in_place_of(error_text(error))} if objection else None


def _question(context: ToolContext) -> tuple[str, str, str | None]:
    """The key of a call that waits for its confirmation, which comes in another invocation."""
    return "asked", context.session.id, context.function_call_id


def _call(context: ToolContext) -> tuple[str, str | None]:
    return context.invocation_id, context.function_call_id
