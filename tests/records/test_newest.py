"""Records read from the ends of segments are those that a reading from the beginning finds."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.errors import BadRecord
from supervisor.records import lines as lines_module
from supervisor.records.codec import content
from supervisor.records.journal import Journal
from supervisor.records.lines import line_number, lines_after, lines_before, lines_of
from supervisor.records.newest import Found, Scenes, newest
from supervisor.records.read import read_records

START = datetime(2026, 11, 23, tzinfo=UTC)


def write(journal: Journal, second: float, agent: str = "a") -> None:
    scene = content({"task": None, "agent": agent, "facts": {}})
    time = (START + timedelta(seconds=second)).isoformat()
    journal.append("decision", {"time": time, "scene": scene[0], "number": second}, "0" * 64, [scene])


@pytest.fixture
def journals(tmp_path: Path, signer):
    """Three writers, whose records are interleaved."""
    made = [Journal(tmp_path / "records", signer) for _ in range(3)]
    for second in range(60):
        write(made[second % 3], second * 60, f"agent {second % 2}")
    yield made
    for each in made:
        each.close()


def numbers(found: list[Found]) -> list[float]:
    return [each.predicate["number"] for each in found]


def any_decision(record: Found) -> bool:
    return record.kind == "decision"


@given(
    data=st.binary(max_size=200).map(lambda raw: raw.replace(b"\x00", b"\n")),
    block=st.integers(1, 40),
    end=st.integers(0, 200),
)
def test_lines_from_the_end_are_the_lines_from_the_beginning(tmp_path_factory, data, block, end):
    path = tmp_path_factory.getbasetemp() / "lines"
    path.write_bytes(data)
    end = min(end, len(data))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines_module, "_BLOCK", block)
        backwards = list(lines_before(path))
        assert [raw for _, raw in reversed(backwards)] == [raw for _, raw in lines_of(path)]
        assert all(data[offset : offset + len(raw)] == raw for offset, raw in backwards)
        assert b"".join(raw for _, raw in reversed(list(lines_before(path, end)))) == data[:end]
        assert [line_number(path, offset) for offset, _ in reversed(backwards)] == [at for at, _ in lines_of(path)]
        whole = [raw for _, raw in lines_after(path, 0)]
        assert b"".join(whole) == data[: data.rfind(b"\n") + 1]


@pytest.mark.parametrize("count", [1, 7, 60, 100])
def test_the_newest_are_the_newest_of_all_writers(journals, tmp_path, count):
    found = newest(tmp_path / "records", count, any_decision, pytest.fail)
    assert numbers(found) == [second * 60 for second in range(60)][-count:]
    whole = {record.address: record for record in read_records(tmp_path / "records")}
    assert all(whole[each.address].place == each.place for each in found)
    assert all(whole[each.address].predicate == each.predicate for each in found)


def test_since_and_what_is_wanted_limit_what_is_found(journals, tmp_path):
    since = (START + timedelta(minutes=50)).isoformat()
    assert numbers(newest(tmp_path / "records", 100, any_decision, pytest.fail, since=since)) == [
        second * 60 for second in range(50, 60)
    ]
    agents = Scenes()
    found = newest(tmp_path / "records", 3, lambda r: any_decision(r) and agents.agent(r) == "agent 1", pytest.fail)
    assert numbers(found) == [55 * 60, 57 * 60, 59 * 60]


def test_a_record_that_was_written_late_is_found(journals, tmp_path):
    """A decision is written when it ends, and others have begun and ended meanwhile."""
    write(journals[0], 60 * 60)
    write(journals[0], 59 * 60 + 30)
    assert numbers(newest(tmp_path / "records", 2, any_decision, pytest.fail)) == [59 * 60 + 30, 60 * 60]


def test_only_the_ends_of_a_long_journal_are_read(journals, tmp_path):
    looked_at: list[Found] = []
    newest(tmp_path / "records", 2, lambda r: any_decision(r) and not looked_at.append(r), pytest.fail)
    assert len(looked_at) < 12


def test_a_line_that_is_too_long_hides_nothing_before_or_behind_it(journals, tmp_path, monkeypatch):
    for each in journals:
        each.close()
    monkeypatch.setattr(lines_module, "MAX_LINE", 20_000)
    monkeypatch.setattr(lines_module, "_BLOCK", 1_000)
    path = sorted((tmp_path / "records").glob("*.jsonl"))[0]
    raw = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*raw[:20], b"x" * 50_000 + b"\n", *raw[20:]]))
    unread: list[BadRecord] = []
    assert len(newest(tmp_path / "records", 100, any_decision, unread.append)) == 60
    assert [each.code for each in unread] == ["overlong"]


def test_what_cannot_be_read_is_reported_with_its_place(journals, tmp_path):
    for each in journals:
        each.close()
    path = sorted((tmp_path / "records").glob("*.jsonl"))[0]
    raw = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*raw[:5], b"torn\n", *raw[5:], b'{"payload":"torn']))
    os.mkfifo(tmp_path / "records" / "pipe.jsonl")
    unread: list[BadRecord] = []
    assert len(newest(tmp_path / "records", 100, any_decision, unread.append)) == 60
    assert {each.place for each in unread} == {f"{path.name}:6", f"{path.name}:{len(raw) + 2}", "pipe.jsonl"}


def test_the_agent_of_a_record_whose_scene_is_missing_is_unknown(journals, tmp_path):
    (found,) = newest(tmp_path / "records", 1, any_decision, pytest.fail)
    for scene in ("0" * 64, None, 7):
        found.predicate["scene"] = scene
        assert Scenes().agent(found) == ""
