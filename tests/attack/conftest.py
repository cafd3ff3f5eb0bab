"""What attacks share: a supervisor that judges actions once, and the command line as a process of its own."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from supervisor.engine.supervisor import Supervisor
from supervisor.intake.parsing import action_from, context_from
from supervisor.policy import Policy, Records
from tests.patience import PATIENT

KNOWN = {"cwd": "/repo", "task": "Fix the failing test"}


@pytest.fixture(scope="session")
def guarding() -> Iterator[Supervisor]:
    supervisor = Supervisor(replace(Policy(), isolation="none", records=Records(path=None), budgets=PATIENT))
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
    """Runs `supervisor` in this process, as whoever installs the guard runs it in a terminal."""
    from supervisor.cli import main

    def running(*arguments: str | Path) -> Ended:
        told = io.StringIO()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", ["supervisor", *map(str, arguments)])
            with (
                contextlib.redirect_stdout(told),
                contextlib.redirect_stderr(told),
                pytest.raises(SystemExit) as exited,
            ):
                main()
        return Ended(int(exited.value.code or 0), told.getvalue())

    return running
