"""What a guard does about an outcome that may not stand: it says so, and undoes what can be undone."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest

from supervisor.adapters.function.guard import Guard
from supervisor.adapters.function.refusals import Blocked, Nudged
from supervisor.errors import BadInput, RecordFailed
from supervisor.policy import Authority
from tests.engine.outcomes.judging import SEEN, records_of


class Till:
    """Takes money, and gives it back."""

    def __init__(self, guard: Guard, revert: Any = None, said: str = "ruined", **options: Any) -> None:
        self.calls: list[Any] = []

        def charge(customer: str, amount: float) -> str:
            self.calls.append(("charge", customer, amount))
            if said == "raise":
                raise ValueError("ruined")
            return said

        async def acharge(customer: str, amount: float) -> str:
            return charge(customer, amount)

        self.charge = guard(kind="payment", revert=revert and self.refund, **options)(charge)
        self.acharge = guard(kind="payment", revert=revert and self.arefund, **options)(acharge)
        self.mode = revert

    def refund(self, customer: str, amount: float, outcome: Any) -> None:
        self.calls.append(("refund", customer, amount, str(outcome)))
        if self.mode == "fails":
            raise ConnectionError("the bank is closed")

    async def arefund(self, customer: str, amount: float, outcome: Any) -> None:
        await asyncio.sleep(0)
        self.refund(customer, amount, outcome)

    def run(self, way: str, *args: Any) -> Any:
        return self.charge(*args) if way == "sync" else asyncio.run(self.acharge(*args))


REVERT = Authority(specialists={"hindsight": "revert"})


@pytest.mark.parametrize("way", ["sync", "async"])
class TestGuarded:
    def test_a_flag_stands(self, opened: Any, way: str) -> None:
        assert Till(Guard(opened()), said="odd").run(way, "ida", 5) == "odd"

    def test_an_objection_is_raised_with_the_result(self, opened: Any, way: str) -> None:
        guard = Guard(opened())
        for said, kind in (("spilt", Nudged), ("ruined", Blocked)):
            with guard.session(), pytest.raises(kind, match='"executed":true') as raised:
                Till(guard, said=said).run(way, "ida", 5)
            assert raised.value.returned == said
            assert raised.value.decision.stage == "after"
        assert "its result is withheld" in str(raised.value)

    def test_an_objection_is_returned_where_that_is_asked_for(self, opened: Any, way: str) -> None:
        told = Till(Guard(opened()), said="spilt", on_refusal="return").run(way, "ida", 5)
        assert "Wipe it up." in told

    def test_what_is_refused_before_is_not_judged_after(self, opened: Any, way: str) -> None:
        till = Till(Guard(opened()))
        with pytest.raises(Blocked, match='"executed":false'):
            till.run(way, "forbidden", 5)
        assert not till.calls
        assert not SEEN

    def test_it_is_undone_where_the_policy_wants_that(self, opened: Any, tmp_path: Path, way: str) -> None:
        till = Till(Guard(opened(REVERT)), revert="works")
        with pytest.raises(Blocked, match='"reverted":true') as raised:
            till.run(way, "ida", 5)
        assert till.calls == [("charge", "ida", 5), ("refund", "ida", 5, "ruined")]
        (record,) = records_of(tmp_path, "revert")
        assert (record.predicate["outcome"], record.predicate["reverted"]) == (raised.value.decision.record, True)
        (outcome,) = records_of(tmp_path, "outcome")
        assert outcome.predicate["decision"]["reverts"] is True

    def test_an_inverse_that_fails_is_recorded_and_said(
        self, opened: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture, way: str
    ) -> None:
        till = Till(Guard(opened(REVERT)), revert="fails")
        with pytest.raises(Blocked, match=r'"reverted":false.*the bank is closed') as raised:
            till.run(way, "ida", 5)
        assert isinstance(raised.value.__cause__, ConnectionError)
        assert "what it did stands" in str(raised.value)
        (record,) = records_of(tmp_path, "revert")
        assert (record.predicate["reverted"], record.predicate["error"]) == (
            False,
            "ConnectionError: the bank is closed",
        )
        assert "undoing charge has failed" in caplog.text.replace("acharge", "charge")

    def test_nothing_is_undone_without_authority_or_an_inverse(
        self, opened: Any, caplog: pytest.LogCaptureFixture, way: str
    ) -> None:
        for authority, revert in ((None, "works"), (REVERT, None)):
            till = Till(Guard(opened(authority)), revert=revert)
            with pytest.raises(Blocked) as raised:
                till.run(way, "ida", 5)
            assert len(till.calls) == 1
            assert "reverted" not in str(raised.value)
        assert "has no inverse" in caplog.text

    def test_a_nudge_undoes_nothing(self, opened: Any, way: str) -> None:
        till = Till(Guard(opened(REVERT)), revert="works", said="spilt")
        with pytest.raises(Nudged):
            till.run(way, "ida", 5)
        assert len(till.calls) == 1

    def test_what_the_tool_raises_passes_with_a_note(self, opened: Any, way: str) -> None:
        till = Till(Guard(opened(REVERT)), revert="works", said="raise")
        with pytest.raises(ValueError, match="ruined") as raised:
            till.run(way, "ida", 5)
        (note,) = raised.value.__notes__
        assert '"reverted":true' in note
        assert till.calls[1] == ("refund", "ida", 5, "ruined")


def test_an_undoing_that_cannot_be_recorded_is_said_aloud(
    opened: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    supervisor = opened(REVERT)

    def fail(*_: object) -> None:
        raise RecordFailed("the disk is full")

    monkeypatch.setattr(supervisor._ledger, "record_revert", fail)
    with caplog.at_level(logging.ERROR), pytest.raises(Blocked, match='"reverted":true') as raised:
        Till(Guard(supervisor), revert="works").charge("ida", 5)
    assert raised.value.decision.record_error == "the disk is full"
    assert "is not recorded" in caplog.text


def test_a_method_is_undone_on_its_own_object(opened: Any) -> None:
    guard = Guard(opened(REVERT))

    class Account:
        def __init__(self) -> None:
            self.balance = 10

        def put_back(self, amount: int, outcome: Any) -> None:
            self.balance += amount

        @guard(kind="payment", revert=put_back)
        def pay(self, amount: int) -> str:
            self.balance -= amount
            return "ruined"

    account = Account()
    with pytest.raises(Blocked):
        account.pay(3)
    assert account.balance == 10


@pytest.mark.parametrize(
    ("tool", "revert", "told"),
    [
        (lambda amount: None, lambda amount: None, "no parameter called outcome"),
        (lambda amount, outcome: None, lambda **given: None, "its own parameter called outcome"),
        (lambda amount: None, Till.arefund, "it is a coroutine function, but the tool is not"),
    ],
)
def test_an_inverse_that_could_not_be_called_is_refused_at_once(opened: Any, tool: Any, revert: Any, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        Guard(opened())(kind="payment", revert=revert)(tool)
