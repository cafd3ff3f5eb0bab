"""The time of one decision in the midst of a session: after 0, 20 and 200 steps of real work, by 1 and by 16 agents.

Agents play sessions from their beginning, with a signed record on disk. The steps around a length of the history are
decided and timed, and those shortly before them are decided, so that workers know the session as they do in real use;
the others are only added to the history. Other guards, which see no history, get the same commands.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from benchmarks.report import RUNS
from benchmarks.work import BUSINESS, COMMANDS, FILES, Done, coding, support
from supervisor.engine.session import Session
from supervisor.engine.supervisor import Supervisor

WINDOWS = {20: range(15, 25), 0: range(1), 200: range(195, 205)}  # the steps that count as a length; the usual first
BEFORE = 10  # steps before a window that are decided and not timed
AGENTS = (1, 16)
OBSERVED = "observing an outcome"
SORTS = (COMMANDS, FILES, BUSINESS, OBSERVED)
SHORT = 10  # sessions of one step for each long one, so that the first step is timed as often as others
FACTS = {"cwd": "/repo", "workspace": "/repo"}
TASK = "Find out why the reports are late, fix it, and answer the customers who asked."
Peer = Callable[[Sequence[str]], list[tuple[float, str]]]


@dataclass
class Times:
    """Milliseconds, by the number of agents, the sort of work and the steps before it; and how many were stopped."""

    took: dict[tuple[int, str, int], list[float]] = field(default_factory=lambda: defaultdict(list))
    stopped: dict[tuple[int, str, int], int] = field(default_factory=lambda: defaultdict(int))

    def add(self, agents: int, sort: str, at: int, milliseconds: float, verdict: str = "ok") -> None:
        key = (agents, sort, at)
        self.took[key].append(milliseconds)
        self.stopped[key] += verdict not in RUNS

    def to_json(self) -> list[dict[str, Any]]:
        """One row for each number of agents, sort and length."""
        return [
            {
                "agents": agents,
                "sort": sort,
                "steps": at,
                "p50_ms": statistics.median(took),
                "p99_ms": sorted(took)[int(len(took) * 0.99)],
                "decisions": len(took),
                "stopped": self.stopped[agents, sort, at],
            }
            for (agents, sort, at), took in sorted(self.took.items(), key=lambda row: _order(*row[0]))
        ]


def _order(agents: int, sort: str, at: int) -> tuple[int, int, str, int]:
    return list(WINDOWS).index(at), agents, "" if sort in SORTS else sort, [*SORTS, sort].index(sort)


def play(supervisor: Supervisor, works: Iterator[Done], times: Times, agents: int) -> list[tuple[int, str]]:
    """Plays one session. Returns its commands that were timed, each with the length of the history."""
    session, asked = Session(task=TASK, facts=FACTS), []
    for number, done in enumerate(works):
        at = next((length for length, steps in WINDOWS.items() if number in steps), None)
        action = supervisor.action(done.tool, done.args)
        if not any(steps.start - BEFORE <= number < steps.stop for steps in WINDOWS.values()):
            supervisor.remember(session, action, done.output)
            continue
        started = time.perf_counter()
        decision = supervisor.decide_from_thread(action, None, session)
        decided = time.perf_counter()
        supervisor.observe(session, action, done.output)
        if at is not None:
            times.add(agents, done.sort, at, (decided - started) * 1000, decision.verdict.label)
            times.add(agents, OBSERVED, at, (time.perf_counter() - decided) * 1000)
            if done.sort == COMMANDS:
                asked.append((at, done.args["command"]))
    return asked


def measure(supervisor: Supervisor, peers: Mapping[str, Peer], rounds: int) -> Times:
    """Plays sessions in turns: one agent, its commands by the peers, then sixteen agents. The first turn warms up."""
    times = Times()
    with ThreadPoolExecutor(max(AGENTS)) as threads:
        for turn in range(-1, rounds):
            current = times if turn >= 0 else Times()
            for agents in AGENTS:
                one = partial(_session, supervisor, times=current, agents=agents)
                asked = list(itertools.chain(*threads.map(one, range(turn * 100, turn * 100 + agents))))
                if agents == 1:
                    _ask(peers, asked, current)
    return times


def _session(supervisor: Supervisor, seed: int, times: Times, agents: int) -> list[tuple[int, str]]:
    """One agent's turn: a long session of each sort of work, and short ones."""
    long, asked = max(steps.stop for steps in WINDOWS.values()), []
    for work in (coding, support):
        for short in range(SHORT):
            asked += play(supervisor, itertools.islice(work(seed * 1_000 + short), 1), times, agents)
        asked += play(supervisor, itertools.islice(work(seed), long), times, agents)
    return asked


def _ask(peers: Mapping[str, Peer], asked: Sequence[tuple[int, str]], times: Times) -> None:
    for name, peer in peers.items():
        for (at, _), (microseconds, answer) in zip(asked, peer([command for _, command in asked]), strict=True):
            times.add(1, name, at, microseconds / 1000, answer)


def show(rows: Sequence[Mapping[str, Any]]) -> None:
    """Prints the figures, those of 20 steps first."""
    print(f"\n{'one decision in a session':>32} {'steps':>6} {'agents':>6} {'p50 ms':>8} {'p99 ms':>8} {'stopped':>8}")
    for row in rows:
        stopped = row["stopped"] / row["decisions"]
        print(
            f"{row['sort']:>32} {row['steps']:>6} {row['agents']:>6} {row['p50_ms']:>8.2f} {row['p99_ms']:>8.2f} "
            f"{stopped:>8.1%}"
        )
