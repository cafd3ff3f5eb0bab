"""smolagents: the tools of an agent, those it manages, and the code that a CodeAgent writes.

    agent = supervised(CodeAgent(tools=[...], model=model))

There is no hook: tools and the executor are wrapped. The model reads a refusal as the error of its step.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any, TypeVar

from smolagents import CodeAgent, MultiStepAgent, Tool

from supervisor.adapters.calls import Calls
from supervisor.adapters.function.guard import Guard
from supervisor.adapters.proposed import Same
from supervisor.errors import SupervisorError

A = TypeVar("A", bound=MultiStepAgent)
CODE = "python_interpreter"


def supervised(agent: A, guard: Guard | None = None, **about: Any) -> A:
    """The same agent, guarded."""
    calls = Calls(guard, **about)
    _guard_agent(agent, calls)
    return agent


def _guard_agent(agent: MultiStepAgent, calls: Calls) -> None:
    for tool in agent.tools.values():
        tool.forward = _guarded_tool(agent, tool, calls)
    if isinstance(agent, CodeAgent):
        agent.python_executor = _GuardedExecutor(agent, agent.python_executor, calls)
    for managed in agent.managed_agents.values():
        _guard_agent(managed, calls)


def _refuse(text: str) -> Any:
    raise SupervisorError(text, code="refused")


def _guarded_tool(agent: MultiStepAgent, tool: Tool, calls: Calls) -> Callable[..., Any]:
    run = tool.forward

    @wraps(run)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        named = dict(zip(tool.inputs, args, strict=False)) | kwargs
        session = calls.session(Same(agent.memory), [agent.task])
        proposed = calls.before(tool.name, named, session, description=tool.description)
        return calls.around(proposed, partial(run, *args, **kwargs), _refuse)

    return guarded


class _GuardedExecutor:
    """Judges the code of a step before the wrapped executor runs it."""

    def __init__(self, agent: CodeAgent, executor: Any, calls: Calls) -> None:
        self._agent, self._executor, self._calls = agent, executor, calls

    def __call__(self, code: str) -> Any:
        session = self._calls.session(Same(self._agent.memory), [self._agent.task])
        proposed = self._calls.before(CODE, {"code": code}, session)
        return self._calls.around(proposed, partial(self._executor, code), _refuse, _output)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._executor, name)


def _output(result: Any) -> tuple[Any, bool]:
    """The output of the code: its value and what it printed."""
    return {"output": result.output, "logs": result.logs}, False
