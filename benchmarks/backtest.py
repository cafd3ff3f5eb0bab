"""How many actions of the past a backtest judges in a second, on one core and on all: `python -m benchmarks.backtest`.

The sessions have the harmless commands of `benchmarks/labelled`, 50 each with outputs of 20 lines, written as Claude
Code writes them.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from supervisor.feedback.backtest.judging import settings_for
from supervisor.feedback.backtest.running import run
from supervisor.feedback.backtest.sources import sources_in
from supervisor.feedback.backtest.tally import Tally
from supervisor.feedback.backtest.workers import processes
from supervisor.policy import Policy

LABELLED = Path(__file__).parent / "labelled"
SESSIONS = 40
STEPS = 50


def main() -> None:
    """Prints actions per second for one process and for one a core."""
    commands = list(_commands())
    with tempfile.TemporaryDirectory() as folder:
        for number in range(SESSIONS):
            _write(Path(folder) / f"s-{number}.jsonl", commands[number * STEPS % len(commands) :][:STEPS])
        for workers in (1, os.cpu_count() or 1):
            began = time.perf_counter()
            tally = _run(Path(folder), workers)
            rate = tally.actions / (time.perf_counter() - began)
            line = f"{workers} processes: {tally.actions:,} actions, {rate:,.0f}/s, {rate / workers:,.0f}/s a process"
            sys.stdout.write(f"{line}, {tally.stopped} stopped, {tally.verdicts['flag']} flagged\n")


def _commands() -> Iterator[str]:
    for file in (LABELLED / "shell.jsonl", *sorted(LABELLED.glob("commands-*.jsonl"))):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["label"] == "harmless" and isinstance(row["args"].get("command"), str):
                yield row["args"]["command"]


def _run(folder: Path, workers: int) -> Tally:
    problems: list[tuple[str, str]] = []
    sources = sources_in([folder], lambda place, why: problems.append((place, why)))
    with processes(workers) as executor:
        return run(sources, settings_for(Policy(), b"0" * 32), executor, workers=workers)


def _write(path: Path, commands: list[str]) -> None:
    said = {"type": "user", "sessionId": path.stem, "cwd": "/srv/shop", "message": {"content": "Mend the build"}}
    lines = [json.dumps(said)]
    for number, command in enumerate(commands):
        call = {"type": "tool_use", "id": str(number), "name": "Bash", "input": {"command": command}}
        result = {"type": "tool_result", "tool_use_id": str(number), "content": "done\n" * 20}
        lines += [_line("assistant", path.stem, call), _line("user", path.stem, result)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _line(role: str, session: str, part: dict[str, object]) -> str:
    common = {"type": role, "sessionId": session, "cwd": "/srv/shop", "timestamp": "2026-11-02T10:00:00Z"}
    return json.dumps({**common, "message": {"content": [part]}})


if __name__ == "__main__":
    main()
