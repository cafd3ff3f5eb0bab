"""Pruning removes old segments alone, says so in a signed tombstone, and whatever remains still verifies."""

from __future__ import annotations

import shutil
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from supervisor.errors import BadInput, BadRecord, RecordFailed
from supervisor.intake.files import locked
from supervisor.records.envelope import Signer, open_signer
from supervisor.records.journal import Journal
from supervisor.records.prune import Plan, prune
from supervisor.records.read import read_records
from supervisor.records.verify import verify
from tests.records.aged import days_ago, write_day, write_days
from tests.records.journals import codes
from tests.records.test_verify import JOURNAL


def prune_after(folder: Path, signer: Signer, days: float, **options: object) -> Plan:
    return prune(folder, signer, datetime.now(UTC) - timedelta(days=days), by="alex", why="30 days", **options)  # type: ignore[arg-type]


def names(folder: Path) -> set[str]:
    return {path.stem for path in folder.glob("*.jsonl")}


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "records"


def test_old_segments_go_and_the_rest_verifies(folder: Path, signer: Signer) -> None:
    old = write_days(folder, signer, 50, 40)
    kept = write_days(folder, signer, 20, 2)
    before = verify(folder)
    plan = prune_after(folder, signer, 30)
    assert [each.segment for each in plan.tombstone.removed] == sorted(old)
    left = names(folder)
    assert left & {*old, *kept} == set(kept)
    assert len(left) == 3  # and the tombstone's
    assert not [path for name in old for path in folder.glob(f"{name}*")]
    report = verify(folder)
    assert report.problems == []
    assert (report.pruned_segments, report.pruned_records) == (2, 10)  # each has a header and an end
    (note,) = report.notes
    assert note.code == "pruned"
    assert "2 segments with 10 records were removed at" in note.message
    assert note.message.endswith("by alex: 30 days")
    assert verify(folder, earlier=before.checkpoints).problems == []  # a report kept elsewhere agrees


def test_what_the_tombstone_says_is_a_record_like_others(folder: Path, signer: Signer) -> None:
    (old,) = write_days(folder, signer, 50)
    was = {each.segment: each for each in verify(folder).checkpoints}[old]
    prune_after(folder, signer, 30)
    (stone,) = [record for record in read_records(folder) if record.kind == "pruned"]
    assert stone.predicate["removed"] == [was.to_json()]
    assert (stone.predicate["by"], stone.predicate["why"], stone.predicate["problems"]) == ("alex", "30 days", [])


def test_without_its_tombstone_a_pruned_journal_is_a_problem(folder: Path, signer: Signer) -> None:
    write_days(folder, signer, 50, 20)
    prune_after(folder, signer, 30)
    newest = max(names(folder))
    for path in folder.glob(f"{newest}*"):
        path.unlink()
    assert "segment_missing" in codes(verify(folder))


def test_removing_more_than_the_tombstone_says_is_a_problem(folder: Path, signer: Signer) -> None:
    write_days(folder, signer, 50)
    (kept,) = write_days(folder, signer, 20)
    prune_after(folder, signer, 30)
    for path in folder.glob(f"{kept}*"):
        path.unlink()
    assert codes(verify(folder)) == {"segment_missing"}


def test_a_strangers_tombstone_excuses_nothing(folder: Path, signer: Signer, tmp_path: Path) -> None:
    old, _ = write_days(folder, signer, 50, 20)
    copied, stranger = tmp_path / "copy", open_signer(tmp_path / "strangers-key.pem")
    shutil.copytree(folder, copied)
    prune_after(copied, signer, 30)
    (stone,) = [record.predicate for record in read_records(copied) if record.kind == "pruned"]
    register = (folder / "register").read_bytes()
    journal = Journal(folder, stranger)
    journal.append("pruned", stone, "0" * 64)
    journal.close()
    (folder / "register").write_bytes(register)
    for path in folder.glob(f"{old}*"):
        path.unlink()
    assert {"segment_missing", "foreign_key"} <= codes(verify(folder))


