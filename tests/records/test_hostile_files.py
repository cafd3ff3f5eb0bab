"""Whatever stands in a folder of records is reported with its place; it stops nobody, and hides nothing else."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from supervisor.errors import BadRecord, RecordFailed
from supervisor.intake.files import read_file
from supervisor.records.envelope import key_id_of, open_signer, read_public_key
from supervisor.records.journal import Journal
from supervisor.records.read import read_records
from supervisor.records.verify import read_report, verify
from tests.records.journals import codes, segment, write


def every_bit(raw: bytes) -> list[bytes]:
    """A copy for each bit, which is flipped in it."""
    number = int.from_bytes(raw)
    return [(number ^ 1 << bit).to_bytes(len(raw)) for bit in range(8 * len(raw))]


def key_id_in(path: Path, raw: bytes) -> str:
    """The name of the signing key in a file, or the code of the error that it gives."""
    path.write_bytes(raw)
    try:
        return open_signer(path).key_id
    except RecordFailed as error:
        return f"{error.code} in {error.place}"


def public_key_in(path: Path, raw: bytes) -> str:
    """The name of the public key in a file, or the code of the error that it gives."""
    path.write_bytes(raw)
    try:
        return key_id_of(read_public_key(path))
    except BadRecord as error:
        return f"{error.code} in {error.place}"


def test_every_bit_of_a_key_that_flips_is_an_error_or_another_key(tmp_path: Path) -> None:
    """Or the same key: a line may end in other spaces."""
    signer, path = open_signer(tmp_path / "key.pem"), tmp_path / "flipped.pem"
    for raw, read, code in (
        ((tmp_path / "key.pem").read_bytes(), key_id_in, "signing_key"),
        (signer.public_pem, public_key_in, "bad_key"),
    ):
        told = [read(path, flipped) for flipped in every_bit(raw)]
        errors = [each for each in told if " " in each]
        assert set(errors) == {f"{code} in {path}"}
        keys = {each for each in told if " " not in each}
        assert len(keys) > 50, "most bits of the key itself make another one"
        assert signer.key_id in keys


def test_every_bit_of_a_public_key_that_flips_is_found_by_verify(journal: Journal, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    write(journal, 1)
    journal.close()
    (path,) = (folder / "keys").iterdir()
    whole = path.read_bytes()
    for raw in every_bit(whole):
        is_same = public_key_in(tmp_path / "flipped.pem", raw) == path.stem
        path.write_bytes(raw)
        assert (problems_in(folder) == set()) == is_same


def problems_in(folder: Path) -> set[str]:
    """What `verify` says, also where it refuses the folder."""
    try:
        return codes(verify(folder))
    except BadRecord as error:
        return {error.code}


def torn(raw: bytes) -> bytes:
    """In the middle: a line that was cut off, and a newline by who knows whom."""
    lines = raw.splitlines(keepends=True)
    return b"".join([*lines[:4], lines[4][:50] + b"\n", *lines[5:]])


def foreign(raw: bytes) -> bytes:
    lines = raw.splitlines(keepends=True)
    return b"".join([*lines[:4], b'{"hello": "world"}\n', *lines[4:]])


@pytest.mark.parametrize("change", [torn, foreign])
def test_reading_goes_on_past_a_line_that_cannot_be_read(
    journal: Journal, tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    written = write(journal, 8)
    path = segment(tmp_path / "records")
    path.write_bytes(change(path.read_bytes()))
    unread: list[BadRecord] = []
    read = [record.address for record in read_records(tmp_path / "records", unread.append)]
    assert len(set(written) - set(read)) == (change is torn)
    assert [(each.place, each.code) for each in unread] == [(f"{path.name}:5", "not_an_envelope")]
    with pytest.raises(BadRecord, match=f"{path.name}:5: not a signed envelope"):
        list(read_records(tmp_path / "records"))
    journal._abandon()


@pytest.fixture(autouse=True)
def _replay_right_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in a process of its own, whose output nobody would see here."""
    monkeypatch.setenv("SUPERVISOR_REPLAY_PROCESS", "1")


@pytest.mark.parametrize("command", ["log", "replay"])
def test_log_and_replay_show_what_can_be_read_and_name_the_rest(run, tiny, tmp_path, command):
    folder = tmp_path / "records"
    actions = "\n".join(json.dumps({"tool": "bash", "args": {"command": f"touch {n}"}}) for n in range(3))
    for _ in range(2):
        assert run("check", "--jsonl", "--policy", tiny.policy, "--records", folder, stdin=actions).code == 0
    path = segment(folder)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b'{"payload":"torn\n', *lines[2:], b'{"payload":"torn']))
    ran = run(command, folder, "--json")
    assert ran.code == 1
    told = [json.loads(line) for line in ran.out.splitlines()]
    if command == "log":
        assert sum("record" in each for each in told) == 6
        named = [each["unreadable"] for each in told if "unreadable" in each]
    else:
        assert told[0]["decisions"] == 6
        named = told[0]["unreadable"]
    places = [f"{path.name}:3", f"{path.name}:{len(lines) + 2}"]
    assert [each["place"] for each in named] == places
    assert all(place in ran.err for place in places)
    assert "Traceback" not in ran.err


