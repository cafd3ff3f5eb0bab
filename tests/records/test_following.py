"""New records are read as they are written: each once, from every segment, in any state of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from supervisor.errors import BadRecord
from supervisor.records.following import Following
from supervisor.records.journal import Journal


def write(journal: Journal, number: int) -> bytes:
    return journal.append("decision", {"time": f"2026-11-23T00:00:{number:02}+00:00", "number": number}, "0" * 64)


def numbers(following: Following) -> list[int]:
    return [each.predicate["number"] for each in following.new(pytest.fail) if each.kind == "decision"]


def test_each_record_comes_once_whoever_writes_it(tmp_path: Path, signer):
    first, second = (Journal(tmp_path / "records", signer) for _ in range(2))
    write(first, 1)
    following = Following(tmp_path / "records")
    assert numbers(following) == []
    write(second, 3)
    write(first, 2)
    assert numbers(following) == [2, 3]
    assert numbers(following) == []
    write(first, 4)
    first.close()  # seals the segment before anybody looks
    third = Journal(tmp_path / "records", signer)
    write(third, 5)
    third.close()
    assert numbers(following) == [4, 5]
    write(second, 6)
    assert numbers(following) == [6]
    second.close()


def test_a_line_comes_when_it_is_whole(tmp_path: Path, signer):
    journal = Journal(tmp_path / "records", signer)
    write(journal, 1)
    following = Following(tmp_path / "records")
    line = write(journal, 2)
    (segment,) = (tmp_path / "records").glob("*.jsonl")
    whole = segment.read_bytes()
    segment.write_bytes(whole[: -len(line) // 2])
    assert numbers(following) == []
    segment.write_bytes(whole)
    assert numbers(following) == [2]
    journal.close()


def test_a_torn_line_at_the_beginning_is_read_once_it_is_whole(tmp_path: Path, signer):
    journal = Journal(tmp_path / "records", signer)
    write(journal, 1)
    line = write(journal, 2)
    (segment,) = (tmp_path / "records").glob("*.jsonl")
    whole = segment.read_bytes()
    segment.write_bytes(whole[: -len(line) // 2])
    following = Following(tmp_path / "records")
    segment.write_bytes(whole)
    assert numbers(following) == [2]
    journal.close()


def test_what_cannot_be_read_is_reported_once(tmp_path: Path, signer):
    journal = Journal(tmp_path / "records", signer)
    write(journal, 1)
    following = Following(tmp_path / "records")
    (tmp_path / "records" / "x.jsonl").symlink_to("/dev/zero")
    (tmp_path / "records" / "x.head").touch()
    (segment,) = (each for each in (tmp_path / "records").glob("2*.jsonl"))
    with segment.open("ab") as file:
        file.write(b"noise\n")
    unread: list[BadRecord] = []
    for _ in range(3):
        assert following.new(unread.append) == []
    assert [each.place for each in unread] == [f"{segment.name}:3", "x.jsonl"]
    journal._abandon()


def test_a_folder_that_is_gone_ends_it(tmp_path: Path, signer):
    journal = Journal(tmp_path / "records", signer)
    write(journal, 1)
    journal.close()
    following = Following(tmp_path / "records")
    (tmp_path / "records").rename(tmp_path / "elsewhere")
    with pytest.raises(BadRecord, match="cannot be read"):
        following.new(pytest.fail)
