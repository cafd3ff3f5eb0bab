"""Microsoft Agent Framework."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

pytest.importorskip("agent_framework", reason="agent-framework is not installed; `make adapters` tries it")

from agent_framework import Agent, BaseChatClient, ChatResponse, Content, FunctionInvocationLayer, Message, tool

from supervisor.adapters.agent_framework import supervisor_middleware
from supervisor.adapters.function.guard import Guard
from tests.adapters.contract import END, SEEN, TASK, Contract, Played, answers_of, asking_guard, made

__all__ = ["asking_guard"]  # a fixture


class Scripted(FunctionInvocationLayer, BaseChatClient):
    def __init__(self, *texts: str) -> None:
        super().__init__()
        self.script = enumerate(texts)

    def _inner_get_response(self, **_: Any) -> Awaitable[ChatResponse]:
        async def respond() -> ChatResponse:
            number, text = next(self.script, (0, END))
            call = Content.from_function_call(f"call_{number}", "note", arguments={"text": text})
            return ChatResponse(messages=[Message("assistant", ["done"] if text == END else [call])])

        return respond()


class TestAgentFramework(Contract):
    talks_again = True

    def play(self, *texts: str) -> Played:
        played = Played()

        @tool(name="note", approval_mode="never_require")
        def note(text: str) -> str:
            """Takes a note."""
            return played.note(text)

        agent = made("agent_framework", client=Scripted(*texts), tools=[note])["agent"]
        for _ in range(texts.count(END) + 1):
            ended = asyncio.run(agent.run(TASK))
        contents = [content for message in ended.messages for content in message.contents]
        played.told = [str(content.result) for content in contents if content.type == "function_result"]
        return played


@pytest.mark.parametrize("mode", ["never_require", "always_require"])
@pytest.mark.parametrize("approved", [True, False])
def test_a_run_in_a_session_ends_with_an_approval_request(asking_guard: Guard, approved: bool, mode: Any) -> None:
    """Also where the tool has its user asked of itself, who is asked twice then."""
    played = Played()

    @tool(name="note", approval_mode=mode)
    def note(text: str) -> str:
        """Takes a note."""
        return played.note(text)

    agent = Agent(Scripted("BLOCK", "BLOCK"), tools=[note], middleware=supervisor_middleware(asking_guard))

    async def run() -> Any:
        session = agent.create_session()
        paused = await agent.run(TASK, session=session)
        if mode == "always_require":
            (own,) = paused.user_input_requests
            assert (SEEN, "supervisor" in own.additional_properties) == ([], False)
            paused = await agent.run(Message("user", [own.to_function_approval_response(True)]), session=session)
        (request,) = paused.user_input_requests
        assert (request.additional_properties["supervisor"], played.ran) == ("It says BLOCK.", [])
        return await agent.run(Message("user", [request.to_function_approval_response(approved)]), session=session)

    ended = asyncio.run(run())
    assert played.ran == (["BLOCK"] if approved else [])
    word = "approved" if approved else "denied"
    assert answers_of(asking_guard) == [(word, "the user of Microsoft Agent Framework", "")]
    contents = [content for message in ended.messages for content in message.contents]
    told = [str(content.result) for content in contents if content.type == "function_result"]
    if approved:  # for one run
        assert "noted BLOCK" in told[0]
        assert len(ended.user_input_requests) == 1
    elif mode == "never_require":
        assert "denied:judges" in told[-1]


def test_a_run_that_cannot_pause_is_told_of_the_queue(asking_guard: Guard) -> None:
    played = TestAgentFramework().play("BLOCK")
    assert (played.ran, "asked:judges" in played.told[0]) == ([], True)
