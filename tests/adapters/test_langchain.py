"""LangChain and LangGraph."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("langchain.agents", reason="langchain is not installed")

from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import StructuredTool

from supervisor.adapters.function.guard import Guard
from tests.adapters.contract import END, SEEN, TASK, Contract, Played, _open, answers_of, asking_guard, made

__all__ = ["asking_guard"]  # a fixture


class Scripted(GenericFakeChatModel):
    def bind_tools(self, tools: Any, **_: Any) -> Any:
        return self


def scripted(*texts: str) -> Scripted:
    def message(number: int, text: str) -> AIMessage:
        call = {"name": "note", "args": {"text": text}, "id": f"call_{number}"}
        return AIMessage("done") if text == END else AIMessage("", tool_calls=[call])

    return Scripted(messages=iter([message(*each) for each in enumerate((*texts, END))]))


def built(played: Played, *texts: str) -> Any:
    def note(text: str) -> str:
        """Takes a note."""
        try:
            return played.note(text)
        except ValueError as error:
            raise ToolException(str(error)) from error

    from langchain_core.tools import ToolException

    async def anote(text: str) -> str:
        return note(text)

    tool = StructuredTool.from_function(note, anote, name="note", handle_tool_error=True)
    return made("langchain", model=scripted(*texts), tools=[tool])["agent"]


class TestSync(Contract):
    talks_again = True

    def play(self, *texts: str) -> Played:
        played = Played()
        agent = built(played, *texts)
        for _ in range(texts.count(END) + 1):
            ended = agent.invoke({"messages": [("user", TASK)]})
        return _told(played, ended)


class TestAsync(Contract):
    def play(self, *texts: str) -> Played:
        played = Played()
        ended = asyncio.run(built(played, *texts).ainvoke({"messages": [("user", TASK)]}))
        return _told(played, ended)


def _told(played: Played, ended: dict[str, Any]) -> Played:
    played.told = [str(message.content) for message in ended["messages"] if isinstance(message, ToolMessage)]
    return played


def test_a_tool_node_of_ones_own_is_guarded() -> None:
    from langgraph.graph import StateGraph
    from langgraph.graph.message import MessagesState
    from langgraph.prebuilt import ToolNode

    from supervisor.adapters.langchain import SupervisorMiddleware

    played, guard = Played(), SupervisorMiddleware(_open())
    tool = StructuredTool.from_function(lambda text: played.note(text), name="note", description="Takes a note.")
    graph = StateGraph(MessagesState)
    graph.add_node("tools", ToolNode([tool], wrap_tool_call=guard.wrap_tool_call))
    graph.set_entry_point("tools")
    calls: list[Any] = [{"name": "note", "args": {"text": text}, "id": text} for text in ("NUDGE", "please")]
    ended = graph.compile().invoke({"messages": [("user", TASK), AIMessage("", tool_calls=calls)]})
    assert played.ran == ["please"]
    assert "Say please." in ended["messages"][-2].content


def test_a_graph_that_resumes_does_not_count_a_call_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool that waits for a person is run anew when the person has answered, and the guard is asked anew."""
    from langchain.agents import create_agent
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.types import Command, interrupt

    from supervisor.adapters.langchain import SupervisorMiddleware

    def note(text: str) -> str:
        """Takes a note."""
        return f"noted {text} {interrupt('really?')}"

    SEEN.clear()
    tools = [StructuredTool.from_function(note)]
    middleware = [SupervisorMiddleware(_open())]
    agent = create_agent(scripted("one", "two"), tools, middleware=middleware, checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    agent.invoke({"messages": [("user", TASK)]}, thread)
    agent.invoke(Command(resume="yes"), thread)
    agent.invoke(Command(resume="no"), thread)
    assert [(action.args["text"], len(context.history)) for action, context in SEEN] == [("one", 0), ("two", 1)]
    assert "noted one yes" in str(SEEN[1][1].history[0].output)


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize(
    ("said", "ran", "answer"),
    [
        ({"decisions": [{"type": "approve"}]}, ["BLOCK"], ("approved", "the user of LangGraph", "")),
        ({"decisions": [{"type": "reject", "message": "no"}]}, [], ("denied", "the user of LangGraph", "no")),
        ("yes", [], ("denied", "the user of LangGraph", "")),
    ],
)
def test_a_graph_pauses_for_its_user(asking_guard: Guard, said: Any, ran: Any, answer: Any, is_async: bool) -> None:
    from langchain.agents import create_agent
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.types import Command, interrupt

    from supervisor.adapters.langchain import SupervisorMiddleware

    played = Played()

    def note(text: str) -> str:
        """Takes a note."""
        said = interrupt("in which colour?")
        return f"{played.note(text)} in {said}"

    async def anote(text: str) -> str:
        return note(text)

    tool = StructuredTool.from_function(note, anote, name="note")
    middleware = [SupervisorMiddleware(asking_guard)]
    agent = create_agent(scripted("BLOCK", END), [tool], middleware=middleware, checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}

    def go(told: Any) -> Any:
        return asyncio.run(agent.ainvoke(told, thread)) if is_async else agent.invoke(told, thread)

    (pause,) = go({"messages": [("user", TASK)]})["__interrupt__"]
    (asked,) = pause.value["action_requests"]
    assert (asked["name"], asked["args"], "It says BLOCK." in asked["description"]) == ("note", {"text": "BLOCK"}, True)
    assert played.ran == []
    ended = go(Command(resume=said))
    if ran:  # the tool's own pause comes next, and is not taken for the guard's
        ended = go(Command(resume="green"))
    told = _told(played, ended).told
    assert (played.ran, answers_of(asking_guard)) == (ran, [answer])
    assert told[0] == "noted BLOCK in green" if ran else "denied:judges" in told[0]


def test_a_graph_that_cannot_pause_is_told_of_the_queue(asking_guard: Guard) -> None:
    played = Played()
    told = _told(played, built(played, "BLOCK").invoke({"messages": [("user", TASK)]})).told
    assert played.ran == []
    assert "asked:judges" in told[0]
