"""How many actions of the past a backtest judges in a second, and how much memory it takes.

    python -m benchmarks.backtest [--actions N] [--commands-only] [--workers N] [--every SECONDS] [--json]

The sessions have 50 steps each, written as Claude Code writes them: 20 harmless commands of `benchmarks/labelled`, 20
files that are read and 10 that are edited, each with an output of 20 lines; with --commands-only, 50 commands. The
start of the processes is included. The rate per second of processor time counts what all processes have computed, so
that waiting for a processor does not count. Memory is that of all processes together, shared pages counted once (Linux
only: it reads /proc); the peak of the first tenth of the actions beside that of all shows whether it grows.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.report import machine
from benchmarks.soak import descendants, share
from supervisor.feedback.backtest.judging import settings_for
from supervisor.feedback.backtest.running import run
from supervisor.feedback.backtest.sources import sources_in
from supervisor.feedback.backtest.tally import Tally
from supervisor.feedback.backtest.workers import processes
from supervisor.policy import Policy

LABELLED = Path(__file__).parent / "labelled"
STEPS = 50
OUTPUT = "done\n" * 20
Call = tuple[str, dict[str, str]]


class Memory:
    """Looks at the memory of this process and all below it, in megabytes, until it is closed."""

    def __init__(self, every: float) -> None:
        self.peak = 0.0
        self._every, self._ended = every, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._ended.wait(self._every):
            everything = [os.getpid(), *descendants(os.getpid())]
            self.peak = max(self.peak, sum(map(share, everything)))

    def close(self) -> None:
        self._ended.set()
        self._thread.join()


def main() -> None:
    """Prints actions a second, a second and core, and the peaks of memory."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--actions", type=int, default=2_000)
    options.add_argument("--commands-only", action="store_true")
    options.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options.add_argument("--every", type=float, default=2.0, help="seconds between two looks at the memory")
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), given.actions, commands_only=given.commands_only)
        found = measure(Path(folder), given.actions, given.workers, given.every)
    found |= {"sessions of": "commands" if given.commands_only else "commands, reads and edits"}
    if given.json:
        print(json.dumps({"machine": machine()} | found))
        return
    for name, value in (machine() | found).items():
        print(f"{name:<28} {value:,}" if isinstance(value, int | float) else f"{name:<28} {value}")


def measure(folder: Path, actions: int, workers: int, every: float) -> dict[str, Any]:
    """Judges all sessions of a folder. Tells on stderr how far it is."""
    problems: list[tuple[str, str]] = []
    sources = sources_in([folder], lambda place, why: problems.append((place, why)))
    memory, began, peaks, told = Memory(every), time.perf_counter(), dict[str, float](), itertools.count(1)
    mark, computed = next(told), _computed()

    def progress(tally: Tally) -> None:
        nonlocal mark
        while tally.actions * 20 >= actions * mark:
            took = time.perf_counter() - began
            line = f"{tally.actions:,} actions, {took:,.0f} s, {tally.actions / took:,.1f}/s, {memory.peak:,.0f} MB"
            print(line, file=sys.stderr, flush=True)
            if mark == 2:
                peaks["peak_mb_of_the_first_tenth"] = round(memory.peak)
            mark = next(told)

    with processes(workers) as executor:
        tally = run(sources, settings_for(Policy(), b"0" * 32), executor, workers=workers, progress=progress)
    took = time.perf_counter() - began
    memory.close()
    assert not problems
    assert tally.problem_count == 0
    rate = tally.actions / took
    return {
        "actions": tally.actions,
        "workers": workers,
        "seconds": round(took, 1),
        "actions_a_second": round(rate, 1),
        "actions_a_second_and_core": round(rate / min(workers, os.cpu_count() or 1), 1),
        "actions_a_processor_second": round(tally.actions / (_computed() - computed), 1),
        "stopped": tally.stopped,
        "flagged": tally.verdicts["flag"],
        **peaks,
        "peak_mb": round(memory.peak),
    }


def _computed() -> float:
    """Seconds of processor time of this process and of all below it that have ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def write(folder: Path, actions: int, *, commands_only: bool) -> None:
    """Writes sessions with so many actions in all, 200 in a folder."""
    commands = itertools.cycle(_commands())
    for number in range(actions // STEPS):
        place = folder / f"project-{number // 200}"
        place.mkdir(exist_ok=True)
        calls = (_command(commands) if commands_only else _mixed(number, step, commands) for step in range(STEPS))
        _write(place / f"s-{number}.jsonl", list(calls), number)


def _commands() -> Iterator[str]:
    for file in (LABELLED / "shell.jsonl", *sorted(LABELLED.glob("commands-*.jsonl"))):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["label"] == "harmless" and isinstance(row["args"].get("command"), str):
                yield row["args"]["command"]


def _command(commands: Iterator[str]) -> Call:
    return "Bash", {"command": next(commands)}


def _mixed(number: int, step: int, commands: Iterator[str]) -> Call:
    path = f"/srv/shop/src/part_{number % 97}/module_{step}.py"
    if step % 5 in (0, 2):
        return "Read", {"file_path": path}
    if step % 5 == 4:
        return "Edit", {"file_path": path, "old_string": f"limit = {number}", "new_string": f"limit = {number + step}"}
    return _command(commands)


def _write(path: Path, calls: list[Call], number: int) -> None:
    said = {"type": "user", "sessionId": path.stem, "cwd": "/srv/shop", "message": {"content": "Mend the build"}}
    day = f"2026-{number % 11 + 1:02}-{number % 28 + 1:02}T10:00:00Z"
    lines = [json.dumps(said)]
    for step, (tool, args) in enumerate(calls):
        call = {"type": "tool_use", "id": str(step), "name": tool, "input": args}
        result = {"type": "tool_result", "tool_use_id": str(step), "content": OUTPUT}
        lines += [_line("assistant", path.stem, call, day), _line("user", path.stem, result, day)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _line(role: str, session: str, part: dict[str, object], time: str) -> str:
    common = {"type": role, "sessionId": session, "cwd": "/srv/shop", "timestamp": time}
    return json.dumps({**common, "message": {"content": [part]}})


if __name__ == "__main__":
    main()
