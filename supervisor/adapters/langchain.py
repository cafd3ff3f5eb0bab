"""LangChain 1.x and LangGraph: a middleware.

    agent = create_agent(model, tools, middleware=[SupervisorMiddleware()])

Name it last, so that it judges a call after other middleware has changed it (by a person's edit, for example). For your
own `ToolNode`: `ToolNode(tools, wrap_tool_call=it.wrap_tool_call, awrap_tool_call=it.awrap_tool_call)`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Mapping
from functools import partial
from typing import Any, TypeAlias

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.errors import GraphBubbleUp
from langgraph.types import Command, interrupt

from supervisor.adapters.calls import Calls
from supervisor.adapters.function.guard import Guard
from supervisor.adapters.proposed import Proposed
from supervisor.engine.session import Session

_HOST = "LangGraph"
Result: TypeAlias = "ToolMessage | Command[Any]"


class SupervisorMiddleware(AgentMiddleware):
    """Every tool call is judged before it runs. A refused one becomes a ToolMessage with the correction."""

    def __init__(self, guard: Guard | None = None, **about: Any) -> None:
        super().__init__()
        self._calls = Calls(guard, **about)

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Result]) -> Result:
        proposal = self._proposal(request)
        proposed = self._calls.before(**proposal, waits="queue" if _can_pause(request) else "always")
        if proposed.question or proposed.was_asked:
            answer = _said(proposed, request)
            if proposed.question:
                proposed = self._calls.answered(proposed, _HOST, *answer, **proposal)
        run, refuse = partial(handler, request), partial(_refusal, request)
        return self._calls.around(proposed, run, refuse, _output, (GraphBubbleUp,))

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Result]]
    ) -> Result:
        proposal = self._proposal(request)
        proposed = await self._calls.abefore(**proposal, waits="queue" if _can_pause(request) else "always")
        if proposed.question or proposed.was_asked:
            answer = _said(proposed, request)
            if proposed.question:
                proposed = await self._calls.aanswered(proposed, _HOST, *answer, **proposal)
        run, refuse = partial(handler, request), partial(_refusal, request)
        return await self._calls.aaround(proposed, run, refuse, _output, (GraphBubbleUp,))

    def _proposal(self, request: ToolCallRequest) -> dict[str, Any]:
        call, tool = request.tool_call, request.tool
        named = {"tool": call["name"], "args": call["args"], "description": tool.description if tool else None}
        return {**named, "session": self._session(request), "key": _key(request)}

    def _session(self, request: ToolCallRequest) -> Session:
        """The session of the thread; without a checkpointer, of the first message, whose id does not change."""
        config = getattr(request.runtime, "config", None) or {}
        messages = _messages(request)
        thread = config.get("configurable", {}).get("thread_id") or (messages[0].id if messages else None)
        asked = [str(message.text) for message in messages if message.type == "human"]
        return self._calls.session(thread, asked)


def _can_pause(request: ToolCallRequest) -> bool:
    """Whether there is a checkpointer, which an interrupt needs."""
    config = getattr(request.runtime, "config", None) or {}
    return bool(config.get("configurable", {}).get("__pregel_checkpointer"))


def _said(proposed: Proposed, request: ToolCallRequest) -> tuple[bool, str]:
    """Interrupts the graph in the form of `HumanInTheLoopMiddleware`. Returns whether the call was approved, and the
    note. LangGraph matches answers by their order, and a tool may interrupt too, so the question is asked in each
    run."""
    name, why = request.tool_call["name"], proposed.decision.reason if proposed.decision else ""
    asked = {"name": name, "args": request.tool_call["args"], "description": f"Supervisor: {why}"}
    review = {"action_name": name, "allowed_decisions": ["approve", "reject"]}
    answer = interrupt({"action_requests": [asked], "review_configs": [review]})
    decisions = answer.get("decisions") if isinstance(answer, Mapping) else None
    said = decisions[0] if isinstance(decisions, list) and decisions and isinstance(decisions[0], Mapping) else {}
    return said.get("type") == "approve", str(said.get("message", ""))


def _messages(request: ToolCallRequest) -> list[Any]:
    state = request.state
    if isinstance(state, list):
        return state
    return list((state if isinstance(state, Mapping) else vars(state)).get("messages", ()))


def _key(request: ToolCallRequest) -> Hashable:
    """The call's identity: a graph that resumes after an interrupt proposes the calls of the same message again."""
    proposing = [message for message in _messages(request) if getattr(message, "tool_calls", None)]
    return (proposing[-1].id, request.tool_call["id"]) if proposing and proposing[-1].id else None


def _refusal(request: ToolCallRequest, text: str) -> ToolMessage:
    call = request.tool_call
    return ToolMessage(text, name=call["name"], tool_call_id=call["id"], status="error")


def _output(result: Result) -> tuple[Any, bool]:
    if isinstance(result, ToolMessage):
        return result.content, result.status == "error"
    return result.update, False
