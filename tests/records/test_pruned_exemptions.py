"""Exemptions outlast the segments in which they were made, and what was revoked stays revoked."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest import mock

import pytest

from supervisor.decision.exemptions import Exemption
from supervisor.history import address_of
from supervisor.records import exemptions as exemptions_module
from supervisor.records.envelope import Signer, open_signer
from supervisor.records.exempted import FOLDER
from supervisor.records.exemptions import Exemptions
from supervisor.records.journal import Journal
from supervisor.records.prune import Plan, prune
from supervisor.records.verify import verify
from tests.records.aged import days_ago
from tests.records.exempting import draft
from tests.records.journals import codes


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "records"
    made.mkdir()
    return made


@contextmanager
def store_of(folder: Path, days: float = 0) -> Iterator[Exemptions]:
    """The store as `supervisor allow` opens it: each use has a segment of its own. It may be some days ago."""
    signer = open_signer(folder.parent / "key.pem")
    with days_ago(days) as time:
        journal = Journal(folder, signer)

        class Clock(datetime):
            @classmethod
            def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
                return datetime.fromisoformat(time)

        with mock.patch.object(exemptions_module, "datetime", Clock):
            yield Exemptions(folder, lambda: signer, lambda: journal)
        journal.close()


def allowed(folder: Path, days: float) -> Exemption:
    with store_of(folder, days) as store:
        return store.add(draft(folder.parent, expires=None))


def revoked(folder: Path, id: str, days: float) -> None:
    with store_of(folder, days) as store:
        store.revoke(id, "ann")


def used(folder: Path, signer: Signer, exemption: Exemption, days: float) -> None:
    """A decision that lets an action run under the exemption."""
    with days_ago(days) as time:
        journal = Journal(folder, signer)
        about = {"time": time, "exemptions": {"stops_wipe": exemption.to_json()}}
        journal.append("decision", about, address_of(b"wipe"))
        journal.close()


def pruned(folder: Path, signer: Signer, days: float = 30) -> Plan:
    return prune(folder, signer, datetime.now(UTC) - timedelta(days=days), by="alex")


def states(folder: Path) -> dict[str, str]:
    with store_of(folder) as store:
        standing, ignored = store.everything()
    assert ignored == []
    return {each.exemption.id: each.state(datetime.now(UTC)) for each in standing}


def test_a_decision_rests_on_an_exemption_whose_making_was_pruned(folder: Path, signer: Signer) -> None:
    made = allowed(folder, 50)
    used(folder, signer, made, 5)
    plan = pruned(folder, signer)
    assert (len(plan.tombstone.removed), plan.stays) == (1, {})
    assert verify(folder).problems == []
    assert states(folder) == {made.id: "in force"}
    revoked(folder, made.id[:8], 0)
    assert states(folder) == {made.id: "revoked"}
    assert verify(folder).problems == []
    (folder / FOLDER / f"{made.id}.exemption").unlink()
    assert "exemption_missing" in codes(verify(folder))


def test_a_revocation_outlasts_its_record(folder: Path, signer: Signer) -> None:
    made = allowed(folder, 50)
    revoked(folder, made.id, 45)
    assert len(pruned(folder, signer).tombstone.removed) == 2
    used(folder, signer, made, 5)
    assert states(folder) == {made.id: "revoked"}
    assert codes(verify(folder)) == {"exemption_differs"}


def test_a_revocation_stays_as_long_as_the_record_of_its_exemption(folder: Path, signer: Signer) -> None:
    with store_of(folder, 50) as store:
        made = store.add(draft(folder.parent, expires=None))
        with store_of(folder, 45) as other:
            other.revoke(made.id, "ann")
        assert store.everything()[0]
        store._journal().append("decision", {"time": datetime.now(UTC).isoformat()}, address_of(b"ls"))
    plan = pruned(folder, signer)
    assert (plan.tombstone.removed, len(plan.stays)) == ((), 1)
    shutil.rmtree(folder / FOLDER)  # what is rebuilt from the journal is not in force again
    assert states(folder) == {made.id: "revoked"}


def test_the_only_copy_of_an_exemption_is_not_pruned(folder: Path, signer: Signer) -> None:
    made = allowed(folder, 50)
    shutil.rmtree(folder / FOLDER)
    plan = pruned(folder, signer)
    assert (plan.tombstone.removed, ["no copy" in why for why in plan.stays.values()]) == ((), [True])
    assert states(folder) == {made.id: "in force"}  # which makes the copy
    assert len(pruned(folder, signer).tombstone.removed) == 1
    assert states(folder) == {made.id: "in force"}
