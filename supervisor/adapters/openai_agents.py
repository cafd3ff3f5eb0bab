"""OpenAI Agents SDK: guardrails on every function tool of an agent, and of the agents that it hands over to.

    agent = supervised(Agent(name="scribe", tools=[...]))

Hosted tools, the shell and the patch tool run elsewhere or without guardrails; a warning names them.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Any

from agents import Agent, FunctionTool, ToolApprovalItem, ToolInputGuardrail, ToolOutputGuardrail
from agents import ToolGuardrailFunctionOutput as Output
from agents.tool_guardrails import ToolInputGuardrailData, ToolOutputGuardrailData

from supervisor.adapters.calls import Calls, logger
from supervisor.adapters.function.guard import Guard, Waits
from supervisor.adapters.proposed import Proposed, Same
from supervisor.adapters.reading import resolved, text_of


def supervised(agent: Agent[Any], guard: Guard | None = None, **about: Any) -> Agent[Any]:
    """A copy of the agent with guarded function tools. Its MCP servers are not copied, but guarded in place."""
    return SupervisorGuardrails(guard, **about).on(agent)


class SupervisorGuardrails:
    """`before` and `after` are guardrails for single tools; `on` guards an agent. With `pauses`, a run ends with an
    interruption if the policy asks a person; `why` returns its reason."""

    def __init__(self, guard: Guard | None = None, *, pauses: bool = False, **about: Any) -> None:
        self._calls, self._pauses = Calls(guard, **about), pauses
        self._copies: dict[Same, Agent[Any]] = {}
        self._asked: dict[str, tuple[str, Proposed]] = {}  # by call, from the question to its answer
        self.before: ToolInputGuardrail[Any] = ToolInputGuardrail(self._before, "supervisor")
        self.after: ToolOutputGuardrail[Any] = ToolOutputGuardrail(self._after, "supervisor")

    def on(self, agent: Agent[Any]) -> Agent[Any]:
        """The agent, guarded, with the agents that it hands over to. They may form a circle."""
        known = self._copies.get(Same(agent))
        if known is None:
            known = self._copies[Same(agent)] = agent.clone(tools=[self._tool(tool) for tool in agent.tools])
            known.handoffs = [self.on(each) if isinstance(each, Agent) else each for each in agent.handoffs]
            for server in known.mcp_servers:
                server.tool_input_guardrails = _added(server.tool_input_guardrails, self.before)
                server.tool_output_guardrails = _added(server.tool_output_guardrails, self.after)
        return known

    def why(self, item: ToolApprovalItem) -> str:
        """The reason of an interruption; "" if it is not ours."""
        _, asked = self._asked.get(item.call_id or "", ("", None))
        return asked.decision.reason if asked and asked.decision else ""

    def _tool(self, tool: Any) -> Any:
        if not isinstance(tool, FunctionTool):
            logger.warning("%s has no guardrails and is not guarded", tool.name)
            return tool
        before, after = _added(tool.tool_input_guardrails, self.before), _added(tool.tool_output_guardrails, self.after)
        guarded = replace(tool, tool_input_guardrails=before, tool_output_guardrails=after)
        if self._pauses:
            guarded.needs_approval, guarded.is_enabled = partial(self._needs, tool), partial(self._enabled, tool)
        return guarded

    async def _needs(self, tool: FunctionTool, context: Any, args: Any, call: str) -> bool:
        """Whether the run ends with an interruption. The guardrail does not judge the same call again."""
        proposed = await self._propose(context, tool.name, args, tool.description, "queue")
        self._asked.pop(call, None)
        if proposed.question:
            self._asked[call] = tool.name, proposed
            return True
        self._calls.running(("judged", Same(context.usage), call), proposed)
        return not proposed.refusal and await resolved(tool.needs_approval, context, args, call)

    async def _enabled(self, tool: FunctionTool, context: Any, agent: Any) -> bool:
        """Whether the tool is enabled. Records rejections: the SDK calls this when a run resumes, not the tool."""
        for call, (name, proposed) in list(self._asked.items()):
            if (status := context.is_tool_approved(name, call)) is not None:
                self._calls.goes_on(Same(context.usage), proposed.session)
                if not status and call in self._asked:
                    del self._asked[call]
                    await self._calls.adenied(
                        proposed, "OpenAI Agents", context.get_rejection_message(name, call) or ""
                    )
        return await resolved(tool.is_enabled, context, agent)

    async def _before(self, data: ToolInputGuardrailData) -> Output:
        context, name, call = data.context, data.context.tool_name, data.context.tool_call_id
        args = json.loads(context.tool_arguments or "{}")  # raises ValueError if it is not JSON, as the tool does
        args, run = args if isinstance(args, dict) else {"input": args}, Same(context.usage)
        about = {tool.name: getattr(tool, "description", None) for tool in data.agent.tools}.get(name)
        _, known = self._asked.pop(call, ("", None))
        if known and context.is_tool_approved(name, call):
            proposal: dict[str, Any] = {"tool": name, "args": args, "session": known.session}
            known = await self._calls.aanswered(known, "OpenAI Agents", True, **proposal)
        known = known or self._calls.ended(("judged", run, call))
        known = known or await self._propose(context, name, args, about, "always")
        refusal = self._calls.running((run, call), known)
        return Output.reject_content(refusal) if refusal else Output.allow()

    async def _after(self, data: ToolOutputGuardrailData) -> Output:
        proposed = self._calls.ended((Same(data.context.usage), data.context.tool_call_id))
        objection = await self._calls.aafter(proposed, data.output) if proposed else None
        return Output.reject_content(objection.in_place_of(data.output)) if objection else Output.allow()

    async def _propose(self, context: Any, tool: str, args: Any, about: str | None, waits: Waits) -> Proposed:
        """Judges a call in the session of the run's group, or else of the run, whose calls all share `usage`."""
        config = None if self._pauses else context.run_config
        items = (item for item in context.turn_input if isinstance(item, dict) and item.get("role") == "user")
        session = self._calls.session(
            (config and config.group_id) or Same(context.usage), (text_of(each.get("content")) for each in items)
        )
        return await self._calls.abefore(tool, args, session, description=about, waits=waits)


def _added(guardrails: list[Any] | None, own: Any) -> list[Any]:  # ours last: calls that others refuse are not judged
    return [*(each for each in guardrails or () if each is not own), own]
