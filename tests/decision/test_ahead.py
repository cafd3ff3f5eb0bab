"""Specialists behind the doors are asked without an event loop up to the first place that needs one: their opinions are
the same."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio.lowlevel import checkpoint
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Context
from supervisor.catalog.case_world import CaseWorld
from supervisor.catalog.cases import promises, proposal_of
from supervisor.catalog.catalog import Catalog, open_catalog
from supervisor.decision.ask import Begun, ask_through_doors, begin_through_doors
from supervisor.doors.recorded import RecordingDoors, SharedAnswers
from supervisor.engine.supervisor import Supervisor
from supervisor.evidence.reading import slices
from supervisor.evidence.reading.slices import Sliced, Work, ahead_of_loop, going_on, loop_reached
from supervisor.policy import Policy, Records, Taxonomy
from supervisor.specialist import Specialist, ok
from supervisor.verdict import Cause, Opinion, Refusal
from tests.catalog import taxonomies

BUDGET = 60.0
ACTION = Action("lookup", {}, "tool")


def opinion_of(specialist: Specialist, action: Action, context: Context, budget: float = BUDGET) -> Opinion:
    """Its opinion: begun without a loop, and finished in one if it needs that."""
    begun = begin_through_doors(specialist, action, context, budget)
    if not isinstance(begun, Begun):
        return begun
    return anyio.run(ask_through_doors, specialist, action, context, budget, begun)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return open_catalog(Taxonomy())


def with_doors(catalog: Catalog) -> Iterator[tuple[Specialist, Any]]:
    for name, entry in catalog.entries.items():
        if entry.uses_doors:
            for promise in promises(catalog.failure_mode(name)):
                yield catalog.specialist(name), promise.case


def test_opinions_are_the_same_with_a_loop_and_ahead_of_one(catalog: Catalog) -> None:
    asked, needed_loop = 0, 0
    for specialist, case in with_doors(catalog):
        opinions, answers = [], []
        for ahead in (True, False):
            action, context = proposal_of(case)
            doors = RecordingDoors(SharedAnswers(CaseWorld(case.world)))
            context = replace(context, doors=doors)
            if ahead:
                opinions.append(opinion_of(specialist, action, context))
            else:
                opinions.append(anyio.run(ask_through_doors, specialist, action, context, BUDGET))
            answers.append(doors.answers)
        assert opinions[0] == opinions[1]
        assert answers[0] == answers[1]
        asked, needed_loop = asked + 1, needed_loop + bool(answers[0])
    assert asked > 200
    assert 0 < needed_loop < asked


@given(st.lists(st.integers(0, 5), max_size=6), st.booleans())
def test_sliced_work_ends_ahead_if_it_is_short_and_goes_on_in_a_loop(steps: list[int], is_short: bool) -> None:
    def work(number: int) -> Work[int]:
        for _ in range(number):
            yield
        return number * 10

    async def judge() -> list[int]:
        sliced = Sliced(work)
        return [await sliced.unhurried(each) for each in steps]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(slices, "SLICE", 60.0 if is_short else -1.0)
        begun = judge()
        try:
            ahead_of_loop(begun)
        except StopIteration as ended:
            found = ended.value
            assert is_short or all(each <= 1 for each in steps)
        else:
            assert not is_short

            async def rest() -> list[int]:
                return await going_on(begun)

            found = anyio.run(rest)
    assert found == [each * 10 for each in steps]


def test_nothing_waits_for_a_loop_that_is_there() -> None:
    async def judge() -> int:
        await loop_reached()
        await checkpoint()
        return 1

    assert anyio.run(judge) == 1


@pytest.mark.parametrize("where", ["ahead", "in the loop"])
def test_what_it_raises_is_a_refusal_wherever_that_is(where: str) -> None:
    async def judge(action: Action, context: Context) -> Opinion:
        if where == "in the loop":
            await loop_reached()
        raise ValueError("broken")

    said = opinion_of(Specialist("one", frozenset({"tool"}), judge, uses_doors=True), ACTION, Context())
    assert said == Refusal("crashed with ValueError: broken", Cause.INPUT)


@pytest.mark.parametrize("where", ["ahead", "in the loop", "both"])
def test_its_budget_is_one(monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    """What it took ahead of the loop counts there as well."""
    now = [0.0]
    monkeypatch.setattr("supervisor.decision.ask.time.perf_counter", lambda: now[0])

    async def judge(action: Action, context: Context) -> Opinion:
        now[0] += {"ahead": 2.0, "both": 0.999, "in the loop": 0.0}[where]
        if where != "ahead":
            await loop_reached()
            await anyio.sleep(30 if where == "in the loop" else 0.5)
        return ok()

    budget = 0.05 if where == "in the loop" else 1.0
    said = opinion_of(Specialist("one", frozenset({"tool"}), judge, uses_doors=True), ACTION, Context(), budget)
    assert isinstance(said, Refusal)
    assert (said.ended, said.cause) == ("deadline", Cause.INFRASTRUCTURE)


def test_a_business_call_without_doors_opens_no_loop() -> None:
    """`named_records` asks a database, and none is configured."""
    with contextlib.closing(Supervisor(Policy(isolation="none", records=Records(None)))) as opened:
        order = opened.action("cancel_order", {"order_id": "A-1"})
        assert "record_in_wrong_state" in opened.decide_from_thread(order, Context("Cancel my order A-1.")).asked
        assert opened._portal is None


def test_a_deployments_own_specialist_may_need_a_loop_in_any_place(tmp_path: Path) -> None:
    _, judge = taxonomies.add(tmp_path, "sleeps")
    text = (
        judge.read_text()
        .replace("def sleeps", "async def sleeps")
        .replace("    if", "    await asyncio.sleep(0)\n    if", 1)
    )
    judge.write_text(text.replace("from supervisor", "import asyncio\n\nfrom supervisor", 1))
    policy = Policy(records=Records(None), taxonomy=taxonomies.alone(tmp_path))
    with contextlib.closing(Supervisor(policy)) as opened:
        assert opened.decide_from_thread(opened.action("bash", {"command": "forbidden"})).by == ("sleeps",)
