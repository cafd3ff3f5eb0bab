"""OpenAI Agents SDK."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("agents", reason="openai-agents is not installed")

from agents import (
    Agent,
    RunConfig,
    Runner,
    RunState,
    ToolExecutionConfig,
    WebSearchTool,
    function_tool,
    set_tracing_disabled,
)
from agents.testing import ScriptedModel, assistant_message, function_call

from supervisor.adapters.function.guard import Guard
from supervisor.adapters.openai_agents import SupervisorGuardrails, supervised
from tests.adapters.contract import END, SEEN, TASK, Contract, Played, _open, answers_of, asking_guard, made

__all__ = ["asking_guard"]  # a fixture

set_tracing_disabled(True)


def test_whoever_is_handed_over_to_is_guarded_too() -> None:
    """Also where they hand over in a circle; what has no guardrails is named."""
    first = Agent(name="first", tools=[function_tool(Played().note)])
    second = Agent(name="second", tools=[function_tool(Played().note), WebSearchTool()], handoffs=[first])
    first.handoffs = [second]
    guarded = supervised(first, _open())
    other: Any = guarded.handoffs[0]
    assert other is not second
    assert other.handoffs == [guarded]
    assert [len(getattr(tool, "tool_input_guardrails", ())) for tool in other.tools] == [1, 0]


def scripted(*texts: str) -> ScriptedModel:
    calls = [function_call("note", {"text": text}, call_id=f"call_{n}") for n, text in enumerate((*texts, END))]
    script = zip((*texts, END), calls, strict=True)
    return ScriptedModel([[assistant_message("done") if text == END else call] for text, call in script])


class TestOpenAIAgents(Contract):
    talks_again = True
    knows_failure, failure = False, "error occurred"  # the SDK makes a text of it before anyone is told

    def play(self, *texts: str) -> Played:
        played, model = Played(), scripted(*texts)
        agent = made("openai_agents", model=model, tools=[function_tool(played.note)])["agent"]
        for _ in range(texts.count(END) + 1):
            ended = asyncio.run(Runner.run(agent, TASK))
        outputs: list[Any] = [item for item in ended.new_items if item.type == "tool_call_output_item"]
        played.told = [str(item.output) for item in outputs]
        return played


class TestPausing(TestOpenAIAgents):
    """What is asked at the pause is judged there, and once."""

    def play(self, *texts: str) -> Played:
        played = Played()
        agent = Agent(name="scribe", model=scripted(*texts), tools=[function_tool(played.note)])
        agent = SupervisorGuardrails(pauses=True).on(agent)
        for _ in range(texts.count(END) + 1):
            ended = asyncio.run(Runner.run(agent, TASK))
        played.told = [str(item.output) for item in ended.new_items if item.type == "tool_call_output_item"]
        return played


@pytest.mark.parametrize("elsewhere", [False, True])
@pytest.mark.parametrize("said", ["approve", "reject", "nothing", "early"])
def test_a_run_ends_with_an_interruption(asking_guard: Guard, said: str, elsewhere: bool) -> None:
    played = Played()
    guardrails = SupervisorGuardrails(asking_guard, pauses=True)
    tools = [function_tool(played.note)]
    agent = guardrails.on(Agent(name="scribe", model=scripted("one", "BLOCK", "BLOCK", "two"), tools=tools))
    early = ToolExecutionConfig(pre_approval_tool_input_guardrails=True)
    config = RunConfig(tool_execution=early) if said == "early" else None
    result = asyncio.run(Runner.run(agent, TASK, run_config=config))
    if said == "early":  # then the guardrails refuse before there is anything to pause for
        assert (result.interruptions, played.ran) == ([], ["one", "two"])
        return
    (item,) = result.interruptions
    assert (item.name, played.ran, guardrails.why(item)) == ("note", ["one"], "It says BLOCK.")
    state = result.to_state()
    if said == "approve":
        state.approve(item)
    elif said == "reject":
        state.reject(item, rejection_message="use a branch")
    if elsewhere:  # as where it is stored meanwhile
        state = asyncio.run(RunState.from_string(agent, state.to_string()))
    ended = asyncio.run(Runner.run(agent, state))
    user = "the user of OpenAI Agents"
    told = [str(each.output) for each in ended.new_items if each.type == "tool_call_output_item"]
    if said == "nothing":
        assert (len(ended.interruptions), played.ran, answers_of(asking_guard)) == (1, ["one"], [])
    elif said == "approve":  # for one run
        assert (len(ended.interruptions), played.ran) == (1, ["one", "BLOCK"])
        assert answers_of(asking_guard) == [("approved", user, "")]
    else:  # for good, without being asked again
        assert (ended.final_output, played.ran) == ("done", ["one", "two"])
        assert answers_of(asking_guard) == [("denied", user, "use a branch")]
        assert told[1] == "use a branch"
        assert "denied:judges" in told[2]
    assert len({context.session for _, context in SEEN}) == 1
    assert [step.args["text"] for step in SEEN[-1][1].history] == played.ran[: 2 if said == "approve" else 1]


def test_what_a_tool_asks_of_itself_still_counts(asking_guard: Guard) -> None:
    """Its own question is no question of ours, and what we refuse is not asked about."""
    played = Played()
    tools = [function_tool(played.note, needs_approval=True)]
    agent = SupervisorGuardrails(asking_guard, pauses=True).on(Agent(name="s", model=scripted("one"), tools=tools))
    result = asyncio.run(Runner.run(agent, TASK))
    state = result.to_state()
    state.approve(result.interruptions[0])
    assert asyncio.run(Runner.run(agent, state)).final_output == "done"
    assert (played.ran, answers_of(asking_guard)) == (["one"], [])


def test_a_run_that_cannot_pause_is_told_of_the_queue(asking_guard: Guard) -> None:
    played = TestOpenAIAgents().play("BLOCK")
    assert (played.ran, "asked:judges" in played.told[0]) == ([], True)
