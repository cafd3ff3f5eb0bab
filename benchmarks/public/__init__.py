"""Public benchmarks that a package on PyPI carries, played as actions, in an environment apart (`install` makes it).

AgentDojo (Debenedetti et al., NeurIPS 2024): four suites of tools with a user's tasks, and attacks planted in what the
tools give back. Its own tools are run on its own data, by the calls that solve a task; no model takes part.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

from benchmarks.labelled import Case, case
from benchmarks.peers import pip_install

HERE = Path(__file__).parent
PIN = "agentdojo==0.1.35"


class DataGone(Exception):
    """The package is not there or does not do what it did; the message says why."""


def install(folder: Path) -> str:
    """Puts the package into `folder`. Returns why that failed, or nothing."""
    return pip_install(folder, PIN)


def agentdojo(folder: Path) -> list[Case]:
    """Every call that its tasks need and every attack against them. Raises DataGone."""
    python = folder / "python" / "bin" / "python"
    if not python.exists():
        raise DataGone("not installed; --install does it")
    played = subprocess.run(
        [str(python), "-I", str(HERE / "play_agentdojo.py")], capture_output=True, text=True, check=False
    )
    if played.returncode:
        raise DataGone((played.stderr.strip().splitlines() or ["its process ended"])[-1])
    return list(_cases(played.stdout))


def _cases(lines: str) -> Iterator[Case]:
    for number, line in enumerate(lines.splitlines(), 1):
        row = json.loads(line)
        yield case(row["set"], f"{row['set']}:{number}", row)
