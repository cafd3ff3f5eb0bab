"""What a tombstone names is removed only if it is this journal's own, and if nobody need look at the journal first."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from supervisor.errors import BadInput
from supervisor.records.envelope import Signer, open_signer
from supervisor.records.journal import Journal
from supervisor.records.tombstone import Tombstone
from supervisor.records.verify import verify
from tests.records.aged import write_days
from tests.records.journals import codes
from tests.records.test_prune import names, prune_after


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "records"


def with_strangers_tombstone(folder: Path, signer: Signer, place: Path) -> None:
    """Adds a stranger's segment and key, with a tombstone that names every segment of the folder."""
    segments = tuple(verify(folder).checkpoints)
    stone = Tombstone(datetime.now(UTC).isoformat(), "", "stranger", "", segments)
    shutil.copytree(folder, place)
    journal = Journal(place, open_signer(place.with_suffix(".pem")))
    journal.append("pruned", stone.to_json(), "0" * 64)
    journal.close()
    for path in place.rglob("*"):
        there = folder / path.relative_to(place)
        if path.is_file() and not there.exists():
            shutil.copy(path, there)


def test_a_strangers_tombstone_removes_nothing(folder: Path, signer: Signer, tmp_path: Path) -> None:
    write_days(folder, signer, 5, 0)
    with_strangers_tombstone(folder, signer, tmp_path / "copy")
    with_register = names(folder)
    assert prune_after(folder, signer, 30).unfinished == ()
    (folder / "register").unlink()
    report = verify(folder)
    assert "register_missing" in codes(report)
    assert (report.pruned_segments, {note.code for note in report.notes} & {"pruned", "prune_unfinished"}) == (0, set())
    for options in ({}, {"with_problems": True}):
        plan = prune_after(folder, signer, 30, **options)
        assert (plan.tombstone.removed, plan.unfinished) == ((), ())
    assert names(folder) == with_register


def test_a_tombstone_vouches_for_no_key_that_nothing_vouched_for(folder: Path, signer: Signer, tmp_path: Path) -> None:
    old, fresh = write_days(folder, signer, 50, 0)
    with_strangers_tombstone(folder, signer, tmp_path / "copy")
    (folder / "register").unlink()
    plan = prune_after(folder, signer, 30, with_problems=True)
    assert [each.segment for each in plan.tombstone.removed] == [old]
    assert plan.tombstone.keys == (signer.key_id,)
    assert "foreign_key" in codes(verify(folder))
    assert prune_after(folder, signer, 30, with_problems=True).unfinished == ()
    assert fresh in names(folder)


def test_without_the_register_a_cut_off_pruning_is_not_finished(folder: Path, signer: Signer, tmp_path: Path) -> None:
    """Nothing says any more which tombstones count, not even that of this journal."""
    old, _ = write_days(folder, signer, 50, 20)
    shutil.copytree(folder, tmp_path / "before")
    prune_after(folder, signer, 30)
    shutil.copy(tmp_path / "before" / f"{old}.jsonl", folder)
    (folder / "register").unlink()
    assert prune_after(folder, signer, 60, with_problems=True).unfinished == ()
    assert old in names(folder)


def test_a_cut_off_pruning_is_not_finished_where_verify_finds_problems(
    folder: Path, signer: Signer, tmp_path: Path
) -> None:
    old, kept = write_days(folder, signer, 50, 20)
    shutil.copytree(folder, tmp_path / "before")
    prune_after(folder, signer, 30)
    shutil.copy(tmp_path / "before" / f"{old}.jsonl", folder)
    segment = folder / f"{kept}.jsonl"
    segment.write_bytes(segment.read_bytes().replace(b'"sig":"', b'"sig":"A', 1))
    with pytest.raises(BadInput, match="supervisor verify` finds"):
        prune_after(folder, signer, 30)
    assert old in names(folder)
    assert prune_after(folder, signer, 30, with_problems=True).unfinished == (old,)
    assert old not in names(folder)
