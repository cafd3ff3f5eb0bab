"""The front door, as a user meets it."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import pytest

from supervisor.action import Action, Context
from supervisor.engine import Supervisor
from supervisor.errors import BadInput
from supervisor.guarding import Guard
from supervisor.policy import Policy, Records
from supervisor.refusing import Blocked, Nudged, Refused
from supervisor.specialist import Opinion, block, nudge, ok, specialist
from supervisor.verdict import Verdict
from tests.catalogs import catalog_of

SEEN: list[tuple[Action, Context]] = []


@specialist("*")
def judges(action: Action, context: Context) -> Opinion:
    """Objects to whatever argument says so, and keeps what it saw."""
    SEEN.append((action, context))
    values = str(action.args)
    if "BLOCK" in values:
        return block("It says BLOCK.")
    return nudge("It says NUDGE.", correction="Say please.") if "NUDGE" in values else ok()


@pytest.fixture
def guard() -> Iterator[Guard]:
    SEEN.clear()
    supervisor = Supervisor(Policy(records=Records(path=None), isolation="none"), catalog=catalog_of(judges))
    yield Guard(supervisor)
    supervisor.close()


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


def test_kind_fields_and_name_are_told(guard: Guard) -> None:
    @guard(kind="refund", fields={"order": "no"}, name="give_back")
    def tool(no: str, sum: float) -> None: ...

    tool("A-1", 3.5)
    action, _ = SEEN[0]
    assert (action.tool, action.kind, action.get("order"), action.args["sum"]) == ("give_back", "refund", "A-1", 3.5)


def test_kinds_come_from_the_name_where_nothing_is_told(guard: Guard) -> None:
    @guard
    def run_command(cmd: str) -> None: ...

    run_command("ls")
    assert (SEEN[0][0].kind, SEEN[0][0].text("command")) == ("shell", "ls")


def test_methods_and_every_form_of_parameter(guard: Guard) -> None:
    class Shop:
        @guard
        def sell(self, item: str, /, *more: str, price: int, **notes: str) -> str:
            return item

    assert Shop().sell("a", "b", "c", price=1, gift="yes") == "a"
    assert SEEN[0][0].args == {"item": "a", "more": ["b", "c"], "price": 1, "gift": "yes"}


def test_a_bound_method_can_be_guarded(guard: Guard) -> None:
    class Till:
        def open(self, code: str) -> str:
            return code

    assert guard(Till().open)("x") == "x"
    assert SEEN[0][0].args == {"code": "x"}


def test_values_that_are_not_json_are_recorded_as_what_they_say(guard: Guard) -> None:
    @dataclass
    class Money:
        amount: int

    guard(lambda **values: None)(
        path=Path("/tmp"), money=Money(3), raw=b"abc", many={3, 1}, nan=float("nan"), deep=[[1]]
    )
    assert SEEN[0][0].args == {
        "path": "/tmp",
        "money": {"amount": 3},
        "raw": "abc",
        "many": [1, 3],
        "nan": "nan",
        "deep": [[1]],
    }


def test_what_cannot_be_judged_whole_is_not_run(guard: Guard) -> None:
    """Nothing is cut from an argument: the guard would judge one action, and the tool run another."""
    deep: list[object] = []
    for _ in range(200):
        deep = [deep]
    ran: list[object] = []
    with pytest.raises(BadInput, match="cannot be judged as it is"):
        guard(lambda value: ran.append(value))(deep)
    assert ran == []
    guard(lambda text: ran.append(text))("x" * 2_000_000)
    assert len(SEEN[-1][0].args["text"]) == 2_000_000


def test_a_caller_cannot_put_a_decoy_where_the_guard_looks(guard: Guard) -> None:
    """The parameter that the tool runs is judged, whatever else stands in **kwargs."""

    @guard(name="bash", on_refusal="return")
    def run(cmd: str, **ignored: str) -> str:
        return f"ran {cmd}"

    assert run("BLOCK", command="ls") != "ran BLOCK"
    run("ls", command="pwd")
    assert SEEN[-1][0].text("command") == "ls"

    @guard(name="bash")
    def overwritten(command: str, /, **options: str) -> str:
        return f"ran {command}"

    with pytest.raises(BadInput, match="given twice"):
        overwritten("BLOCK", command="ls")
    with pytest.raises(BadInput, match="only once"):
        run(iter(["BLOCK"]))  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="command and cmd could each be what runs"):
        guard.check("bash", {"cmd": "rm -rf ~", "command": "ls"})
    assert guard.check("bash", {"cmd": "ls", "command": "ls"}, fields={"command": "cmd"}).allowed


def test_a_tool_that_takes_anything_is_judged_by_what_it_is_given(guard: Guard) -> None:
    @guard(name="bash")
    def run(**options: str) -> str:
        return "ran"

    with pytest.raises(Blocked):
        run(cmd="BLOCK")
    assert SEEN[-1][0].text("command") == "BLOCK"

    @guard(kind="shell")
    def vector(*words: str) -> str:
        return "ran"

    with pytest.raises(BadInput, match="no argument of it is its command"):
        vector("BLOCK")


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


def test_a_mistake_in_the_guard_itself_is_found_when_it_is_made(guard: Guard) -> None:
    def tool(text: str) -> None: ...

    for wrong in ({"kind": "zzz"}, {"fields": {"order": "nope"}}, {"on_refusal": "zzz"}):
        with pytest.raises(BadInput):
            guard(**wrong)(tool)  # type: ignore[call-overload]


def test_static_and_class_methods_in_either_order(guard: Guard) -> None:
    class Shop:
        @guard
        @staticmethod
        def one(item: str) -> str:
            return item

        @staticmethod
        @guard
        def two(item: str) -> str:
            return item

        @guard
        @classmethod
        def three(cls, item: str) -> str:
            return item

    assert [Shop().one("a"), Shop.two("b"), Shop.three("c"), Shop().three("d")] == list("abcd")
    assert [action.args for action, _ in SEEN] == [{"item": each} for each in "abcd"]


def test_facts_and_task_are_what_a_record_can_hold(guard: Guard) -> None:
    with guard.session(facts={"workspace": Path("/repo"), "limit": Decimal("1.5")}, task="say \ud800"):
        guard.check("bash", {"command": "ls"})
    assert SEEN[0][1].facts == {"workspace": "/repo", "limit": "1.5"}
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


FORKS = """
import os, signal, sys
from supervisor.engine import Supervisor
from supervisor.guarding import Guard
from supervisor.policy import Policy, Records
home = sys.argv[1]
guard = Guard(Supervisor(Policy(records=Records(home + "/records", home + "/key.pem"))))
assert guard.check("bash", {"command": "ls"}).allowed
assert guard.check("refund", {"order": "A-1"}).record, "asks a database, so it goes through the portal"
for leaves in (False, True):
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        if leaves:
            sys.exit(0)
        assert guard.check("refund", {"order": "A-1"}).record
        decision = guard.check("bash", {"command": "rm -rf ~"})
        sys.exit(0 if decision.record and not decision.allowed else 3)
    assert os.waitpid(child, 0)[1] == 0, "a forked child hung or failed"
