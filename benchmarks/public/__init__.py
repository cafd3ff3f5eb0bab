"""Public benchmarks from PyPI, played as actions, in a separate environment (see `install`).

AgentDojo (Debenedetti et al., NeurIPS 2024): four suites of tools with a user's tasks, and attacks planted in the
tools' outputs. Its own tools run on its own data, with the calls that solve a task; no model takes part.
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
    """The package is not installed or behaves differently; the message is the reason."""


def install(folder: Path) -> str:
    """Installs the package into `folder`. Returns why that failed, or an empty string."""
    return pip_install(folder, PIN)


def agentdojo(folder: Path) -> list[Case]:
    """All calls of its tasks and all attacks on them, as cases. Raises DataGone."""
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
