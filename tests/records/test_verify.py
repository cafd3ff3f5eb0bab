"""Journals of earlier versions verify, and their decisions come out as they did."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from pathlib import Path

import pytest

from supervisor import Policy, Supervisor
from supervisor.engine.replay import Replayed, Replayer
from supervisor.policy import Records
from supervisor.records.verify import verify

JOURNAL = Path(__file__).parent / "journal-0.1.0"  # written by that version; its second writer was killed


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return shutil.copytree(JOURNAL, tmp_path / "records")


def test_a_journal_of_version_0_1_holds(journal: Path) -> None:
    report = verify(journal)
    assert report.problems == []
    assert [note.code for note in report.notes] == ["no_register"]
    assert (report.segments, report.unsealed) == (2, 1)


def test_a_record_cut_off_a_journal_of_version_0_1_is_missed(journal: Path) -> None:
    (head,) = journal.glob("*.head")
    segment = head.with_suffix(".jsonl")
    lines = segment.read_bytes().splitlines(keepends=True)
    segment.write_bytes(b"".join(lines[:-1]))
    assert verify(journal).problems


def test_a_journal_that_goes_on_needs_its_register(journal: Path, tmp_path: Path) -> None:
    """A later version adds segments that know of the register. From then on its loss is a problem."""
    records = Records(str(journal), str(tmp_path / "key.pem"))
    with contextlib.closing(Supervisor(Policy(isolation="none", records=records))) as supervisor:
        supervisor.decide_from_thread(supervisor.action("bash", {"command": "git status"}))
    report = verify(journal)
    assert report.problems == []
    assert [note.code for note in report.notes] == ["upgraded"]
    (journal / "register").unlink()
    assert "register_missing" in {problem.code for problem in verify(journal).problems}


def test_decisions_of_version_0_1_come_out_as_they_did(journal: Path) -> None:
    with contextlib.closing(Replayer()) as replayer:
        replayed = asyncio.run(_all(replayer, journal))
    assert len(replayed) == 11
    assert [each for each in replayed if each.missing] == []
    assert [each for each in replayed if any(what.what == "verdict" for what in each.differences)] == []
    assert all(each.changed_versions for each in replayed)


async def _all(replayer: Replayer, journal: Path) -> list[Replayed]:
    return [each async for each in replayer.replay(journal)]