def test_an_earlier_report_that_knew_more_records_is_a_problem(folder: Path, signer: Signer) -> None:
    from dataclasses import replace

    write_days(folder, signer, 50)
    (was,) = verify(folder).checkpoints
    prune_after(folder, signer, 30)
    assert codes(verify(folder, earlier=[replace(was, records=was.records + 1)])) == {"records_missing"}
    assert codes(verify(folder, earlier=[replace(was, digest="0" * 64)])) == {"chain_broken"}


def test_nothing_old_means_nothing_is_written(folder: Path, signer: Signer) -> None:
    write_days(folder, signer, 20, 2)
    before = files(folder)
    plan = prune_after(folder, signer, 30)
    assert (plan.tombstone.removed, files(folder)) == ((), before)


def test_a_plan_that_is_not_agreed_to_changes_nothing(folder: Path, signer: Signer) -> None:
    write_days(folder, signer, 50, 2)
    before = files(folder)
    plan = prune_after(folder, signer, 30, agreed=lambda _: False)
    assert (len(plan.tombstone.removed), files(folder)) == (1, before)


def test_a_segment_goes_by_its_newest_record_not_by_its_beginning(folder: Path, signer: Signer) -> None:
    with days_ago(50):
        journal = Journal(folder, signer)
        journal.append("decision", {"time": (datetime.now(UTC) - timedelta(days=2)).isoformat()}, "0" * 64)
        journal.close()
    assert prune_after(folder, signer, 30).tombstone.removed == ()


def test_a_segment_that_is_still_written_stays_and_a_killed_writers_goes(folder: Path, signer: Signer) -> None:
    killed = write_day(folder, signer, 50, seal=False)
    with days_ago(50) as time:
        idle = Journal(folder, signer)
        idle.append("decision", {"time": time}, "0" * 64)
    plan = prune_after(folder, signer, 30)
    assert [each.segment for each in plan.tombstone.removed] == [killed]
    assert list(plan.stays.values()) == ["a running process still writes it"]
    idle.append("decision", {"time": time}, "0" * 64)  # its writer notices nothing
    idle.close()
    assert verify(folder).problems == []


def test_tombstones_stay_when_later_prunings_come_to_them(folder: Path, signer: Signer) -> None:
    for day in (50, 40, 30, 20):  # 16 segments each, so that no header and no register names the first ones any more
        write_days(folder, signer, *(day - part / 20 for part in range(17)))
        with days_ago(day - 1):
            prune_after(folder, signer, day - 1)
    report = verify(folder)
    assert (report.problems, report.pruned_segments) == ([], 4 * 17)
    plan = prune_after(folder, signer, 5)
    assert (plan.tombstone.removed, set(plan.stays.values())) == ((), set())  # tombstones are dated by their own time


def test_what_only_removed_segments_named_is_still_known(folder: Path, signer: Signer) -> None:
    with days_ago(60):
        idle = Journal(folder, signer)
        idle.append("decision", {"time": datetime.now(UTC).isoformat()}, "0" * 64)
    write_days(folder, signer, *(50 - part / 20 for part in range(20)))
    idle.close()
    write_days(folder, signer, *(40 - part / 20 for part in range(17)))
    plan = prune_after(folder, signer, 30)
    assert (len(plan.tombstone.removed), len(plan.tombstone.kept)) == (37, 1)
    report = verify(folder)
    assert report.problems == []
    (kept,) = plan.tombstone.kept
    for path in folder.glob(f"{kept.segment}*"):
        path.unlink()
    assert "segment_missing" in codes(verify(folder))


def test_a_change_of_keys_may_be_pruned(folder: Path, signer: Signer, tmp_path: Path) -> None:
    with days_ago(60):
        idle = Journal(folder, signer)  # signed by the first key, and still there at the end
        idle.append("decision", {"time": datetime.now(UTC).isoformat()}, "0" * 64)
    second = open_signer(tmp_path / "second.pem")
    write_days(folder, second, 50, 49, 20)
    idle.close()
    assert "key_changed" in {note.code for note in verify(folder).notes}
    assert len(prune_after(folder, second, 30).tombstone.removed) == 2
    report = verify(folder)
    assert report.problems == []
    assert {note.code for note in report.notes} == {"pruned"}


