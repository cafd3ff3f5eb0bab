"""Long work beside an event loop: every task gets its turn, and the answer is the same."""

from __future__ import annotations

import sys
from itertools import count, pairwise
from types import SimpleNamespace

import anyio
import pytest
from anyio.lowlevel import checkpoint

from supervisor.evidence.reading import slices
from supervisor.evidence.reading.slices import SLICE, Sliced, Work, run_in_thread

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def a_step_is_a_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "time", SimpleNamespace(perf_counter=count().__next__))


@Sliced
def counted(log: list[str], name: str, steps: int) -> Work[int]:
    for _ in range(steps):
        log.append(name)
        yield
    return steps


async def test_works_take_turns_and_every_round_has_room_for_others() -> None:
    log: list[str] = []

    async def others() -> None:
        for _ in range(20):
            log.append("loop")
            await checkpoint()

    async with anyio.create_task_group() as group:
        group.start_soon(counted.unhurried, log, "one", 5)
        group.start_soon(counted.unhurried, log, "two", 5)
        group.start_soon(others)
    works = [each for each in log if each != "loop"]
    assert sorted(works) == ["one"] * 5 + ["two"] * 5
    assert works[:6] in (["one", "two"] * 3, ["two", "one"] * 3)
    assert not any(one != "loop" and two != "loop" for one, two in pairwise(log))


async def test_the_answer_is_the_same_at_once_and_in_slices() -> None:
    assert counted([], "one", 7) == await counted.unhurried([], "one", 7) == 7


async def test_a_work_that_is_given_up_lets_the_next_begin() -> None:
    log: list[str] = []
    with anyio.CancelScope() as scope:
        scope.cancel()
        await counted.unhurried(log, "one", 5)
    assert await counted.unhurried(log, "two", 2) == 2
    assert "two" in log


async def test_threads_take_short_turns_while_one_computes_aside_and_then_as_before() -> None:
    before, seen = sys.getswitchinterval(), list[float]()

    async def one() -> None:
        seen.append(await run_in_thread(sys.getswitchinterval))

    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(one)
    assert all(each == pytest.approx(SLICE) for each in seen)
    assert sys.getswitchinterval() == before
    with pytest.raises(ZeroDivisionError):
        await run_in_thread(lambda: 1 / 0)
    assert sys.getswitchinterval() == before
