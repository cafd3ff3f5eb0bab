"""Google ADK."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest

pytest.importorskip("google.adk", reason="google-adk is not installed; `make adapters` tries it")

from google.adk.agents import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.runners import InMemoryRunner
from google.genai import types

from supervisor.adapters.function.guard import Guard
from tests.adapters.contract import END, TASK, Contract, Played, answers_of, asking_guard, made

__all__ = ["asking_guard"]  # a fixture


class Scripted(BaseLlm):
    script: Any

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> AsyncGenerator[LlmResponse, None]:
        text = next(self.script, END)
        call = types.Part.from_function_call(name="note", args={"text": text})
        part = types.Part(text="done") if text == END else call
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


class GoesOn(BasePlugin):
    """Makes a result of an exception, without which ADK ends the run."""

    async def on_tool_error_callback(self, *, error: Exception, **_: Any) -> dict[str, Any]:
        return {"error": str(error)}


class TestADK(Contract):
    talks_again = True

    def play(self, *texts: str) -> Played:
        played = Played()

        def note(text: str) -> str:
            """Takes a note."""
            return played.note(text)

        agent = LlmAgent(name="scribe", model=Scripted(model="scripted", script=iter(texts)), tools=[note])
        app = made("google_adk", agent=agent)["app"]
        app.plugins.append(GoesOn("goes_on"))

        async def run() -> None:
            runner = InMemoryRunner(app=app)
            message = types.Content(role="user", parts=[types.Part(text=TASK)])
            for _ in range(texts.count(END) + 1):
                session = await runner.session_service.create_session(app_name="notes", user_id="ann")
                async for event in runner.run_async(user_id="ann", session_id=session.id, new_message=message):
                    played.told += [str(each.response) for each in event.get_function_responses()]

        asyncio.run(run())
        return played


@pytest.mark.parametrize("confirmed", [True, False])
def test_an_app_has_its_user_confirm(asking_guard: Guard, confirmed: bool) -> None:
    from google.adk.apps import App

    from supervisor.adapters.google_adk import SupervisorPlugin

    played = Played()

    def note(text: str) -> str:
        """Takes a note."""
        return played.note(text)

    agent = LlmAgent(name="scribe", model=Scripted(model="scripted", script=iter(["BLOCK", END])), tools=[note])
    runner = InMemoryRunner(app=App(name="notes", root_agent=agent, plugins=[SupervisorPlugin(asking_guard)]))

    async def say(session: str, part: types.Part) -> list[Any]:
        message = types.Content(role="user", parts=[part])
        return [event async for event in runner.run_async(user_id="ann", session_id=session, new_message=message)]

    async def run() -> None:
        session = await runner.session_service.create_session(app_name="notes", user_id="ann")
        events = await say(session.id, types.Part(text=TASK))
        calls = [call for event in events for call in event.get_function_calls()]
        (asked,) = [call for call in calls if call.name == "adk_request_confirmation"]
        assert asked.args["toolConfirmation"]["hint"] == "Supervisor: It says BLOCK."
        assert played.ran == []
        said = types.FunctionResponse(id=asked.id, name=asked.name, response={"confirmed": confirmed})
        events = await say(session.id, types.Part(function_response=said))
        played.told = [str(each.response) for event in events for each in event.get_function_responses()]

    asyncio.run(run())
    assert played.ran == (["BLOCK"] if confirmed else [])
    assert ("noted BLOCK" if confirmed else "denied:judges") in played.told[0]
    word = "approved" if confirmed else "denied"
    assert answers_of(asking_guard) == [(word, "the user of Google ADK", "")]