def test_only_the_key_of_the_journal_prunes(folder: Path, signer: Signer, tmp_path: Path) -> None:
    write_days(folder, signer, 50)
    before = files(folder)
    with pytest.raises(BadInput, match="name the policy that they were written under"):
        prune_after(folder, open_signer(tmp_path / "other.pem"), 30)
    assert files(folder) == before


def test_an_approval_stays_as_long_as_a_decision_that_rests_on_it(folder: Path, signer: Signer) -> None:
    from supervisor.history import address_of

    binding = {"action": "1" * 64}
    with days_ago(50) as time:
        expires = (datetime.now(UTC) + timedelta(days=1)).isoformat()
        answers = Journal(folder, signer)
        about = {"answer": "approved", "binding": binding, "over": ["a"], "expires": expires}
        line = answers.append("approval", {"time": time, **about}, "1" * 64)
        answers.close()
        (answered,) = names(folder)
        decisions = Journal(folder, signer)
        approval = {"state": "approved", "answer": address_of(line), "binding": binding, "over": ["a"]}
        decisions.append("decision", {"time": time, "approval": approval}, "1" * 64)
    decisions.append("decision", {"time": datetime.now(UTC).isoformat()}, "1" * 64)
    decisions.close()
    plan = prune_after(folder, signer, 30)
    assert plan.stays == {answered: "it has an approval that a later decision rests on"}
    assert verify(folder).problems == []


def test_records_of_the_last_day_never_go(folder: Path, signer: Signer) -> None:
    write_days(folder, signer, 50, 2)
    with pytest.raises(BadInput, match="an approval may still be valid"):
        prune_after(folder, signer, 0.5)
    with pytest.raises(BadInput, match="an approval may still be valid"):
        prune_after(folder, signer, 20, least_age=timedelta(days=30))


def test_problems_are_looked_at_before_they_are_pruned(folder: Path, signer: Signer) -> None:
    old, _ = write_days(folder, signer, 50, 2)
    segment = folder / f"{old}.jsonl"
    first, second, *rest = segment.read_bytes().splitlines(keepends=True)
    segment.write_bytes(first + second.replace(b'"sig":"', b'"sig":"A', 1) + b"".join(rest))
    before = files(folder)
    with pytest.raises(BadInput, match="supervisor verify` finds"):
        prune_after(folder, signer, 30)
    assert files(folder) == before
    plan = prune_after(folder, signer, 30, with_problems=True)
    assert plan.tombstone.problems
    report = verify(folder)
    assert report.problems == []
    assert "problems were known then" in report.notes[0].message


def test_a_segment_whose_age_cannot_be_told_stays(folder: Path, signer: Signer) -> None:
    old, _ = write_days(folder, signer, 50, 2)
    segment = folder / f"{old}.jsonl"
    segment.write_bytes(b"x" + segment.read_bytes())
    plan = prune_after(folder, signer, 30, with_problems=True)
    assert plan.stays == {old: "none of its records can be read, so that its age is not known"}
    assert old in names(folder)


def test_a_pruning_that_was_cut_off_is_finished_by_the_next(folder: Path, signer: Signer, tmp_path: Path) -> None:
    old, older, _ = write_days(folder, signer, 40, 50, 2)
    shutil.copytree(folder, tmp_path / "before")
    prune_after(folder, signer, 30)
    for left in ([f"{old}.jsonl", f"{old}.checkpoint", f"{older}.checkpoint"], [f"{older}.checkpoint"]):
        for name in left:
            shutil.copy(tmp_path / "before" / name, folder / name)
        report = verify(folder)
        assert report.problems == []
        assert {note.code for note in report.notes} <= {"pruned", "prune_unfinished"}
        assert set(prune_after(folder, signer, 30).unfinished) == {
            name.partition(".json")[0].partition(".check")[0] for name in left
        }
        assert not [name for name in left if (folder / name).exists()]
        assert len([record for record in read_records(folder) if record.kind == "pruned"]) == 1


