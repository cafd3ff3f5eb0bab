"""Which action a call is: its name, its kind, its arguments, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from supervisor.adapters.function.guard import Guard
from supervisor.adapters.function.refusals import Blocked
from supervisor.errors import BadInput
from tests.adapters.function.judging import SEEN


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

    with pytest.raises(BadInput, match="none of its arguments is the command"):
        vector("BLOCK")


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


def test_a_call_that_does_not_fit_fails_as_without_a_guard(guard: Guard) -> None:
    with pytest.raises(TypeError):
        guard(lambda a: a)()  # type: ignore[call-arg]
    assert SEEN == []
