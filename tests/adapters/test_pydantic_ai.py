"""Pydantic AI."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("pydantic_ai", reason="pydantic-ai is not installed")

from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from supervisor.guarding import Guard
from tests.adapters.contract import END, TASK, Contract, Played, answers_of, asking_guard, made

__all__ = ["asking_guard"]  # a fixture


class TestPydanticAI(Contract):
    talks_again = True

    def play(self, *texts: str) -> Played:
        played, script = Played(), iter(texts)

        def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
            text = next(script, END)
            part = TextPart("done") if text == END else ToolCallPart("note", {"text": text})
            return ModelResponse(parts=[part])

        def note(text: str) -> str:
            """Takes a note."""
            try:
                return played.note(text)
            except ValueError as error:
                raise ToolFailed(str(error)) from error

        agent = made("pydantic_ai", model=FunctionModel(respond), tools=[note])["agent"]
        for _ in range(texts.count(END) + 1):
            ended = asyncio.run(agent.run(TASK))
        parts = [part for message in ended.all_messages() for part in message.parts]
        played.told = [part.model_response_str() for part in parts if isinstance(part, ToolReturnPart)]
        return played


def test_a_run_ends_with_what_waits_for_approval(asking_guard: Guard) -> None:
    from pydantic_ai import Agent
    from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults

    from supervisor.adapters.pydantic_ai import SupervisorCapability

    played, script = Played(), iter(["BLOCK", END])

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        text = next(script)
        return ModelResponse(parts=[TextPart("done") if text == END else ToolCallPart("note", {"text": text})])

    capability = SupervisorCapability(asking_guard)
    outputs = [str, DeferredToolRequests]
    agent = Agent(FunctionModel(respond), tools=[played.note], capabilities=[capability], output_type=outputs)
    paused = asyncio.run(agent.run(TASK))
    (call,) = paused.output.approvals
    assert (call.args, played.ran) == ({"text": "BLOCK"}, [])
    assert paused.output.metadata[call.tool_call_id]["supervisor"] == "It says BLOCK."
    approved = DeferredToolResults(approvals={call.tool_call_id: True})
    ended = asyncio.run(agent.run(message_history=paused.all_messages(), deferred_tool_results=approved))
    assert (ended.output, played.ran) == ("done", ["BLOCK"])
    assert answers_of(asking_guard) == [("approved", "the user of Pydantic AI", "")]


def test_a_run_that_cannot_pause_is_told_of_the_queue(asking_guard: Guard) -> None:
    played = TestPydanticAI().play("BLOCK")
    assert (played.ran, "asked:judges" in played.told[0]) == ([], True)
