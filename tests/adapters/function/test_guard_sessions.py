"""What a session remembers of guarded calls, and whose they are."""

from __future__ import annotations

import asyncio
import threading
from decimal import Decimal
from pathlib import Path

import pytest

from supervisor.action import Context
from supervisor.adapters.function.guard import Guard
from tests.adapters.function.judging import SEEN


def stated(context: Context) -> dict[str, object]:
    """The facts, without the one that the engine adds."""
    return {name: value for name, value in context.facts.items() if name != "guard_assets"}


def test_facts_and_task_are_what_a_record_can_hold(guard: Guard) -> None:
    with guard.session(facts={"workspace": Path("/repo"), "limit": Decimal("1.5")}, task="say \ud800"):
        guard.check("bash", {"command": "ls"})
    assert stated(SEEN[0][1]) == {"workspace": "/repo", "limit": "1.5"}
    assert SEEN[0][1].task == "say ?"


def test_a_cancelled_tool_is_history(guard: Guard) -> None:
    @guard
    async def tool() -> None:
        await asyncio.sleep(60)

    async def work() -> list[bool]:
        with guard.session() as session:
            task = asyncio.create_task(tool())
            while not SEEN:  # noqa: ASYNC110 - until the decision has been made
                await asyncio.sleep(0)
            await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return [step.failed for step in session.context().history]

    assert asyncio.run(work()) == [True]


def test_a_tools_own_exception_passes_unchanged_and_joins_the_history(guard: Guard) -> None:
    error = KeyError("mine")

    @guard
    def tool() -> None:
        raise error

    with guard.session() as session:
        with pytest.raises(KeyError) as raised:
            tool()
        assert raised.value is error
        (step,) = session.context().history
    assert step.failed
    assert "mine" in step.text


def test_what_a_tool_returned_joins_the_history(guard: Guard) -> None:
    look = guard(lambda place: {"found": place})
    with guard.session(agent="a", task="find it", facts={"limit": 3}):
        look("here")
        look("there")
    _, context = SEEN[1]
    assert (context.agent, context.task, stated(context)) == ("a", "find it", {"limit": 3})
    assert [(step.args, step.output) for step in context.history] == [({"place": "here"}, {"found": "here"})]


def test_a_refused_action_is_not_history(guard: Guard) -> None:
    tool = guard(on_refusal="return")(lambda text: "ran")
    with guard.session() as session:
        tool("BLOCK")
    assert len(session.context().history) == 0


def test_what_check_allowed_can_be_observed(guard: Guard) -> None:
    with guard.session() as session:
        guard.observe(guard.check("bash", {"command": "ls"}), "a.txt")
    assert [step.output for step in session.context().history] == ["a.txt"]


def test_sessions_of_two_tasks_in_one_loop_do_not_mix(guard: Guard) -> None:
    @guard
    async def tool(text: str) -> str:
        return text

    async def agent(name: str, turn: asyncio.Barrier) -> list[str]:
        with guard.session(agent=name) as session:
            for number in range(5):
                await turn.wait()
                await tool(f"{name}{number}")
            return [step.args["text"] for step in session.context().history]

    async def work() -> list[list[str]]:
        turn = asyncio.Barrier(2)
        return list(await asyncio.gather(agent("a", turn), agent("b", turn)))

    assert asyncio.run(work()) == [[f"a{n}" for n in range(5)], [f"b{n}" for n in range(5)]]
    assert all(context.agent == action.args["text"][0] for action, context in SEEN)


def test_sessions_of_threads_do_not_mix(guard: Guard) -> None:
    tool = guard(lambda text: text)
    turn = threading.Barrier(3)
    histories: dict[str, list[str]] = {}

    def agent(name: str) -> None:
        with guard.session(agent=name) as session:
            for number in range(5):
                turn.wait()
                tool(f"{name}{number}")
            histories[name] = [step.args["text"] for step in session.context().history]

    threads = [threading.Thread(target=agent, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert histories == {name: [f"{name}{n}" for n in range(5)] for name in "abc"}


def test_outside_a_session_every_call_stands_alone(guard: Guard) -> None:
    tool = guard(lambda text: text)
    tool("a")
    tool("b")
    assert [len(context.history) for _, context in SEEN] == [0, 0]
    assert guard.current_session is None


def test_nested_sessions_end_where_they_end(guard: Guard) -> None:
    with guard.session(agent="outer") as outer:
        with guard.session(agent="inner"):
            assert guard.current_session is not outer
        assert guard.current_session is outer
