"""LangChain and LangGraph."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("langchain.agents", reason="langchain is not installed")

from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import StructuredTool

from tests.adapters.contract import END, SEEN, TASK, Contract, Played, _open, made


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
