"""AutoGen."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

pytest.importorskip("autogen_agentchat", reason="autogen-agentchat is not installed; `make adapters` tries it")

from autogen_agentchat.messages import ToolCallExecutionEvent
from autogen_core import FunctionCall
from autogen_core.models import CreateResult, ModelInfo, RequestUsage
from autogen_core.tools import FunctionTool
from autogen_ext.models.replay import ReplayChatCompletionClient

from tests.adapters.contract import TASK, Contract, Played, made

USAGE = RequestUsage(prompt_tokens=1, completion_tokens=1)
INFO = ModelInfo(vision=False, function_calling=True, json_output=False, family="unknown", structured_output=False)


def calling(number: int, text: str) -> CreateResult:
    call = FunctionCall(id=f"call_{number}", name="note", arguments=json.dumps({"text": text}))
    return CreateResult(finish_reason="function_calls", content=[call], usage=USAGE, cached=False)


class TestAutoGen(Contract):
    knows_task = False

    def play(self, *texts: str) -> Played:
        played = Played()
        script: list[Any] = [*(calling(number, text) for number, text in enumerate(texts)), "done"]
        client = ReplayChatCompletionClient(script, model_info=INFO)
        tools = [FunctionTool(played.note, description="Takes a note.", name="note")]
        agent = made("autogen", client=client, tools=tools)["agent"]
        agent._max_tool_iterations = len(script)
        ended = asyncio.run(agent.run(task=TASK))
        events = [each for each in ended.messages if isinstance(each, ToolCallExecutionEvent)]
        played.told = [str(result.content) for event in events for result in event.content]
        return played
