"""Whatever is proposed, whatever the doors answer, whatever a specialist does: the engine keeps its promises."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from supervisor.verdict import Opinion
from tests.hostile import processes
from tests.hostile.corpus import DOORS, ENGINES, chunks, corpus
from tests.hostile.deployment import Deployment, deployed
from tests.hostile.inputs import Input
from tests.hostile.judging import Judged, judge, reference_opinions

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc, and workers are forked here alone")
LONGEST_GAP = 0.1  # seconds; other tests run beside this one, `python -m tests.hostile` measures on a quiet machine
HOST_GROWTH = 96 * 1024 * 1024  # bytes: the parsers, drivers and pages of a part of the corpus
WORKER_GROWTH = 96 * 1024 * 1024  # bytes above what it shares with the zygote: 64 may be left, and histories are kept
_PAUSES = (0, 0.2, 0.5, 1, 2, 4, 8)  # seconds before an input is judged again
_NASTIEST = (
    *("all nine at once", "leave_an_orphan", "leave_many_children", "leave_a_program", "leave_threads"),
    *("leave_an_exit_handler", "block_signals_and_answer", "ignore_alarm_and_loop", "write_to_stdout"),
)


@pytest.fixture(scope="module")
def mark() -> Iterator[str]:
    with processes.marked() as mark:
        yield mark


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory, mark: str) -> Iterator[Deployment]:
    with deployed(tmp_path_factory.mktemp("hostile")) as deployment:
        anyio.run(reference_opinions, deployment)  # starts and imports what is started and imported once
        with processes.own_heap_set_aside():
            yield deployment


def _parts() -> Iterator[object]:
    """The first inputs of each aim are in every run, the rest in `make thorough`."""
    for name, part in chunks(3, 12):
        yield pytest.param(part, id=name, marks=() if name.endswith("-1") else pytest.mark.thorough)


@pytest.fixture(scope="module")
def born(deployment: Deployment, mark: str) -> int:
    """The memory of the zygote, which has imported all specialists, in bytes. A worker may touch all of it."""
    deployment.supervisor.start()
    return max(map(processes.with_shared, processes.started(mark)))


@pytest.fixture(scope="module")
def of_benign(deployment: Deployment, born: int) -> dict[str, list[tuple[str, Opinion]]]:
    return anyio.run(reference_opinions, deployment)


@pytest.mark.parametrize("inputs", list(_parts()))
@pytest.mark.anyio
async def test_promises_are_kept(
    deployment: Deployment, mark: str, born: int, of_benign: dict[str, list[tuple[str, Opinion]]], inputs: list[Input]
) -> None:
    memory = _resident()
    judged = [await _judged(deployment, each) for each in inputs]
    problems = [f"{each.input.id}: {problem}" for each in judged for problem in each.problems(LONGEST_GAP)]
    assert not problems, "\n".join(["", *problems])
    assert await reference_opinions(deployment) == of_benign
    assert _resident() - memory < HOST_GROWTH
    assert max(processes.resident([worker]) for worker in processes.started(mark)) - born < WORKER_GROWTH


async def _judged(deployment: Deployment, input: Input) -> Judged:
    """One that is late is judged again, a little later: a machine that others use is late at times, wrong code is
    always."""
    judged = await judge(deployment, input)
    for pause in _PAUSES:
        if not any(judged.late(LONGEST_GAP)):
            break
        await anyio.sleep(pause)
        judged = await judge(deployment, input)
    return judged


def _resident() -> int:
    processes.settle()
    return processes.resident([os.getpid()])


@pytest.mark.anyio
async def test_nothing_is_left_when_it_is_closed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    nasty = [each for each in corpus() if each.name.endswith(_NASTIEST)]
    assert len(nasty) == len(_NASTIEST)
    with processes.marked() as mark:
        with deployed(tmp_path) as deployment:
            for each in nasty:
                await judge(deployment, each)
        assert processes.left(mark) == []
    assert capfd.readouterr().out == ""  # where hosts read the decision


def test_the_corpus_is_large_and_everywhere() -> None:
    inputs = corpus()
    assert len(inputs) >= 400
    assert len({each.id for each in inputs}) == len(inputs)
    for aim in (*ENGINES, *DOORS):
        assert sum(each.engine == aim for each in inputs) >= 5, aim


def test_the_corpus_is_the_same_each_time() -> None:
    for one, other in zip(corpus(), corpus(), strict=True):
        assert (one.id, one.make()) == (other.id, other.make())
