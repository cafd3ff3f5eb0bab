"""AutoGen: a workbench around the one whose tools an agent uses.

    agent = AssistantAgent("scribe", client, workbench=SupervisedWorkbench(StaticWorkbench([...])))

A workbench is a session. It does not receive the user's messages: pass `task=`, or run inside `guard.session`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from autogen_core import CancellationToken
from autogen_core.tools import TextResultContent, ToolResult, ToolSchema, Workbench

from supervisor.adapters.calls import Calls
from supervisor.adapters.function.guard import Guard


class SupervisedWorkbench(Workbench):
    """Every call is judged before the inner workbench runs it. A refused one is an error result with the correction."""

    component_type = "workbench"

    def __init__(self, inner: Workbench, guard: Guard | None = None, **about: Any) -> None:
        self._inner = inner
        self._calls = Calls(guard, **about)
        self._described: dict[str, str | None] = {}  # as listed last

    async def call_tool(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        cancellation_token: CancellationToken | None = None,
        call_id: str | None = None,
    ) -> ToolResult:
        about = self._described.get(name)
        proposed = await self._calls.abefore(name, dict(arguments or {}), self._calls.session(), description=about)
        run = partial(self._inner.call_tool, name, arguments, cancellation_token, call_id)
        return await self._calls.aaround(proposed, run, partial(_refusal, name), _output)

    async def list_tools(self) -> list[ToolSchema]:
        tools = await self._inner.list_tools()
        self._described = {tool["name"]: tool.get("description") for tool in tools}
        return tools

    async def start(self) -> None:
        await self._inner.start()

    async def stop(self) -> None:
        await self._inner.stop()

    async def reset(self) -> None:
        await self._inner.reset()

    async def save_state(self) -> Mapping[str, Any]:
        return await self._inner.save_state()

    async def load_state(self, state: Mapping[str, Any]) -> None:
        await self._inner.load_state(state)


def _refusal(name: str, text: str) -> ToolResult:
    return ToolResult(name=name, result=[TextResultContent(content=text)], is_error=True)


def _output(result: ToolResult) -> tuple[Any, bool]:
    return result.to_text(), result.is_error
