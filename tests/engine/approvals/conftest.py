"""Engines over one folder of records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from supervisor.engine.replay import _differences
from supervisor.engine.supervisor import Supervisor
from supervisor.policy import ApprovalPolicy, Policy, Records, policy_from
from supervisor.records.read import read_records
from supervisor.records.verify import verify
from tests.engine.approvals.asking import ASK, CATALOG, Opened
from tests.patience import PATIENT


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """Engines over one folder of records, as several processes would have them."""
    engines: list[Supervisor] = []

    def opening(approval: ApprovalPolicy = ASK, **changed: Any) -> Supervisor:
        records = Records(str(tmp_path / "records"), str(tmp_path / "key.pem"))
        policy = Policy(approval=approval, records=records, **{"isolation": "none", "budgets": PATIENT} | changed)
        engines.append(Supervisor(policy, catalog=CATALOG))
        return engines[-1]

    yield opening
    for engine in engines:
        engine.close()
    if (tmp_path / "records").exists():
        assert verify(tmp_path / "records").problems == []
        anyio.run(_nothing_comes_out_otherwise, tmp_path / "records", engines[0])


async def _nothing_comes_out_otherwise(folder: Path, engine: Supervisor) -> None:
    for record in read_records(folder):
        if record.kind == "decision":
            policy = policy_from(record.content(record.predicate["policy"]), place="the record")
            assert await _differences(record, policy, engine.catalog, engine._dispatch) == ()
