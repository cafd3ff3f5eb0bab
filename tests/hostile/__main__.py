"""Judges the corpus on a quiet machine, and prints what it took: `python -m tests.hostile [PART OF A NAME]`."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

import anyio
from rich.console import Console
from rich.table import Table

from tests.hostile import processes
from tests.hostile.corpus import corpus
from tests.hostile.deployment import Deployment, deployed
from tests.hostile.inputs import Input
from tests.hostile.judging import Judged, judge, reference_opinions

GOAL = 0.010  # seconds that the event loop may be held
_SLOWEST = 15


def main() -> int:
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    inputs = [each for each in corpus() if wanted in each.id]
    console = Console(width=140)
    with tempfile.TemporaryDirectory() as folder, processes.marked() as mark:
        with deployed(Path(folder)) as deployment, processes.own_heap_set_aside():
            problems = anyio.run(_judged, console, deployment, inputs, mark)
        remaining = processes.left(mark)
    problems += [f"still there after close(): {each}" for each in remaining]
    for problem in problems:
        console.print(problem, style="red", markup=False, soft_wrap=True)
    console.print(f"{len(inputs)} inputs, {len(problems)} broken promises", style="bold")
    return 1 if problems else 0


async def _judged(console: Console, deployment: Deployment, inputs: Sequence[Input], mark: str) -> list[str]:
    await reference_opinions(deployment)  # starts and imports what is started and imported once
    before = await reference_opinions(deployment)
    memory = [_memory(mark)]
    judged = [await judge(deployment, each) for each in inputs]
    after = await reference_opinions(deployment)
    memory.append(_memory(mark))
    console.print(_by_engine(judged), _slowest(judged), _memories(memory))
    problems = [f"{each.input.id}: {problem}" for each in judged for problem in each.problems(GOAL)]
    changed = [f"the opinions of {tool} changed" for tool in before if before[tool] != after[tool]]
    return problems + changed


def _memory(mark: str) -> tuple[int, int, int]:
    """Bytes of this process, bytes of its workers, and how many these are."""
    processes.settle()
    workers = processes.started(mark)
    return processes.resident([os.getpid()]), processes.resident(workers), len(workers)


def _by_engine(judged: Sequence[Judged]) -> Table:
    table = Table(
        "aimed at", "inputs", "bad input", "ended", "median ms", "p99 ms", "longest ms", "p99 gap", "longest gap"
    )
    for engine, group in groupby(judged, key=lambda each: each.input.engine):
        table.add_row(engine, *_row(list(group)))
    table.add_section()
    table.add_row("all", *_row(judged))
    return table


def _row(judged: Sequence[Judged]) -> Iterable[str]:
    decided = [each for each in judged if each.decision]
    times, gaps = sorted(each.elapsed for each in decided), sorted(each.gap for each in decided)
    figures = [_at(times, 0.5), _at(times, 0.99), _at(times, 1), _at(gaps, 0.99), _at(gaps, 1)]
    ended = sum(any(True for _ in each.decision.refusals) for each in judged if each.decision)
    counts = [len(judged), sum(bool(each.code) for each in judged), ended]
    return [*map(str, counts), *(f"{figure * 1000:,.1f}" for figure in figures)]


def _at(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def _slowest(judged: Sequence[Judged]) -> Table:
    table = Table("slowest", "ms", "deadline ms", "gap ms")
    for each in sorted(judged, key=lambda each: -each.elapsed)[:_SLOWEST]:
        figures = (each.elapsed, each.deadline, each.gap)
        table.add_row(each.input.id, *(f"{figure * 1000:,.1f}" for figure in figures))
    return table


def _memories(memory: Sequence[tuple[int, int, int]]) -> Table:
    table = Table("memory", "host MB", "workers MB", "workers")
    for when, (host, workers, count) in zip(("before", "after"), memory, strict=True):
        table.add_row(when, f"{host / 1e6:,.0f}", f"{workers / 1e6:,.0f}", str(count))
    return table


if __name__ == "__main__":
    sys.exit(main())
