"""What attacks share: a supervisor that judges actions once, and the command line as a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from supervisor.engine import Supervisor
from supervisor.policy import Policy, Records
from supervisor.proposal import action_from, context_from

KNOWN = {"cwd": "/repo", "task": "Fix the failing test"}


@pytest.fixture(scope="session")
def guarding() -> Iterator[Supervisor]:
    supervisor = Supervisor(replace(Policy(), isolation="none", records=Records(path=None)))
    yield supervisor
    supervisor.close()


@pytest.fixture(scope="session")
def stopped_by(guarding: Supervisor) -> Callable[..., tuple[str, ...]]:
    """Who stops a call, by the names of their failure modes; empty where it runs."""

    def judged(tool: str, args: Mapping[str, Any], **known: Any) -> tuple[str, ...]:
        action = action_from({"tool": tool, "args": args})
        decision = guarding.decide_from_thread(action, context_from({**KNOWN, **known}))
        return tuple(name for name, finding in decision.findings if finding.verdict.stops)

    return judged


@dataclass(frozen=True)
class Ended:
    """What a run of the command came to."""

    code: int
    err: str


@pytest.fixture(scope="session")
def installing() -> Callable[..., Ended]:
    """Runs `supervisor` as a process of its own, as whoever installs the guard does."""

    def running(*arguments: str | Path) -> Ended:
        command = [sys.executable, "-m", "supervisor", *map(str, arguments)]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        return Ended(ended.returncode, ended.stderr)

    return running
