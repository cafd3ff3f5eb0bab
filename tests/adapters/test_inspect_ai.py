"""Inspect AI."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="inspect-ai is not installed; `make adapters` tries it")

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageTool, ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import Tool, ToolError, tool

from tests.adapters.contract import TASK, Contract, Played, made


class TestInspect(Contract):
    knows_tools = tells_after = withholds = False

    @pytest.fixture(autouse=True)
    def elsewhere(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)

    def test_the_callers_session_holds(self, guard: Any) -> None:
        """An evaluation runs its samples side by side, each in a session of its own."""

    def play(self, *texts: str) -> Played:
        played = Played()

        @tool
        def note() -> Tool:
            async def execute(text: str) -> str:
                """Takes a note.

                Args:
                    text: What to write down.
                """
                try:
                    return played.note(text)
                except ValueError as error:
                    raise ToolError(str(error)) from error

            return execute

        outputs = [ModelOutput.for_tool_call("mockllm/model", "note", {"text": text}) for text in texts]
        outputs.append(ModelOutput.from_content("mockllm/model", "done"))
        for output in outputs:
            output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        model = get_model("mockllm/model", custom_outputs=outputs)
        approval = made("inspect_ai")["approval"]
        task = Task(dataset=[Sample(input=TASK)], solver=[use_tools(note()), generate()], approval=approval)
        (log,) = eval(task, model=model, display="none", log_dir="logs")
        assert log.status == "success", log.error
        messages = [each for each in log.samples[0].messages if isinstance(each, ChatMessageTool)]
        played.told = [each.error.message if each.error else each.text for each in messages]
        return played
