"""A supervisor under the default policy, without workers and records, for actions that are judged once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
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
