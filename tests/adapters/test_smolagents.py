"""smolagents."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("smolagents", reason="smolagents is not installed")

from smolagents import CodeAgent, ToolCallingAgent, tool
from smolagents.models import (
    ChatMessage,
    ChatMessageToolCall,
    ChatMessageToolCallFunction,
    MessageRole,
    Model,
)

from supervisor.adapters.smolagents import supervised
from tests.adapters.contract import SEEN, TASK, Contract, Played, made


class Scripted(Model):
    def __init__(self, *messages: ChatMessage) -> None:
        super().__init__()
        self.script = list(messages)

    def generate(self, *_: Any, **__: Any) -> ChatMessage:
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]


def calling(name: str, arguments: dict[str, str]) -> ChatMessage:
    function = ChatMessageToolCallFunction(name=name, arguments=arguments)
    call = ChatMessageToolCall(id=f"call_{id(function)}", type="function", function=function)
    return ChatMessage(role=MessageRole.ASSISTANT, content="", tool_calls=[call])


def noting(played: Played) -> Any:
    @tool
    def note(text: str) -> str:
        """Takes a note.

        Args:
            text: What to write down.
        """
        return played.note(text)

    return note


class TestSmolagents(Contract):
    def play(self, *texts: str) -> Played:
        played = Played()
        script = [calling("note", {"text": text}) for text in texts]
        model = Scripted(*script, calling("final_answer", {"answer": "done"}))
        agent = ToolCallingAgent(tools=[noting(played)], model=model, verbosity_level=0, max_steps=3)
        made("smolagents", agent=agent)["agent"].run(TASK)
        SEEN[:] = [each for each in SEEN if each[0].tool != "final_answer"]
        played.told = [str(step.error or step.observations) for step in agent.memory.steps if hasattr(step, "error")]
        return played


def test_the_code_of_a_code_agent_is_judged_too(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.adapters.contract import _open

    played = Played()
    codes = ("note('one')", "x = 'NUDGE'\nnote('two')", "note(text='NU' + 'DGE')", "final_answer('done')")
    messages = [ChatMessage(role=MessageRole.ASSISTANT, content=f"<code>\n{code}\n</code>") for code in codes]
    agent = CodeAgent(tools=[noting(played)], model=Scripted(*messages), verbosity_level=0)
    SEEN.clear()
    supervised(agent, _open()).run(TASK)
    assert played.ran == ["one"]
    assert [action.kind for action, _ in SEEN[:3]] == ["python", "tool", "python"]
    errors = [str(step.error) for step in agent.memory.steps if getattr(step, "error", None)]
    assert len(errors) == 2
    assert all("Say please." in error for error in errors)
