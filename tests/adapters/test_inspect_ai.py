"""Inspect AI."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="inspect-ai is not installed; `make adapters` tries it")

from inspect_ai import Task, eval
from inspect_ai.approval import Approval, ApprovalPolicy, approver
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalSample
from inspect_ai.model import ChatMessageTool, ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import Tool, ToolError, tool

from supervisor.adapters.function.guard import Guard
from supervisor.adapters.inspect_ai import supervisor
from tests.adapters.contract import TASK, Contract, Played, _open, answers_of, asking_guard, made

__all__ = ["asking_guard"]  # a fixture


class TestInspect(Contract):
    knows_tools = False

    @pytest.fixture(autouse=True)
    def elsewhere(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)

    def test_the_callers_session_holds(self, guard: Any) -> None:
        """An evaluation runs its samples side by side, each in a session of its own."""

    def play(self, *texts: str) -> Played:
        return evaluated(made("inspect_ai")["approval"], *texts)[0]


def evaluated(approval: Any, *texts: str) -> tuple[Played, EvalSample]:
    """What the model reads is taken from what is sent to it: the log's messages are what the tools said."""
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
    script = iter(outputs)

    def respond(messages: list[Any], *_: Any) -> ModelOutput:
        read = [each for each in messages if isinstance(each, ChatMessageTool)]
        played.told = [each.error.message if each.error else each.text for each in read]
        return next(script)

    model = get_model("mockllm/model", custom_outputs=respond)
    task = Task(dataset=[Sample(input=TASK)], solver=[use_tools(note()), generate()], approval=approval)
    (log,) = eval(task, model=model, display="none", log_dir="logs")
    assert log.status == "success", log.error
    assert log.samples
    return played, log.samples[0]


def test_the_log_keeps_what_a_tool_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Although no model reads it, in that turn or a later one."""
    monkeypatch.chdir(tmp_path)
    guard = _open()
    played, sample = evaluated([ApprovalPolicy(supervisor(guard), "*")], "RUINED", "one")
    guard.supervisor.close()
    assert ["RUINED" in told for told in played.told] == [False, False]
    assert "It is ruined." in played.told[0]
    assert [each.text for each in sample.messages if isinstance(each, ChatMessageTool)] == ["noted RUINED", "noted one"]


@pytest.mark.parametrize("said", ["approve", "reject", "terminate", "escalate"])
def test_inspects_own_approver_is_asked(
    asking_guard: Guard, said: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked: list[str] = []

    @approver
    def person() -> Any:
        async def approve(message: str, call: Any, view: Any, history: Any) -> Approval:
            asked.append(message)
            return Approval(decision=said, explanation="says ann")

        return approve

    played, sample = evaluated([ApprovalPolicy(supervisor(asking_guard, human=person()), "*")], "one", "BLOCK")
    assert [text.partition("\n")[0] for text in asked] == ["Supervisor: It says BLOCK."]
    assert played.ran == (["one", "BLOCK"] if said == "approve" else ["one"])
    word = {"approve": "approved", "escalate": None}.get(said, "denied")
    assert answers_of(asking_guard) == ([(word, "the user of Inspect AI", "says ann")] if word else [])
    heard = {"approve": "noted BLOCK", "reject": "says ann", "escalate": "asked:judges"}
    if said == "terminate":
        assert sample.limit is not None
    else:
        assert heard[said] in played.told[1]


def test_without_one_the_queue_is_used(asking_guard: Guard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    played, _ = evaluated([ApprovalPolicy(supervisor(asking_guard), "*")], "BLOCK")
    assert (played.ran, "asked:judges" in played.told[0]) == ([], True)
