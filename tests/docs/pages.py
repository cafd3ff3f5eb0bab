"""The pages of the repository, and how their commands are run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.attack.terminals import terminal

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
README = ROOT / "README.md"
WALKS = frozenset(
    {ROOT / "CONTRIBUTING.md", *(ROOT / "docs" / "start").glob("*.md")}
)  # each is one test: tests/journeys
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)#]+)[^)]*\)")


def words(page: str) -> str:
    """A page's text on one line."""
    return " ".join((ROOT / page).read_text().split())


def run_command(
    command: list[str], folder: Path, scripts: Path = Path(sys.executable).parent, seconds: float = 120
) -> str:
    """In a folder that is its home, too, with the `supervisor` that belongs to this Python, or the one in `scripts`.
    `seconds` is how long it may take."""
    environment = environment_in(folder, scripts)
    ended = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=seconds, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def run_with_a_person(command: list[str], folder: Path) -> None:
    """The same at a terminal, where somebody says yes to what is asked there, once."""
    with terminal(*command, cwd=folder, env=environment_in(folder)) as screen:
        screen.wait_for("Type yes ")
        screen.type("yes\n")
        assert screen.ends() == 0, screen.shown


def environment_in(folder: Path, scripts: Path = Path(sys.executable).parent) -> dict[str, str]:
    """The variables of a process that runs in a folder which is its home."""
    environment = {"PATH": f"{scripts}:{os.environ['PATH']}", "HOME": str(folder), "NO_COLOR": "1"}
    environment["XDG_CACHE_HOME"] = os.environ["XDG_CACHE_HOME"]  # what has passed its cases need not pass them again
    return environment


def without_make(script: str) -> str:
    """What is left of a script without its `make` targets, which have to be there: CI runs them."""
    makefile = (ROOT / "Makefile").read_text()
    lines = script.splitlines()
    targets = [each for line in lines if line.startswith("make ") for each in line.partition("#")[0].split()[1:]]
    assert [target for target in targets if f"\n{target}:" not in makefile] == []
    return "\n".join(line for line in lines if not line.startswith("make "))
