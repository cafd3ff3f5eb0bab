"""The front door, as a user meets it."""

from __future__ import annotations

import asyncio
import inspect
import json
import sys

import pytest

from supervisor.action import Action, Context
from supervisor.adapters.function.guard import Guard
from supervisor.adapters.function.refusals import Blocked, Nudged, Refused
from supervisor.engine.supervisor import Supervisor
from supervisor.errors import BadInput
from supervisor.policy import Policy, Records
from supervisor.specialist import Opinion, block, specialist
from supervisor.verdict import Verdict
from tests.adapters.function.judging import SEEN
from tests.catalog.catalogs import catalog_of


def test_a_tool_that_may_run_runs_and_returns(guard: Guard) -> None:
    @guard
    def add(a: int, b: int = 2) -> int:
        return a + b

    assert add(1) == 3
    assert add.__name__ == "add"
    assert SEEN[0][0].args == {"a": 1, "b": 2}


def test_a_refused_tool_never_runs(guard: Guard) -> None:
    ran = []
    tool = guard(lambda text: ran.append(text))
    for text, error in (("NUDGE", Nudged), ("BLOCK", Blocked)):
        with pytest.raises(error):
            tool(text)
        with pytest.raises(Refused):
            tool(text=text)
    assert ran == []


def test_a_refusal_is_compact_json_that_a_model_can_act_on(guard: Guard) -> None:
    with pytest.raises(Nudged) as nudged:
        guard(lambda text: None)("NUDGE")
    told = json.loads(str(nudged.value))
    assert told == {
        "executed": False,
        "code": "nudge:judges",
        "reason": "It says NUDGE.",
        "correction": "Say please.",
    }
    assert "\n" not in str(nudged.value)
    assert nudged.value.decision.verdict is Verdict.NUDGE
    with pytest.raises(Blocked) as blocked:
        guard(lambda text: None)("BLOCK")
    assert json.loads(str(blocked.value)).keys() == {"executed", "code", "reason", "next"}


def test_a_refusal_can_be_returned(guard: Guard) -> None:
    @guard(on_refusal="return")
    def tool(text: str) -> str:
        return "ran"

    assert tool("fine") == "ran"
    assert json.loads(tool("BLOCK"))["executed"] is False


@pytest.mark.thorough
def test_a_verdict_does_not_depend_on_the_callers_stack() -> None:
    """Deep in a recursion a parser would have no room, and a block would become a flag."""
    guard = Guard(Supervisor(Policy(records=Records(path=None))))
    nested = "$(echo " * 25 + ")" * 25

    def at_depth(depth: int) -> Verdict:
        if depth:
            return at_depth(depth - 1)
        return guard.check("bash", {"command": f"rm -rf ~ {nested}"}).verdict

    room = sys.getrecursionlimit() - len(inspect.stack()) - 60
    try:
        assert {at_depth(depth) for depth in (0, room // 2, room)} == {Verdict.BLOCK}
    finally:
        guard.supervisor.close()


def test_an_object_with_an_async_call_is_async(guard: Guard) -> None:
    class Tool:
        async def __call__(self, text: str) -> str:
            return text.upper()

    with guard.session() as session:
        assert asyncio.run(guard(Tool())("a")) == "A"
    assert [step.output for step in session.context().history] == ["A"]


def test_an_exception_that_cannot_say_what_it_is_passes_unchanged(guard: Guard) -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    @guard
    def tool() -> None:
        raise Mute

    with pytest.raises(Mute):
        tool()


def test_check_decides_and_runs_nothing(guard: Guard) -> None:
    assert guard.check("bash", {"command": "BLOCK"}).verdict is Verdict.BLOCK
    assert guard.check("bash", {"command": "ls"}).allowed
    with pytest.raises(BadInput):
        guard.check("bash", {"command": "a\0b"})
    with pytest.raises(BadInput):
        guard.check("", {})


def test_async_tools_are_guarded_in_their_own_loop(guard: Guard) -> None:
    @guard
    async def tool(text: str) -> str:
        await asyncio.sleep(0)
        return text.upper()

    async def work() -> None:
        assert await tool("a") == "A"
        with pytest.raises(Blocked):
            await tool("BLOCK")
        assert (await guard.acheck("x", {"text": "NUDGE"})).verdict is Verdict.NUDGE

    asyncio.run(work())


def test_a_sync_caller_reaches_specialists_that_wait() -> None:
    @specialist("tool")
    async def waits(action: Action, context: Context) -> Opinion:
        await asyncio.sleep(0.001)
        return block("It has waited.")

    supervisor = Supervisor(Policy(records=Records(path=None)), catalog=catalog_of(waits))
    try:
        assert Guard(supervisor).check("anything", {}).reason == "It has waited."
    finally:
        supervisor.close()


def test_a_sync_tool_inside_a_running_loop(guard: Guard) -> None:
    tool = guard(lambda text: text)

    async def work() -> str:
        return tool("fine")

    assert asyncio.run(work()) == "fine"


@pytest.mark.parametrize("way", ["observe", "aobserve"])
def test_what_a_tool_did_stands_where_the_guard_fails_afterwards(
    guard: Guard, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, way: str
) -> None:
    """A caller that were told of an error might run the tool again."""

    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("the guard has a fault")

    async def works(text: str) -> str:
        return text.upper()

    monkeypatch.setattr(guard, way, fails)
    tool = guard(str.upper, name="tool") if way == "observe" else guard(works)  # type: ignore[call-overload]
    returned = tool("a")
    assert (returned if way == "observe" else asyncio.run(returned)) == "A"
    assert "is not remembered" in caplog.text
