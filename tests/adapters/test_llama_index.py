"""LlamaIndex."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("llama_index.core", reason="llama-index-core is not installed; `make adapters` tries it")

from llama_index.core.agent.workflow import FunctionAgent, ToolCallResult
from llama_index.core.base.llms.types import ChatMessage, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM

from supervisor.adapters.llama_index import supervised
from tests.adapters.contract import TASK, Contract, Played, made


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
