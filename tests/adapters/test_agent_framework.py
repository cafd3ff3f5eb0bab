"""Microsoft Agent Framework."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

pytest.importorskip("agent_framework", reason="agent-framework is not installed; `make adapters` tries it")

from agent_framework import BaseChatClient, ChatResponse, Content, FunctionInvocationLayer, Message, tool

from tests.adapters.contract import END, TASK, Contract, Played, made


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
