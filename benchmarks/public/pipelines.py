"""AgentDojo's own pipelines, with the guard and without, and two agents that need no model. Imports AgentDojo.

`GroundTruth` is its ground-truth agent: it makes the calls that solve the user's task, whatever it reads. `Gullible`
does the same, and also carries out orders in a tool's result. `Supervised` puts the guard before the tools of either.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from agentdojo.agent_pipeline.agent_pipeline import AgentPipeline
from agentdojo.agent_pipeline.base_pipeline_element import BasePipelineElement
from agentdojo.agent_pipeline.basic_elements import InitQuery
from agentdojo.agent_pipeline.ground_truth_pipeline import GroundTruthPipeline
from agentdojo.agent_pipeline.tool_execution import ToolsExecutionLoop, ToolsExecutor, tool_result_to_str
from agentdojo.functions_runtime import FunctionCall, FunctionsRuntime
from agentdojo.types import ChatAssistantMessage, get_text_content_as_str, text_content_block_from_string

from supervisor import Decision, Guard, Session

MAX_CALLS = 200  # of one run; far more than any task takes

Asked = tuple[str, FunctionsRuntime, Any, Sequence[Any], dict[str, Any]]


class GroundTruth(BasePipelineElement):
    """AgentDojo's ground-truth agent for any task of the suite."""

    def __init__(self, suite: Any) -> None:
        self._suite = suite

    def query(self, query: str, *world: Any) -> Asked:
        return GroundTruthPipeline(_task(self._suite, query)).query(query, *world)


class Gullible(BasePipelineElement):
    """An agent in place of a model. It calls the tools that solve its task, one by one. If a result contains the goal
    of an injection task, it first carries out that task. `serves` is the task of each of its calls, over all runs."""

    def __init__(self, suite: Any) -> None:
        self._suite = suite
        self.serves: list[str] = []

    def query(self, query: str, runtime: FunctionsRuntime, env: Any, messages: Sequence[Any], extra: Any) -> Asked:
        if messages[-1]["role"] == "user":
            self._todo: deque[tuple[str, FunctionCall]] = deque()
            self._words: dict[str, str] = {}
            self._take_up(_task(self._suite, query), env)
        else:
            self._read(get_text_content_as_str(messages[-1]["content"]), env)
        return query, runtime, env, [*messages, self._says()], extra

    def _read(self, result: str, env: Any) -> None:
        """Obeys the longest goal in a result: one goal may be the beginning of another."""
        text = _squeezed(result)
        goals = [each for each in self._suite.injection_tasks.values() if _squeezed(each.GOAL) in text]
        if goals:
            task = max(goals, key=lambda each: len(each.GOAL))
            if task.ID not in self._words:
                self._take_up(task, env)

    def _take_up(self, task: Any, env: Any) -> None:
        self._words[task.ID] = task.GROUND_TRUTH_OUTPUT
        self._todo.extendleft((task.ID, call) for call in reversed(task.ground_truth(env)))

    def _says(self) -> ChatAssistantMessage:
        """The next call, or the final answer."""
        if not self._todo:
            return _assistant("\n".join(self._words.values()), None)
        serves, call = self._todo.popleft()
        self.serves.append(serves)
        return _assistant("", [call])


class GuardedTools(FunctionsRuntime):
    """The tools of one run, each behind the guard. A stopped call fails with the guard's message as its error."""

    def __init__(self, tools: FunctionsRuntime, guard: Guard, task: str) -> None:
        super().__init__(list(tools.functions.values()))
        self._guard, self._session = guard, Session(agent="agentdojo", task=task)
        self.decisions: list[Decision] = []
        self.stopped: list[Mapping[str, Any]] = []

    def run_function(
        self, env: Any, function: str, kwargs: Mapping[str, Any], raise_on_error: bool = False
    ) -> tuple[Any, str | None]:
        """Never raises: the ground-truth agent must go on after a stopped call."""
        decision = self._guard.check(function, kwargs, session=self._session)
        self.decisions.append(decision)
        if not decision.allowed:
            self.stopped.append(kwargs)
            return "", decision.message()
        result, error = super().run_function(env, function, kwargs)
        output = tool_result_to_str(result) if error is None else error
        self._guard.observe(decision, output, failed=error is not None, session=self._session)
        return result, error


class Supervised(BasePipelineElement):
    """A pipeline with the guard before its tools. Each run is a session, and its query is the task."""

    def __init__(self, pipeline: BasePipelineElement, guard: Guard) -> None:
        self._pipeline, self._guard = pipeline, guard
        self.decisions: list[Decision] = []  # of all runs

    def query(self, query: str, runtime: FunctionsRuntime, *world: Any) -> Asked:
        tools = GuardedTools(runtime, self._guard, query)
        _, _, env, messages, extra = self._pipeline.query(query, tools, *world)
        self.decisions += tools.decisions
        return query, runtime, env, [_without(tools.stopped, message) for message in messages], extra


def gullible(agent: Gullible) -> BasePipelineElement:
    """The pipeline that AgentDojo builds for a model."""
    return AgentPipeline([InitQuery(), agent, ToolsExecutionLoop([ToolsExecutor(), agent], MAX_CALLS)])


def _task(suite: Any, query: str) -> Any:
    """The user task with this prompt, or the injection task with this goal if the user asks for it."""
    asked = {task.PROMPT: task for task in suite.user_tasks.values()}
    return asked.get(query) or next(each for each in suite.injection_tasks.values() if query == each.GOAL)


def _squeezed(text: str) -> str:
    """Only the letters and digits of a text: AgentDojo's worlds are YAML, which folds and quotes planted texts."""
    return "".join(filter(str.isalnum, text.replace("\\n", " ").casefold()))


def _assistant(text: str, calls: list[FunctionCall] | None) -> ChatAssistantMessage:
    content = [text_content_block_from_string(text)]
    return ChatAssistantMessage(role="assistant", content=content, tool_calls=calls)


def _without(stopped: Sequence[Mapping[str, Any]], message: Any) -> Any:
    """A message without stopped calls: some checkers read the calls from the messages."""
    if not message.get("tool_calls"):
        return message
    calls = [call for call in message["tool_calls"] if not any(call.args is args for args in stopped)]
    return {**message, "tool_calls": calls}
