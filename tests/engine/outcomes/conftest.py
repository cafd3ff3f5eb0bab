"""Supervisors that have outcomes judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from supervisor.engine.supervisor import Supervisor
from supervisor.policy import Authority, Policy, Records
from tests.engine.outcomes.judging import CATALOG, SEEN


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., Supervisor]]:
    SEEN.clear()
    engines = []

    def open_one(authority: Authority | None = None) -> Supervisor:
        records = Records(str(tmp_path / "records"), str(tmp_path / "key.pem"))
        policy = Policy(records=records, authority=authority or Authority(), isolation="none")
        engines.append(Supervisor(policy, catalog=CATALOG))
        return engines[-1]

    yield open_one
    for each in engines:
        each.close()
