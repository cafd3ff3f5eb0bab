"""A short night, and a few kills while questions are open: the benchmarks themselves hold."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.night.blows import KINDS
from tests.runtime.processes.starting import only_linux

pytestmark = [only_linux, pytest.mark.thorough]
ROOT = Path(__file__).parents[2]


def ran(module: str, *options: str) -> dict[str, Any]:
    command = [sys.executable, "-m", f"benchmarks.{module}", *options, "--json"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def test_a_short_night() -> None:
    found = ran("overnight", "--tasks", "20", "--kills", "6")
    page = found["morning"]
    assert found["holds"]
    assert set(found["checked"].values()) == {0}
    assert found["kills"] <= 6 + len(KINDS)
    assert len(page["finished"]) == 18
    assert page["left"] == {"waiting": 2}
    (decision,) = page["decisions"]
    assert len(decision["tasks"]) == 2
    assert "git push --force origin main" in decision["text"]
    assert page["spent"]["cost"] > 0
    assert found["needless_questions"] >= 6


def test_kills_while_questions_are_open() -> None:
    found = ran("questions", "--busy", "4", "--kills", "6")
    assert found["holds"]
    assert set(found["checked"].values()) == {0}
    assert found["kills"] >= 6
    assert found["at_work"]["least"] > 0
    assert found["open"]["least"] > 0
    assert 0 < found["ran"] <= found["asked"]
