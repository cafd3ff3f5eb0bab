"""CrewAI."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("crewai", reason="crewai is not installed; `make adapters` tries it")

from crewai import Agent, Crew, Task
from crewai.llms.base_llm import BaseLLM
from crewai.tools import tool

from supervisor.adapters import crewai
from supervisor.adapters.function.guard import Guard
from tests.adapters.contract import TASK, Contract, Played, answers_of, asking_guard, made

__all__ = ["asking_guard"]  # a fixture


class Scripted(BaseLLM):
    """A model with native tool calls, which keeps what it is told of each."""

    script: Any = None
    told: Any = None

    def supports_function_calling(self) -> bool:
        return True

    def call(self, messages: Any, *_: Any, **__: Any) -> Any:
        if isinstance(messages, list):
            self.told[:] = [str(each["content"]) for each in messages if each.get("role") == "tool"]
        number, text = next(self.script, (0, None))
        if text is None:
            return "done"
        function = {"name": "note", "arguments": json.dumps({"text": text})}
        return [{"id": f"call_{number}", "type": "function", "function": function}]


@pytest.fixture(autouse=True)
def silent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("CREWAI_DISABLE_TELEMETRY", "OTEL_SDK_DISABLED", "CREWAI_TESTING"):
        monkeypatch.setenv(name, "true")
    monkeypatch.chdir(tmp_path)


class TestCrewAI(Contract):
    knows_failure = False

    def play(self, *texts: str) -> Played:
        return played_by(made("crewai")["hooks"], *texts)


def played_by(hooks: Any, *texts: str) -> Played:
    played = Played()

    @tool("note")
    def note(text: str) -> str:
        """Takes a note."""
        return played.note(text)

    model = Scripted(model="scripted", script=iter(enumerate(texts)), told=played.told)
    agent = Agent(role="scribe", goal="notes", backstory="a scribe", llm=model, tools=[note])
    task = Task(description=TASK, expected_output="notes", agent=agent)
    try:
        Crew(agents=[agent], tasks=[task]).kickoff()
    finally:
        hooks.remove()
    return played


@pytest.mark.parametrize("said", ["yes", "use a branch", None])
def test_who_sits_at_the_terminal_is_asked(
    asking_guard: Guard, said: str | None, monkeypatch: Any, capsys: Any
) -> None:
    def typed() -> str:
        if said is None:
            raise EOFError
        return said

    monkeypatch.setattr("builtins.input", typed)
    played = played_by(crewai.install(pauses=True), "one", "BLOCK")
    assert played.ran == (["one", "BLOCK"] if said == "yes" else ["one"])
    answers = {"yes": [("approved", "the user of CrewAI", "")], None: []}
    assert answers_of(asking_guard) == answers.get(said, [("denied", "the user of CrewAI", "use a branch")])
    heard = {"yes": "noted BLOCK", None: "asked:judges"}
    assert heard.get(said, "use a branch") in played.told[1]
    assert "Supervisor: It says BLOCK." in capsys.readouterr().out


def test_where_nobody_does_the_queue_is_used(asking_guard: Guard) -> None:
    played = played_by(crewai.install(), "BLOCK")
    assert (played.ran, "asked:judges" in played.told[0]) == ([], True)
