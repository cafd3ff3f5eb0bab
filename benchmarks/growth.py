"""How the cost of a decision grows with the specialists, the history, the arguments and the concurrent agents.

    python -m benchmarks.growth [--rounds N] [--json] [--plot FILE.svg]

All points of an axis are measured in one run, a batch of each in turn, and the first point changes with every round, so
that a noisy machine disturbs all alike. Every decision is recorded. Specialists are generated, one in twenty of them
for shell commands, as in a growing taxonomy: only those of an action's own kind are asked. Prints medians and 99th
percentiles in milliseconds, decisions a second, and the growth of the median against its goal; asserts nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, cycle, islice, repeat
from pathlib import Path
from typing import Any

from benchmarks import third_party
from benchmarks.axis import Axis, Decide, Point, show
from benchmarks.latency import HERE, Call, read_commands
from benchmarks.plot import chart
from benchmarks.report import machine
from supervisor.adapters.function.guard import Guard
from supervisor.engine.session import Session
from supervisor.engine.supervisor import Supervisor
from supervisor.policy import Policy, Records, Taxonomy

SPECIALISTS = (10, 100, 1_000)
STEPS = (10, 100, 1_000)
BYTES = (100, 1_000, 10_000, 100_000, 1_000_000)
AGENTS = (1, 2, 4, 8, 16)
KINDS = ["shell", *islice(cycle([kind for kind in third_party.TOOLS if kind != "shell"]), 19)]
FACTS = {"cwd": "/repo"}
COMMANDS = read_commands(HERE / "commands.jsonl")


@dataclass(frozen=True)
class Opened:
    """The resources that are open while an axis is measured."""

    folder: Path
    closing: contextlib.ExitStack

    def supervisor(self, taxonomy: Taxonomy | None = None) -> Supervisor:
        """A supervisor that records, with a journal of its own."""
        records = Records(tempfile.mkdtemp(dir=self.folder), str(self.folder / "key.pem"))
        supervisor = Supervisor(Policy(records=records, taxonomy=taxonomy or Taxonomy()))
        self.closing.callback(supervisor.close)
        return supervisor


def by_specialists(opened: Opened) -> Axis:
    points = []
    for count in SPECIALISTS:
        folder = opened.folder / f"{count} specialists"
        for number in range(count):
            third_party.write(folder, f"generated_{number:04}", KINDS[number % len(KINDS)])
        decide = in_turn(opened.supervisor(third_party.alone(folder)), Session(facts=FACTS))
        points.append(Point(count, decide, cycle(COMMANDS)))
    return Axis("specialists in force, one in twenty asked", points, most_growth=3)


def by_history(opened: Opened) -> Axis:
    supervisor, points = opened.supervisor(), []
    for steps in STEPS:
        session = Session(facts=FACTS)
        for tool, args in islice(cycle(COMMANDS), steps):
            supervisor.observe(session, supervisor.action(tool, args), "a line of output\n" * 10)
        points.append(Point(steps, in_turn(supervisor, session), cycle(COMMANDS)))
    return Axis("steps of history", points, most_growth=1.5)


def by_arguments(opened: Opened) -> Axis:
    supervisor, points, line = opened.supervisor(), [], "A line of a file that an agent writes.\n"
    for size in BYTES:
        content = (line * (size // len(line) + 1))[:size]
        call = ("write_file", {"path": "notes.md", "content": content})
        points.append(Point(size, in_turn(supervisor, Session(facts=FACTS)), repeat(call)))
    return Axis("bytes of arguments", points)


def by_threads(opened: Opened) -> Axis:
    guard = Guard(opened.supervisor())

    def decide_by(agents: int) -> Decide:
        threads = opened.closing.enter_context(ThreadPoolExecutor(agents))
        return lambda calls: list(chain(*threads.map(one, [calls] * agents)))

    def one(calls: Sequence[Call]) -> list[float]:
        with guard.session(facts=FACTS):
            return [_milliseconds(guard.check, tool, args) for tool, args in calls]

    return Axis(
        "threads at once",
        [Point(agents, decide_by(agents), cycle(COMMANDS)) for agents in AGENTS],
        least_per_second=1_500,
    )


def by_tasks(opened: Opened) -> Axis:
    guard, runner = Guard(opened.supervisor()), opened.closing.enter_context(asyncio.Runner())

    async def one(calls: Sequence[Call]) -> list[float]:
        took = []
        with guard.session(facts=FACTS):
            for tool, args in calls:
                started = time.perf_counter()
                await guard.acheck(tool, args)
                took.append((time.perf_counter() - started) * 1000)
                await asyncio.sleep(0)  # here the tool would run and other tasks get their turn
        return took

    async def all_of(agents: int, calls: Sequence[Call]) -> list[float]:
        return list(chain(*await asyncio.gather(*(one(calls) for _ in range(agents)))))

    def decide_by(agents: int) -> Decide:
        return lambda calls: runner.run(all_of(agents, calls))

    return Axis(
        "tasks at once",
        [Point(agents, decide_by(agents), cycle(COMMANDS)) for agents in AGENTS],
        least_per_second=1_500,
    )


def in_turn(supervisor: Supervisor, session: Session) -> Decide:
    """One agent that waits for each decision."""

    def decide(tool: str, args: dict[str, Any]) -> None:
        supervisor.decide_from_thread(supervisor.action(tool, args), None, session)

    return lambda calls: [_milliseconds(decide, *call) for call in calls]


def _milliseconds(decide: Callable[..., object], tool: str, args: dict[str, Any]) -> float:
    started = time.perf_counter()
    decide(tool, args)
    return (time.perf_counter() - started) * 1000


def measured(rounds: int) -> Iterator[dict[str, Any]]:
    """Every axis in turn; the resources of one are closed before the next."""
    for prepare in (by_specialists, by_history, by_arguments, by_threads, by_tasks):
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as closing:
            os.environ["XDG_CACHE_HOME"] = folder  # generated specialists must not enter the user's cache
            axis = prepare(Opened(Path(folder), closing))
            axis.measure(rounds)
            yield axis.to_json()


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.growth", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20, metavar="N", help="batches of every point (20)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw the medians as well")
    options, axes = parser.parse_args(), []
    for axis in measured(max(options.rounds, 1)):
        axes.append(axis)
        if not options.json:
            show(axis)
    facts = machine()
    print(json.dumps({"machine": facts, "axes": axes}, indent=2) if options.json else f"\n{facts}")
    if options.plot:
        lines = {axis["axis"]: [(point["at"], point["p50_ms"]) for point in axis["points"]] for axis in axes}
        options.plot.write_text(chart("What one decision takes", "how many", "milliseconds, median", lines))


if __name__ == "__main__":
    main()