assert guard.check("bash", {"command": "ls"}).record
"""


def test_a_forked_child_decides_and_ends(tmp_path: Path) -> None:
    """As under gunicorn's preload or multiprocessing: the parent's event loop has no thread in the child."""
    ended = subprocess.run(
        [sys.executable, "-c", FORKS, str(tmp_path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 0, ended.stderr


def test_a_call_that_does_not_fit_fails_as_without_a_guard(guard: Guard) -> None:
    with pytest.raises(TypeError):
        guard(lambda a: a)()  # type: ignore[call-arg]
    assert SEEN == []


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
    assert (context.agent, context.task, context.facts) == ("a", "find it", {"limit": 3})
    assert [(step.args, step.output) for step in context.history] == [({"place": "here"}, {"found": "here"})]


def test_a_refused_action_is_not_history(guard: Guard) -> None:
    tool = guard(on_refusal="return")(lambda text: "ran")
    with guard.session() as session:
        tool("BLOCK")
    assert len(session.context().history) == 0


def test_check_decides_and_runs_nothing(guard: Guard) -> None:
    assert guard.check("bash", {"command": "BLOCK"}).verdict is Verdict.BLOCK
    assert guard.check("bash", {"command": "ls"}).allowed
    with pytest.raises(BadInput):
        guard.check("bash", {"command": "a\0b"})
    with pytest.raises(BadInput):
        guard.check("", {})


def test_what_check_allowed_can_be_observed(guard: Guard) -> None:
    with guard.session() as session:
        guard.observe(guard.check("bash", {"command": "ls"}), "a.txt")
    assert [step.output for step in session.context().history] == ["a.txt"]


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


def test_the_public_guard_opens_lazily_and_a_process_ends_by_itself(tmp_path: Path) -> None:
    """The environment's supervisor, in a fresh process that never closes anything."""
    policy = tmp_path / "policy.yaml"
    policy.write_text(f"records: {{path: {tmp_path}/records, key: {tmp_path}/key.pem}}\n")
    program = """
import supervisor.guarding
from supervisor import Blocked, guard

@guard(name="bash")
def run(command): return "ran"

print(run("ls"))
try:
    run("rm -rf /")
except Blocked as error:
    print(error.decision.verdict.label)
"""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "SUPERVISOR_POLICY": str(policy)}
    environment["XDG_CACHE_HOME"] = os.environ["XDG_CACHE_HOME"]
    ended = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.stdout, ended.returncode) == ("ran\nblock\n", 0), ended.stderr
    checkpoint = next((tmp_path / "records").glob("*.checkpoint")).read_text()
    assert checkpoint, "sealed at exit"
