"""LlamaIndex."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("llama_index.core", reason="llama-index-core is not installed; `make adapters` tries it")

from llama_index.core.agent.workflow import FunctionAgent, ToolCallResult
from llama_index.core.base.llms.types import ChatMessage, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.workflow import HumanResponseEvent, InputRequiredEvent

from supervisor.adapters.function.guard import Guard
from supervisor.adapters.llama_index import supervised
from tests.adapters.contract import TASK, Contract, Played, answers_of, asking_guard, made

__all__ = ["asking_guard"]  # a fixture


def scripted(*texts: str) -> MockFunctionCallingLLM:
    def respond(messages: Any, **_: Any) -> ChatMessage:
        number = sum(message.role == "tool" for message in messages)
        if number == len(texts):
            return ChatMessage(role="assistant", content="done")
        call = ToolCallBlock(tool_call_id=f"call_{number}", tool_name="note", tool_kwargs={"text": texts[number]})
        return ChatMessage(role="assistant", blocks=[call])

    return MockFunctionCallingLLM(response_generator=respond)


class TestLlamaIndex(Contract):
    def play(self, *texts: str) -> Played:
        played = Played()

        def note(text: str) -> str:
            """Takes a note."""
            return played.note(text)

        agent = made("llama_index", llm=scripted(*texts), tools=[note])["agent"]

        async def run() -> None:
            handler = agent.run(TASK)
            async for event in handler.stream_events():
                if isinstance(event, ToolCallResult):
                    played.told.append(event.tool_output.content)
            await handler

        asyncio.run(run())
        return played


def test_an_agent_that_cannot_be_guarded_is_refused() -> None:
    with pytest.raises(TypeError, match="not supported"):
        supervised(object())
    assert hasattr(FunctionAgent, "_call_tool")


@pytest.mark.parametrize("said", ["yes", "use a branch"])
def test_a_workflow_waits_for_its_user(asking_guard: Guard, said: str) -> None:
    """Also for the same call again: an approval is for one run."""
    played, asked = Played(), []

    def note(text: str) -> str:
        """Takes a note."""
        return played.note(text)

    agent = FunctionAgent(llm=scripted("one", "BLOCK", "BLOCK"), tools=[note])

    async def run() -> None:
        handler = supervised(agent, asking_guard, pauses=True).run(TASK)
        async for event in handler.stream_events():
            if isinstance(event, InputRequiredEvent):
                asked.append((event.prefix, list(played.ran)))
                handler.ctx.send_event(HumanResponseEvent(response=said, question=event.question))
            elif isinstance(event, ToolCallResult):
                played.told.append(event.tool_output.content)
        await handler

    asyncio.run(run())
    user = "the user of LlamaIndex"
    if said == "yes":
        assert asked == [("Supervisor: It says BLOCK.", ["one"]), ("Supervisor: It says BLOCK.", ["one", "BLOCK"])]
        assert played.ran == ["one", "BLOCK", "BLOCK"]
        assert answers_of(asking_guard) == [("approved", user, "")] * 2
    else:  # a no holds, and nobody is asked again
        assert (len(asked), played.ran) == (1, ["one"])
        assert answers_of(asking_guard) == [("denied", user, said)]
        assert [said in told for told in played.told] == [False, True, True]


def test_a_workflow_that_nobody_answers_uses_the_queue(asking_guard: Guard) -> None:
    played = TestLlamaIndex().play("BLOCK")
    assert (played.ran, "asked:judges" in played.told[0]) == ([], True)
