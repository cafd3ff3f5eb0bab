"""Pydantic AI."""

from __future__ import annotations

import pytest

pytest.importorskip("pydantic_ai", reason="pydantic-ai is not installed")

from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from tests.adapters.contract import END, TASK, Contract, Played, made


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
            ended = agent.run_sync(TASK)
        parts = [part for message in ended.all_messages() for part in message.parts]
        played.told = [part.model_response_str() for part in parts if isinstance(part, ToolReturnPart)]
        return played
