"""Reporting a measurement: a table for people, JSON for programs, and the machine that it ran on."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

RUNS = frozenset({"ok", "flag", "allow"})  # verdicts of ours and of the peers with which a command runs


@dataclass
class Row:
    """One guard: its durations in microseconds, and its answers. `absent` is why it was not measured."""

    name: str
    about: str
    version: str = ""
    absent: str = ""
    said: list[str] = field(default_factory=list)
    took: list[float] = field(default_factory=list)
    stopped: int = 0
    raised: int = 0

    def add(self, answers: Iterable[tuple[float, str]]) -> None:
        """Adds decisions that count: microseconds and answer."""
        for took, answer in answers:
            self.took.append(took)
            self.stopped += answer not in RUNS
            self.raised += answer.startswith("raised")

    def show(self, answers: Iterable[tuple[float, str]]) -> None:
        """Keeps the answers to the destructive and the harmless control command; they do not count."""
        self.said = [answer for _, answer in answers]

    @property
    def p50(self) -> float:
        return statistics.median(self.took)

    @property
    def p99(self) -> float:
        return sorted(self.took)[int(len(self.took) * 0.99)]


def machine() -> dict[str, Any]:
    """The machine that the figures depend on."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        "kernel": f"{platform.system()} {platform.release()}",
    }


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def as_json(rows: Sequence[Row], facts: dict[str, Any], shown: Sequence[str]) -> dict[str, Any]:
    """The contents of the table, unrounded."""
    return {"machine": facts, "rows": [_row_to_json(row, rows[0].p50, shown) for row in rows]}


def _row_to_json(row: Row, floor: float, shown: Sequence[str]) -> dict[str, Any]:
    named = {"name": row.name, "version": row.version, "about": row.about}
    if row.absent:
        return named | {"absent": row.absent}
    times = {"p50_us": row.p50, "p99_us": row.p99, "ratio_to_floor": row.p50 / floor}
    counts = {"decisions": len(row.took), "stopped": row.stopped, "raised": row.raised}
    return named | times | counts | {"said": dict(zip(shown, row.said, strict=True))}


def show(rows: Sequence[Row], facts: dict[str, Any], shown: Sequence[str]) -> None:
    """Prints the table, and below it a description of each row."""
    table = Table(title="One decision on a shell command, warm, in microseconds", box=SIMPLE, padding=(0, 0, 0, 1))
    table.add_column("", no_wrap=True)
    for column in ("p50", "p99", "ratio", "stopped", *shown):
        table.add_column(column, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(row.name, *_cells(row, rows[0].p50, len(shown)))
    out = Console(highlight=False)
    out.print(table)
    for row in rows:
        out.print(f"{row.name:16} {_note(row)}", soft_wrap=True)
    out.print("\n" + ", ".join(f"{name} {value}" for name, value in facts.items()), soft_wrap=True)


def _cells(row: Row, floor: float, shown: int) -> list[str]:
    if row.absent:
        return ["absent", *[""] * (3 + shown)]
    stopped = f"{row.stopped / len(row.took):.1%}"
    return [f"{row.p50:,.0f}", f"{row.p99:,.0f}", f"{row.p50 / floor:.1f}", stopped, *row.said]


def _note(row: Row) -> str:
    if row.absent:
        return f"absent: {row.absent}"
    raised = f"; raised {row.raised} times" if row.raised else ""
    return f"{row.version} {row.about}{raised}".strip()
