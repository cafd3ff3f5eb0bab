"""Microsoft Agent Framework: middleware for the agent and for its functions.

    agent = Agent(client, tools=[...], middleware=supervisor_middleware())

What the model's provider runs itself (hosted tools) passes no function middleware.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextvars import ContextVar
from typing import Any

from agent_framework import AgentContext, AgentMiddleware, FunctionInvocationContext, FunctionMiddleware

from supervisor.adapters.calls import Calls
from supervisor.adapters.proposed import Same
from supervisor.guarding import Guard

_run: ContextVar[tuple[Hashable, Sequence[str]] | None] = ContextVar("supervisor_run", default=None)


def supervisor_middleware(guard: Guard | None = None, **about: Any) -> list[AgentMiddleware | FunctionMiddleware]:
    """Both, in the order in which they belong into an agent."""
    return [_Runs(), SupervisorMiddleware(guard, **about)]


class _Runs(AgentMiddleware):
    """Tells the functions which run they belong to, and what the user has asked for."""

    async def process(self, context: AgentContext, call_next: Callable[[], Awaitable[None]]) -> None:
        asked = [message.text for message in context.messages if str(message.role) == "user"]
        name = context.session.session_id if context.session else Same(context)
        token = _run.set((name, asked))
        try:
            await call_next()
        finally:
            if not context.stream:  # the functions of a stream run later, when it is read
                _run.reset(token)


class SupervisorMiddleware(FunctionMiddleware):
    """Every function call is judged before it runs. A refused one has the correction as its result."""

    def __init__(self, guard: Guard | None = None, **about: Any) -> None:
        self._calls = Calls(guard, **about)

    async def process(self, context: FunctionInvocationContext, call_next: Callable[[], Awaitable[None]]) -> None:
        name, asked = _run.get() or (Same(context.tools), ())
        session = self._calls.session(context.session.session_id if context.session else name, asked)
        arguments: Any = context.arguments
        args = arguments.model_dump() if hasattr(arguments, "model_dump") else dict(arguments)
        function = context.function
        proposed = await self._calls.abefore(function.name, args, session, description=function.description)

        async def run() -> Any:
            await call_next()
            return context.result

        context.result = await self._calls.aaround(proposed, run, lambda text: text, lambda said: (_text(said), False))


def _text(result: Any) -> Any:
    """What a function said, where its contents are text."""
    if isinstance(result, list) and all(getattr(part, "type", None) == "text" for part in result):
        return "\n".join(str(part.text) for part in result)
    return result
