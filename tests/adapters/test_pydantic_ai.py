"""Pydantic AI."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("pydantic_ai", reason="pydantic-ai is not installed")

from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from supervisor.adapters.function.guard import Guard
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


@pytest.mark.parametrize("approved", [True, False])
def test_a_run_ends_with_what_waits_for_approval(asking_guard: Guard, approved: bool) -> None:
    from pydantic_ai import Agent
    from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults, ToolDenied

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
    said = DeferredToolResults(approvals={call.tool_call_id: approved or ToolDenied("use a branch")})
    ended = asyncio.run(agent.run(message_history=paused.all_messages(), deferred_tool_results=said))
    assert (ended.output, played.ran) == ("done", ["BLOCK"] if approved else [])
    answer = (
        ("approved", "the user of Pydantic AI", "")
        if approved
        else ("denied", "the user of Pydantic AI", "use a branch")
    )
    assert answers_of(asking_guard) == [answer]


def test_a_run_that_cannot_pause_is_told_of_the_queue(asking_guard: Guard) -> None:
    played = TestPydanticAI().play("BLOCK")
    assert (played.ran, "asked:judges" in played.told[0]) == ([], True)