def test_a_signed_record_of_another_form_stops_neither_log_nor_replay(run, tmp_path):
    """Whoever has the key may write anything."""
    journal = Journal(tmp_path / "records", open_signer(tmp_path / "key.pem"))
    for told in ({}, {"decision": 1, "time": [], "session": 3}, {"policy": [], "versions": {}, "action": 7}):
        journal.append("decision", told, "0" * 64)
    journal.close()
    for command in ("log", "replay"):
        ran = run(command, tmp_path / "records")
        assert ran.code == 1
        assert "Traceback" not in ran.err


@pytest.mark.parametrize("verb", ["verify", "log", "replay"])
def test_hostile_folders_give_nobody_a_traceback(run, journal, tmp_path, verb):
    folder = tmp_path / "records"
    write(journal, 3)
    journal.close()
    (folder / "a pipe.jsonl").touch()
    (folder / "a pipe.jsonl").unlink()
    os.mkfifo(folder / "a pipe.jsonl")
    (folder / "a folder.jsonl").mkdir()
    (folder / "a link.jsonl").symlink_to(segment(folder))
    (folder / "a loop.jsonl").symlink_to(folder / "a loop.jsonl")
    (folder / "noise.jsonl").write_bytes(bytes(range(256)) * 50)
    with open(os.fsencode(folder) + b"/\xff\x1b[31m.jsonl", "wb") as file:
        file.write(b"\xff\n")
    os.truncate(os.open(folder / "sparse.jsonl", os.O_CREAT | os.O_WRONLY), 10 * 1024**3)
    os.mkfifo(folder / "keys" / "a pipe.pem")
    ran = run(verb, folder)
    assert ran.code == 1
    told = ran.out if verb == "verify" else ran.err
    for name in ("a pipe.jsonl", "a folder.jsonl", "a link.jsonl", "a loop.jsonl", "noise.jsonl", "sparse.jsonl"):
        assert name in told
    assert r"\udcff\x1b[31m.jsonl" in told
    assert "\x1b[31m.jsonl" not in told


@pytest.mark.parametrize("there", ["nothing", "a file", "an empty folder", "a folder without keys"])
def test_what_is_no_journal_is_one_line(run, tmp_path, there):
    folder = tmp_path / "records"
    if there == "a file":
        folder.write_text("records")
    elif there != "nothing":
        folder.mkdir()
    if there == "a folder without keys":
        (folder / "x.jsonl").write_text("{}\n")
    ran = run("verify", folder)
    assert ran.code == (1 if there == "an empty folder" else 2)
    assert ran.err.count("\n") == 1


def test_an_earlier_report_shows_what_was_taken_back_since(run, journal, tmp_path):
    folder = tmp_path / "records"
    write(journal, 2)
    shutil.copytree(folder, tmp_path / "copy")
    write(journal, 3)
    earlier = tmp_path / "earlier.json"
    earlier.write_text(run("verify", folder, "--json").out)
    write(journal, 3)
    journal.close()
    assert run("verify", folder, "--since", earlier).code == 0
    assert run("verify", tmp_path / "copy").code == 0
    ran = run("verify", tmp_path / "copy", "--since", earlier)
    assert (ran.code, "3 records are gone" in ran.out) == (1, True)


@pytest.mark.parametrize("raw", [b"", b"[]", b'{"checkpoints": [{}]}', b'{"checkpoints": 3}', b"\xff"])
def test_what_is_no_earlier_report_is_said(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "report.json").write_bytes(raw)
    with pytest.raises(BadRecord, match="not a report of"):
        read_report(tmp_path / "report.json")


def test_only_regular_files_of_some_size_are_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_file(path, 5, follow=False) == b"12345"
    with pytest.raises(OSError, match="more than the 4 allowed"):
        read_file(path, 4, follow=False)
    (tmp_path / "link").symlink_to(path)
    with pytest.raises(OSError, match="symbolic link"):
        read_file(tmp_path / "link", 5, follow=False)
    assert read_file(tmp_path / "link", 5) == b"12345"
    os.mkfifo(tmp_path / "pipe")
    for name in (tmp_path / "pipe", tmp_path):
        with pytest.raises(OSError, match=r"not a regular file|Is a directory"):
            read_file(name, 5, follow=False)
