"""Pydantic AI: a capability.

    agent = Agent(model, tools=[...], capabilities=[SupervisorCapability()])

A refusal is a failed result (`ToolFailed`), which does not count as one of the tool's retries. If the policy asks a
person, an agent whose `output_type` has `DeferredToolRequests` ends its run with one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, get_args

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, ToolFailed
from pydantic_ai.messages import ModelRequest, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.tools import DeferredToolRequests, ToolDefinition

from supervisor.adapters.calls import Calls
from supervisor.adapters.function.guard import Guard

_HOST = "Pydantic AI"


class SupervisorCapability(AbstractCapability[Any]):
    """Every tool call is judged before it runs. Name it last, so that it judges a call after others have changed it."""

    def __init__(self, guard: Guard | None = None, **about: Any) -> None:
        self._calls = Calls(guard, **about)

    async def wrap_tool_execute(
        self, ctx: RunContext[Any], *, call: ToolCallPart, tool_def: ToolDefinition, args: dict[str, Any], handler: Any
    ) -> Any:
        session = self._calls.session(ctx.conversation_id or ctx.run_id, _asked(ctx))
        about: dict[str, Any] = {
            "tool": call.tool_name,
            "args": args,
            "session": session,
            "description": tool_def.description,
        }
        proposed = await self._calls.abefore(**about, waits="queue" if _can_pause(ctx) else "always")
        if proposed.question:
            if not (proposed.repeats(self._calls.ended(call.tool_call_id)) and ctx.tool_call_approved):
                self._calls.running(call.tool_call_id, proposed)
                why = proposed.decision.reason if proposed.decision else ""
                raise ApprovalRequired({"supervisor": why, "approval": proposed.question.name})
            proposed = await self._calls.aanswered(proposed, _HOST, True, **about)
        return await self._calls.aaround(
            proposed, partial(handler, args), _refuse, pauses=(ApprovalRequired, CallDeferred)
        )

    async def before_model_request(self, ctx: RunContext[Any], request_context: ModelRequestContext) -> Any:
        """Records what the user has denied. It does not come back as a call, only as a result for the model."""
        for part in request_context.messages[-1].parts if request_context.messages else ():
            if not isinstance(part, ToolReturnPart) or part.outcome != "denied":
                continue
            if asked := self._calls.ended(part.tool_call_id):
                await self._calls.adenied(asked, _HOST, part.model_response_str())
        return request_context


def _can_pause(ctx: RunContext[Any]) -> bool:
    """Whether the agent may end a run with calls that wait for approval."""
    outputs = ctx.agent.output_type if ctx.agent else ()
    return DeferredToolRequests in (outputs if isinstance(outputs, (list, tuple)) else get_args(outputs))


def _refuse(text: str) -> Any:
    raise ToolFailed(text)


def _asked(ctx: RunContext[Any]) -> Iterator[str]:
    """The user's messages in this conversation."""
    for message in ctx.messages:
        if isinstance(message, ModelRequest):
            for part in message.parts:
                if isinstance(part, UserPromptPart):
                    parts = [part.content] if isinstance(part.content, str) else part.content
                    yield from (each for each in parts if isinstance(each, str))
