"""OpenAI Agents SDK: guardrails on every function tool of an agent, and of those that it hands over to.

    agent = supervised(Agent(name="scribe", tools=[...]))

Hosted tools, the shell and the patch tool run elsewhere or without guardrails; they are named in a warning.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from agents import Agent, FunctionTool, ToolGuardrailFunctionOutput, ToolInputGuardrail, ToolOutputGuardrail
from agents.tool_context import ToolContext
from agents.tool_guardrails import ToolInputGuardrailData, ToolOutputGuardrailData

from supervisor.adapters.calls import Calls, logger
from supervisor.adapters.proposed import Same
from supervisor.guarding import Guard
from supervisor.session import Session


def supervised(agent: Agent[Any], guard: Guard | None = None, **about: Any) -> Agent[Any]:
    """A copy of the agent whose function tools are guarded; its MCP servers are guarded themselves."""
    return SupervisorGuardrails(guard, **about).on(agent)


class SupervisorGuardrails:
    """`before` and `after`, for tools that are given their guardrails by hand, and `on` an agent."""

    def __init__(self, guard: Guard | None = None, **about: Any) -> None:
        self._calls = Calls(guard, **about)
        self._copies: dict[Same, Agent[Any]] = {}
        self.before: ToolInputGuardrail[Any] = ToolInputGuardrail(self._before, "supervisor")
        self.after: ToolOutputGuardrail[Any] = ToolOutputGuardrail(self._after, "supervisor")

    def on(self, agent: Agent[Any]) -> Agent[Any]:
        """The agent, guarded, with those that it hands over to: agents may hand over to each other in a circle."""
        known = self._copies.get(Same(agent))
        if known is None:
            known = self._copies[Same(agent)] = agent.clone(tools=[self._tool(tool) for tool in agent.tools])
            known.handoffs = [self.on(each) if isinstance(each, Agent) else each for each in agent.handoffs]
            for server in known.mcp_servers:
                server.tool_input_guardrails = self._added(server.tool_input_guardrails, self.before)
                server.tool_output_guardrails = self._added(server.tool_output_guardrails, self.after)
        return known

    def _tool(self, tool: Any) -> Any:
        if not isinstance(tool, FunctionTool):
            logger.warning("%s has no guardrails and is not guarded", tool.name)
            return tool
        before = self._added(tool.tool_input_guardrails, self.before)
        return dataclasses.replace(
            tool,
            tool_input_guardrails=before,
            tool_output_guardrails=self._added(tool.tool_output_guardrails, self.after),
        )

    @staticmethod
    def _added(guardrails: list[Any] | None, own: Any) -> list[Any]:
        """Ours come last: what others refuse was never proposed."""
        return [*(each for each in guardrails or () if each is not own), own]

    async def _before(self, data: ToolInputGuardrailData) -> ToolGuardrailFunctionOutput:
        context = data.context
        session = self._session(data)
        named = (tool for tool in data.agent.tools if tool.name == context.tool_name)
        about = getattr(next(named, None), "description", None)
        proposed = await self._calls.abefore(context.tool_name, _args(context), session, description=about)
        refusal = self._calls.running((session.id, context.tool_call_id), proposed)
        return ToolGuardrailFunctionOutput.reject_content(refusal) if refusal else ToolGuardrailFunctionOutput.allow()

    async def _after(self, data: ToolOutputGuardrailData) -> ToolGuardrailFunctionOutput:
        proposed = self._calls.ended((self._session(data).id, data.context.tool_call_id))
        objection = await self._calls.aafter(proposed, data.output) if proposed else None
        if objection is None:
            return ToolGuardrailFunctionOutput.allow()
        return ToolGuardrailFunctionOutput.reject_content(objection.in_place_of(data.output))

    def _session(self, data: ToolInputGuardrailData) -> Session:
        """That of the run's group, if it names one, else of the run, all calls of which share their `usage`."""
        context = data.context
        group = context.run_config.group_id if context.run_config else None
        asked = (_text(item) for item in context.turn_input if isinstance(item, dict) and item.get("role") == "user")
        return self._calls.session(group or Same(context.usage), asked)


def _args(context: ToolContext[Any]) -> dict[str, Any]:
    """The arguments as the tool will read them. Raises ValueError for what is no JSON, as the tool would."""
    args = json.loads(context.tool_arguments or "{}")
    return args if isinstance(args, dict) else {"input": args}


def _text(item: Any) -> str:
    content = item.get("content")
    if isinstance(content, str):
        return content
    return " ".join(str(part.get("text", "")) for part in content or () if isinstance(part, dict))
