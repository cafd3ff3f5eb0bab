"""LlamaIndex: the calls of an agent or an AgentWorkflow.

    agent = supervised(FunctionAgent(tools=[...], llm=llm))

There is no hook: the method that runs all calls is wrapped, and a version without it is refused.
"""

from __future__ import annotations

from functools import partial
from typing import Any, TypeVar

from llama_index.core.tools import ToolOutput
from llama_index.core.workflow import HumanResponseEvent, InputRequiredEvent

from supervisor.adapters.calls import Calls
from supervisor.adapters.function.guard import Guard
from supervisor.adapters.proposed import Same

A = TypeVar("A")


def supervised(agent: A, guard: Guard | None = None, *, pauses: bool = False, **about: Any) -> A:
    """The same agent, guarded. Raises TypeError if this version of LlamaIndex is not supported. With `pauses`, the
    program that runs the agent answers an `InputRequiredEvent` with a `HumanResponseEvent` for the same `question`; its
    `response` is `yes`, or a refusal that the agent reads."""
    run = getattr(agent, "_call_tool", None)
    if run is None:
        raise TypeError(f"{type(agent).__name__} has no _call_tool; this version of LlamaIndex is not supported")
    calls = Calls(guard, **about)

    async def guarded(ctx: Any, tool: Any, tool_input: dict[str, Any]) -> ToolOutput:
        asked = await ctx.store.get("user_msg_str", default=None)
        session = calls.session(Same(ctx.store), [asked] if asked else [])
        name = tool.metadata.get_name()
        about: dict[str, Any] = {"tool": name, "args": tool_input, "session": session}
        about["description"] = tool.metadata.description
        proposed = await calls.abefore(**about, waits="queue" if pauses else "always")
        if pauses and proposed.question:
            answer = await _said(ctx, proposed.question.name, proposed.decision.reason if proposed.decision else "")
            approved = answer.strip().lower() in ("y", "yes")
            proposed = await calls.aanswered(proposed, "LlamaIndex", approved, "" if approved else answer, **about)
        refuse = partial(_refusal, name, tool_input)
        return await calls.aaround(proposed, partial(run, ctx, tool, tool_input), refuse, _output)

    object.__setattr__(agent, "_call_tool", guarded)  # agents are pydantic models, which take no new attributes
    return agent


async def _said(ctx: Any, question: str, why: str) -> str:
    """The answer of the workflow's user. LlamaIndex leaves the step and repeats it when the answer has come; the tool
    has not run before that."""
    asked = InputRequiredEvent(prefix=f"Supervisor: {why}", question=question)
    response = await ctx.wait_for_event(
        HumanResponseEvent, asked, waiter_id=question, requirements={"question": question}, timeout=None
    )
    return str(response.response)


def _refusal(name: str, tool_input: dict[str, Any], text: str) -> ToolOutput:
    return ToolOutput(tool_name=name, content=text, raw_input=tool_input, raw_output=text, is_error=True)


def _output(result: ToolOutput) -> tuple[Any, bool]:
    return result.content, result.is_error
