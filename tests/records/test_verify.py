"""Journals of earlier versions verify, and their decisions come out as they did."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from supervisor import Policy, Supervisor
from supervisor.engine.replay import Replayed, Replayer
from supervisor.policy import Records
from supervisor.records.statement import members_of
from supervisor.records.verify import verify

JOURNAL = Path(__file__).parent / "journal-0.1.0"  # written by that version; its second writer was killed


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return shutil.copytree(JOURNAL, tmp_path / "records")


def decide(folder: Path, key: Path) -> None:
    """Adds a segment with one decision."""
    policy = Policy(isolation="none", records=Records(str(folder), str(key)))
    with contextlib.closing(Supervisor(policy)) as supervisor:
        supervisor.decide_from_thread(supervisor.action("bash", {"command": "git status"}))


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
    decide(journal, tmp_path / "key.pem")
    report = verify(journal)
    assert report.problems == []
    assert [note.code for note in report.notes] == ["upgraded"]
    (journal / "register").unlink()
    assert "register_missing" in {problem.code for problem in verify(journal).problems}


def test_no_stranger_adds_a_segment_of_version_0_1(
    journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the upgrade, a segment whose header names no register is none of those that the upgrade found, even if its
    key is published beside it and it names itself."""
    decide(journal, tmp_path / "key.pem")
    forged = tmp_path / "forged"

    def of_0_1(header: Mapping[str, Any]) -> bytes:
        if "register" not in header:
            return members_of(header)
        itself = {"segment": header["segment"], "records": 0, "size": 0, "digest": "", "sealed": False}
        return members_of({**{n: v for n, v in header.items() if n != "register"}, "neighbours": [itself]})

    with monkeypatch.context() as patch:
        patch.setattr("supervisor.records.journal.members_of", of_0_1)
        decide(forged, tmp_path / "strangers-key.pem")
    shutil.copytree(forged, journal, dirs_exist_ok=True, ignore=lambda *_: ["register"])
    assert "foreign_key" in {problem.code for problem in verify(journal).problems}


def test_decisions_of_version_0_1_come_out_as_they_did(journal: Path) -> None:
    with contextlib.closing(Replayer()) as replayer:
        replayed = asyncio.run(_all(replayer, journal))
    assert len(replayed) == 11
    assert [each for each in replayed if each.missing] == []
    assert [each for each in replayed if any(what.what == "verdict" for what in each.differences)] == []
    assert all(each.changed_versions for each in replayed)


async def _all(replayer: Replayer, journal: Path) -> list[Replayed]:
    return [each async for each in replayer.replay(journal)]