def test_what_is_put_in_a_pruned_segments_place_is_a_problem(folder: Path, signer: Signer) -> None:
    old, kept = write_days(folder, signer, 50, 2)
    prune_after(folder, signer, 30)
    (folder / f"{old}.jsonl").write_bytes((folder / f"{kept}.jsonl").read_bytes())
    assert codes(verify(folder)) >= {"bad_header"}


def test_a_journal_of_version_0_1_can_be_pruned(folder: Path, tmp_path: Path) -> None:
    """Its writers took no lock; its key is not here, so one that this test has stands in for it."""
    shutil.copytree(JOURNAL, folder)
    with pytest.raises(BadInput, match="name the policy"):
        prune_after(folder, open_signer(tmp_path / "key.pem"), 1)


def test_one_pruning_at_a_time(folder: Path, signer: Signer, monkeypatch: pytest.MonkeyPatch) -> None:
    write_days(folder, signer, 50)
    monkeypatch.setattr("supervisor.intake.files.PATIENCE", 0.05)
    with locked(folder / "keys"), pytest.raises(BadInput, match="another pruning of these records runs"):
        prune_after(folder, signer, 30)


def test_without_room_for_the_tombstone_nothing_is_removed(
    folder: Path, signer: Signer, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_days(folder, signer, 50, 2)
    before = names(folder)

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.writev", full)
        with pytest.raises(RecordFailed, match="No space left"):
            prune_after(folder, signer, 30)
    assert names(folder) == before
    assert verify(folder).problems == []


def test_what_is_no_journal_is_not_pruned(tmp_path: Path, signer: Signer) -> None:
    with pytest.raises(BadRecord, match="holds no records"):
        prune_after(tmp_path, signer, 30)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.floats(2, 60), st.booleans()), min_size=1, max_size=8), st.lists(st.floats(3, 60), max_size=3)
)
def test_whatever_is_pruned_and_when_the_rest_verifies(
    tmp_path_factory: pytest.TempPathFactory, signer: Signer, segments: list[tuple[float, bool]], limits: list[float]
) -> None:
    folder = tmp_path_factory.mktemp("any") / "records"
    written = {write_day(folder, signer, days, 1, seal=seal): days for days, seal in sorted(segments, reverse=True)}
    for limit in limits:
        prune_after(folder, signer, limit)
    least = min(limits, default=100)
    assert names(folder) & written.keys() == {name for name, days in written.items() if days < least}
    assert verify(folder).problems == []


def test_a_journal_without_a_register_as_of_0_1_can_be_pruned(
    folder: Path, signer: Signer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tombstone's segment is the first with a register. More old segments stay than it names."""
    from supervisor.records import journal as journal_module
    from supervisor.records.statement import members_of

    with monkeypatch.context() as patch:
        patch.setattr(
            journal_module,
            "members_of",
            lambda told: members_of({name: each for name, each in told.items() if name not in ("register", "late")}),
        )
        old = write_days(folder, signer, *(60 - part / 20 for part in range(20)))
        kept = write_days(folder, signer, *(20 - part / 20 for part in range(20)))
    (folder / "register").unlink()
    assert [note.code for note in verify(folder).notes] == ["no_register"]
    assert len(prune_after(folder, signer, 30).tombstone.removed) == len(old)
    report = verify(folder)
    assert report.problems == []
    assert {note.code for note in report.notes} == {"upgraded", "pruned"}
    for path in folder.glob(f"{kept[0]}*"):
        path.unlink()
    assert "segment_missing" in codes(verify(folder))


def test_whoever_verifies_or_writes_meanwhile_notices_nothing(folder: Path, signer: Signer) -> None:
    write_days(folder, signer, *(60 - part / 20 for part in range(30)))
    done, problems = threading.Event(), []
    writer = Journal(folder, signer, most_bytes=4000)

    def work() -> None:
        while not done.is_set():
            writer.append("decision", {"time": datetime.now(UTC).isoformat()}, "0" * 64)
            problems.extend(verify(folder).problems)

    at_work = threading.Thread(target=work)
    at_work.start()
    for days in (59.5, 59, 40):
        prune_after(folder, signer, days)
    done.set()
    at_work.join()
    writer.close()
    assert problems == []
    report = verify(folder)
    assert (report.problems, report.pruned_segments) == ([], 30)
