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

from tests.adapters.contract import TASK, Contract, Played, made


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


class TestCrewAI(Contract):
    knows_failure = False

    @pytest.fixture(autouse=True)
    def silent(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        for name in ("CREWAI_DISABLE_TELEMETRY", "OTEL_SDK_DISABLED", "CREWAI_TESTING"):
            monkeypatch.setenv(name, "true")
        monkeypatch.chdir(tmp_path)

    def play(self, *texts: str) -> Played:
        played = Played()

        @tool("note")
        def note(text: str) -> str:
            """Takes a note."""
            return played.note(text)

        model = Scripted(model="scripted", script=iter(enumerate(texts)), told=played.told)
        agent = Agent(role="scribe", goal="notes", backstory="a scribe", llm=model, tools=[note])
        task = Task(description=TASK, expected_output="notes", agent=agent)
        hooks = made("crewai")["hooks"]
        try:
            Crew(agents=[agent], tasks=[task]).kickoff()
        finally:
            hooks.remove()
        return played
