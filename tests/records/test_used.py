"""Whether an approval has been used is told in bounded work, whatever is planted among the segments."""

from __future__ import annotations

import errno
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from supervisor.history import address_of
from supervisor.records import used
from supervisor.records.used import is_unused
from tests.evidence.effort import steps

ANSWER = b'{"payload": "eA=="}'
GIVEN = datetime(2026, 1, 1, tzinfo=UTC)


def _uses(answer: bytes) -> bytes:
    return used._spellings(address_of(answer))[1]


def _sparse(path: Path, size: int, *pieces: tuple[int, bytes]) -> None:
    with path.open("wb") as file:
        file.truncate(size)
        for at, piece in pieces:
            os.pwrite(file.fileno(), piece, at)


@pytest.fixture
def records(tmp_path: Path) -> Path:
    (tmp_path / "a.jsonl").write_bytes(ANSWER + b"\n")
    return tmp_path


def test_an_answer_in_the_journal_is_unused_until_a_record_names_it(records: Path) -> None:
    assert is_unused(records, ANSWER, GIVEN)
    (records / "b.jsonl").write_bytes(b"x" + _uses(ANSWER) + b"x\n")
    assert not is_unused(records, ANSWER, GIVEN)


def test_an_answer_that_is_not_there_is_none(records: Path) -> None:
    (records / "a.jsonl").write_bytes(b"\n")
    assert not is_unused(records, ANSWER, GIVEN)


def test_holes_are_passed_over(records: Path) -> None:
    """Read whole, these would take a million pieces."""
    _sparse(records / "b.jsonl", 1 << 40)
    assert steps(is_unused, records, ANSWER, GIVEN) < 5_000
    assert is_unused(records, ANSWER, GIVEN)


@pytest.mark.parametrize("place", [0, used._PIECE - 7, 1 << 39, (1 << 40) - 100])
def test_what_stands_behind_a_hole_is_found(records: Path, place: int) -> None:
    _sparse(records / "b.jsonl", 1 << 40, (place, _uses(ANSWER)))
    assert not is_unused(records, ANSWER, GIVEN)


def test_more_than_any_journal_has_is_an_error(records: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(used, "_PIECE", 1024)
    monkeypatch.setattr(used, "_MOST", 4096)
    (records / "b.jsonl").write_bytes(b"x" * 4096)
    assert is_unused(records, ANSWER, GIVEN)
    (records / "b.jsonl").write_bytes(b"x" * 4097)
    with pytest.raises(OSError, match="a segment of more than") as raised:
        is_unused(records, ANSWER, GIVEN)
    assert raised.value.errno == errno.EFBIG


@pytest.mark.parametrize("number", [None, errno.EINVAL])
def test_where_nobody_tells_of_holes_all_is_read(
    records: Path, monkeypatch: pytest.MonkeyPatch, number: int | None
) -> None:
    def refuses(*_: object) -> int:
        raise OSError(number, "no holes here")

    if number is None:
        monkeypatch.setattr(used, "_TO_DATA", None)
    else:
        monkeypatch.setattr(used.os, "lseek", refuses)
    assert is_unused(records, ANSWER, GIVEN)
    (records / "b.jsonl").write_bytes(b"x" * (used._PIECE - 7) + _uses(ANSWER))
    assert not is_unused(records, ANSWER, GIVEN)
