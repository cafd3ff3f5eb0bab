"""Whatever is done to a journal after it was acknowledged is found."""

from __future__ import annotations

import base64
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.history import address_of
from supervisor.records.envelope import Signer, open_signer
from supervisor.records.journal import Journal
from supervisor.records.verify import verify
from tests.records.journals import codes, segment, write


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sealed journal of twelve records."""
    home = tmp_path_factory.mktemp("sealed")
    journal = Journal(home / "records", open_signer(home / "key.pem"))
    write(journal, 12)
    journal.close()
    return home / "records"


def test_content_is_stored_once(sealed: Path) -> None:
    lines = segment(sealed).read_bytes().splitlines()
    assert sum(line.startswith(b'{"sha256"') for line in lines) == 4


Lines = list[bytes]


def _swap(lines: Lines, at: int) -> None:
    lines[at], lines[at + 1] = lines[at + 1], lines[at]


CHANGES: dict[str, Callable[[Lines, int], None]] = {
    "drop": lambda lines, at: lines.__delitem__(at),
    "duplicate": lambda lines, at: lines.insert(at, lines[at]),
    "swap": _swap,
    "cut the head": lambda lines, at: lines.__delitem__(slice(0, at + 1)),
    "cut the tail": lambda lines, at: lines.__delitem__(slice(at + 1, None)),
    "add content": lambda lines, at: lines.insert(
        at, b'{"sha256":"%s","content":"new"}' % address_of(b'"new"').encode()
    ),
    "blank line": lambda lines, at: lines.insert(at, b""),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_of_lines_is_found(sealed: Path, tmp_path: Path, change: str) -> None:
    count = len(segment(sealed).read_bytes().splitlines())
    for at in range(count - 1):
        folder = tmp_path / f"{at}"
        shutil.copytree(sealed, folder)
        lines = segment(folder).read_bytes().splitlines()
        CHANGES[change](lines, at)
        segment(folder).write_bytes(b"".join(line + b"\n" for line in lines))
        assert verify(folder).problems, f"{change} at line {at + 1} was not found"


def test_every_flipped_bit_is_found(sealed: Path, tmp_path: Path) -> None:
    """One bit in each of 300 places, in records, content and checkpoint alike."""
    chance = random.Random(7)
    files = [path.relative_to(sealed) for path in sorted(sealed.glob("*.*"))]
    for trial in range(300):
        folder = tmp_path / f"{trial}"
        shutil.copytree(sealed, folder)
        path = folder / files[trial % len(files)]
        raw = bytearray(path.read_bytes())
        at = chance.randrange(len(raw))
        raw[at] ^= 1 << chance.randrange(8)
        path.write_bytes(raw)
        assert verify(folder).problems, f"bit flipped in {path.name} at {at}"
        shutil.rmtree(folder)


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_any_edit_of_the_bytes_is_found(
    sealed: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    raw = segment(sealed).read_bytes()
    start = data.draw(st.integers(0, len(raw) - 1))
    end = data.draw(st.integers(start, min(len(raw), start + 40)))
    fresh = data.draw(st.binary(max_size=40))
    edited = raw[:start] + fresh + raw[end:]
    if edited == raw:
        return
    folder = tmp_path_factory.mktemp("edited") / "records"
    shutil.copytree(sealed, folder)
    segment(folder).write_bytes(edited)
    assert verify(folder).problems


def test_a_tail_cut_from_a_sealed_segment_is_found(sealed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    shutil.copytree(sealed, folder)
    lines = segment(folder).read_bytes().splitlines(keepends=True)
    segment(folder).write_bytes(b"".join(lines[:-1]))
    assert "records_missing" in codes(verify(folder))


def test_records_signed_again_with_another_key_are_found_by_who_trusts_the_first(
    sealed: Path, tmp_path: Path, signer: Signer
) -> None:
    forged = Journal(tmp_path / "forged", signer)
    write(forged, 12)
    forged.close()
    trusted = next((sealed / "keys").glob("*.pem"))
    assert verify(tmp_path / "forged").problems == []
    assert "unknown_key" in codes(verify(tmp_path / "forged", trusted))


def test_every_tail_cut_from_an_open_segment_is_found(journal: Journal, tmp_path: Path) -> None:
    """Of a process that was killed: nothing has sealed what it wrote."""
    write(journal, 5)
    lines = segment(tmp_path / "records").read_bytes().splitlines(keepends=True)
    assert (verify(tmp_path / "records").problems, verify(tmp_path / "records").unsealed) == ([], 1)
    for kept in range(len(lines)):
        folder = tmp_path / f"{kept}"
        shutil.copytree(tmp_path / "records", folder)
        segment(folder).write_bytes(b"".join(lines[:kept]))
        assert verify(folder).problems, f"cut after line {kept}"
    journal.close()


def test_a_journal_without_segments_has_lost_them(sealed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    shutil.copytree(sealed, folder)
    for path in folder.glob("*.*"):
        path.unlink()
    assert codes(verify(folder)) == {"segment_missing"}


def test_a_checkpoint_that_is_gone_is_found(sealed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    shutil.copytree(sealed, folder)
    next(folder.glob("*.checkpoint")).unlink()
    assert codes(verify(folder)) == {"no_checkpoint"}


def test_base64_has_one_spelling(sealed: Path, tmp_path: Path) -> None:
    """The last character of an Ed25519 signature in base64 has bits that decode to nothing."""
    folder = tmp_path / "records"
    shutil.copytree(sealed, folder)
    lines = segment(folder).read_bytes().splitlines()
    envelope = json.loads(lines[-1])
    signature = envelope["signatures"][0]["sig"]
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    twin = signature[:-3] + alphabet[alphabet.index(signature[-3]) ^ 1] + "=="
    assert base64.b64decode(twin) == base64.b64decode(signature)
    lines[-1] = lines[-1].replace(signature.encode(), twin.encode())
    segment(folder).write_bytes(b"\n".join(lines) + b"\n")
    assert "not_an_envelope" in codes(verify(folder))
