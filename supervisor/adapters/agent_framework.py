"""Microsoft Agent Framework: middleware for the agent and for its functions.

    agent = Agent(client, tools=[...], middleware=supervisor_middleware())

Hosted tools, which the model's provider runs, pass no function middleware, so they are not guarded.
"""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextvars import ContextVar
from typing import Any

from agent_framework import AgentContext, AgentMiddleware, Content, FunctionInvocationContext, FunctionMiddleware

from supervisor.adapters.calls import Calls
from supervisor.adapters.function.guard import Guard
from supervisor.adapters.proposed import Proposed, Same

_HOST = "Microsoft Agent Framework"
_run: ContextVar[tuple[Hashable, Sequence[str]] | None] = ContextVar("supervisor_run", default=None)


def supervisor_middleware(guard: Guard | None = None, **about: Any) -> list[AgentMiddleware | FunctionMiddleware]:
    """Both middlewares, in the order that an agent needs."""
    functions = SupervisorMiddleware(guard, **about)
    return [_Runs(functions), functions]


class _Runs(AgentMiddleware):
    """Passes the run's identity, the user's requests and the user's refusals to the function middleware. A refused
    call never comes as a call."""

    def __init__(self, functions: SupervisorMiddleware) -> None:
        self._functions = functions

    async def process(self, context: AgentContext, call_next: Callable[[], Awaitable[None]]) -> None:
        for content in (content for message in context.messages for content in message.contents):
            if content.type == "function_approval_response" and not content.approved:
                await self._functions.refused(content)
        asked = [message.text for message in context.messages if str(message.role) == "user"]
        name = context.session.session_id if context.session else Same(context)
        token = _run.set((name, asked))
        try:
            await call_next()
        finally:
            if not context.stream:  # the functions of a stream run later, when it is read
                _run.reset(token)


class SupervisorMiddleware(FunctionMiddleware):
    """Every function call is judged before it runs. A refused one has the correction as its result. If the policy asks
    a person, a run in an `AgentSession` ends with an approval request; without a session, the call waits."""

    def __init__(self, guard: Guard | None = None, **about: Any) -> None:
        self._calls = Calls(guard, **about)

    async def process(self, context: FunctionInvocationContext, call_next: Callable[[], Awaitable[None]]) -> None:
        name, asked = _run.get() or (Same(context.tools), ())
        session = self._calls.session(context.session.session_id if context.session else name, asked)
        arguments: Any = context.arguments
        args = arguments.model_dump() if hasattr(arguments, "model_dump") else dict(arguments)
        about: dict[str, Any] = {"tool": context.function.name, "args": args, "session": session}
        about["description"] = context.function.description
        proposed = await self._calls.abefore(**about, waits="queue" if context.session else "always")
        if proposed.question:
            response = context.metadata.get("approval_response")
            if not (
                response and response.approved is True and proposed.repeats(self._calls.ended(("asked", response.id)))
            ):
                context.result = self._request(context, proposed, args)
                return
            proposed = await self._calls.aanswered(proposed, _HOST, True, **about)

        async def run() -> Any:
            await call_next()
            return context.result

        context.result = await self._calls.aaround(
            proposed, run, lambda text: text, lambda response: (_text(response), False)
        )

    async def refused(self, said: Content) -> None:
        """Records the user's refusal of an approval request."""
        if asked := self._calls.ended(("asked", said.id)):
            await self._calls.adenied(asked, _HOST)

    def _request(self, context: FunctionInvocationContext, proposed: Proposed, args: dict[str, Any]) -> Content:
        """The approval request. The framework passes it on unchanged, and ends the run."""
        name = uuid.uuid4().hex
        self._calls.running(("asked", name), proposed)
        call = Content.from_function_call(context.metadata["call_id"], context.function.name, arguments=args)
        reason = {"supervisor": proposed.decision.reason if proposed.decision else ""}
        return Content.from_function_approval_request(name, call, additional_properties=reason)


def _text(result: Any) -> Any:
    """A function's result as text if all its contents are text."""
    if isinstance(result, list) and all(getattr(part, "type", None) == "text" for part in result):
        return "\n".join(str(part.text) for part in result)
    return result
