"""What is acknowledged is on disk, and whatever is done to it afterwards is found."""

from __future__ import annotations

import base64
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.action import Step
from supervisor.errors import RecordFailed
from supervisor.history import History, address_of
from supervisor.records import journal as journal_module
from supervisor.records.envelope import Signer, open_signer
from supervisor.records.journal import Journal
from supervisor.records.read import read_records
from supervisor.records.verify import Report, verify


def write(journal: Journal, count: int, start: int = 0) -> list[str]:
    addresses = []
    for number in range(start, start + count):
        content = orjson.dumps({"scene": number // 3})
        predicate = {"number": number, "scene": address_of(content)}
        line = journal.append("decision", predicate, "0" * 64, [(address_of(content), content)])
        addresses.append(address_of(line))
    return addresses


def segment(folder: Path) -> Path:
    return next(iter(sorted(folder.glob("*.jsonl"))))


def codes(report: Report) -> set[str]:
    return {problem.code for problem in report.problems}


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sealed journal of twelve records."""
    home = tmp_path_factory.mktemp("sealed")
    journal = Journal(home / "records", open_signer(home / "key.pem"))
    write(journal, 12)
    journal.close()
    return home / "records"


def test_what_is_written_reads_back_and_verifies(journal: Journal, tmp_path: Path) -> None:
    addresses = write(journal, 7)
    journal.close()
    records = [record for record in read_records(tmp_path / "records") if record.kind == "decision"]
    assert [record.address for record in records] == addresses
    assert [record.predicate["number"] for record in records] == list(range(7))
    assert [record.content(record.predicate["scene"])["scene"] for record in records] == [n // 3 for n in range(7)]
    report = verify(tmp_path / "records")
    assert (report.problems, report.records, report.unsealed) == ([], 9, 0)


def test_a_record_is_on_disk_when_append_returns(journal: Journal, tmp_path: Path) -> None:
    for number in range(3):
        (address,) = write(journal, 1, number)
        last = segment(tmp_path / "records").read_bytes().splitlines()[-1]
        assert address_of(last) == address


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


def test_a_missing_segment_is_missed_by_the_next(tmp_path: Path, signer: Signer) -> None:
    folder = tmp_path / "records"
    for start in (0, 3):
        journal = Journal(folder, signer)
        write(journal, 3, start)
        journal.close()
    first = segment(folder)
    first.unlink()
    first.with_suffix(".checkpoint").unlink()
    assert codes(verify(folder)) == {"segment_missing"}


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


def test_a_head_is_renewed_with_every_record_and_goes_when_the_segment_is_sealed(
    journal: Journal, tmp_path: Path
) -> None:
    for number in range(3):
        write(journal, 1, number)
        (head,) = (tmp_path / "records").glob("*.head")
        assert int(head.read_text().split()[0]) == number + 2
    head_of_killed = head.read_bytes()
    journal.close()
    assert not head.exists()
    (checkpoint,) = (tmp_path / "records").glob("*.checkpoint")
    lines = segment(tmp_path / "records").read_bytes().splitlines(keepends=True)
    segment(tmp_path / "records").write_bytes(b"".join(lines[:-1]))
    assert codes(verify(tmp_path / "records")) == {"records_missing", "head_missing"}
    head.write_bytes(head_of_killed)
    assert codes(verify(tmp_path / "records")) == {"records_missing"}, "the checkpoint says that it was sealed"
    assert checkpoint.exists()


def test_a_head_that_a_power_cut_emptied_says_nothing(journal: Journal, tmp_path: Path) -> None:
    write(journal, 2)
    (head,) = (tmp_path / "records").glob("*.head")
    head.write_bytes(b"")
    assert verify(tmp_path / "records").problems == []
    head.unlink()
    assert codes(verify(tmp_path / "records")) == {"head_missing"}


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


def test_a_segment_is_rotated_by_size(journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_module, "SEGMENT_BYTES", 3000)
    write(journal, 20)
    journal.close()
    assert len(list((tmp_path / "records").glob("*.jsonl"))) > 2
    report = verify(tmp_path / "records")
    assert report.problems == []
    numbers = [record.predicate["number"] for record in read_records(tmp_path / "records") if record.kind == "decision"]
    assert sorted(numbers) == list(range(20))


def test_a_history_is_stored_from_its_newest_unknown_node(journal: Journal, tmp_path: Path) -> None:
    history = History()
    for _ in range(3):
        for number in range(2):
            history.append(Step("bash", {"command": f"echo {len(history)}"}, number))
        journal.append("decision", {}, "0" * 64, history=history.nodes)
    journal.close()
    (*_, last) = read_records(tmp_path / "records")
    assert last.kind == "end"
    assert [address for address, _ in history.nodes()] == list(last.contents)
    assert last.history(history.address()) == list(history)
    lines = segment(tmp_path / "records").read_bytes().splitlines()
    assert sum(line.startswith(b'{"sha256"') for line in lines) == len(history)


def test_a_history_larger_than_a_segment_is_told_again_once(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A segment stands alone, so it repeats the history; but what is repeated does not fill it."""
    monkeypatch.setattr(journal_module, "SEGMENT_BYTES", 12_000)
    history = History()
    for number in range(30):
        history.append(Step("bash", {"command": f"echo {number}"}, "x" * 450))
        journal.append("decision", {"step": number}, "0" * 64, history=history.nodes)
    journal.close()
    segments = len(list((tmp_path / "records").glob("*.jsonl")))
    assert 3 < segments < 8
    assert verify(tmp_path / "records").problems == []


def test_a_process_killed_as_it_begins_has_lost_nothing(journal: Journal, tmp_path: Path) -> None:
    write(journal, 1)
    journal.close()
    begun = tmp_path / "records" / "29991231T000000-1-abcdef.jsonl"
    begun.write_bytes(b"")
    assert verify(tmp_path / "records").problems == []
    begun.with_suffix(".head").write_bytes(b"")
    assert verify(tmp_path / "records").problems == []
    begun.with_suffix(".head").write_text(f"{2:012d} {'0' * 64}\n")
    assert codes(verify(tmp_path / "records")) >= {"no_checkpoint"}


def test_threads_share_a_journal(journal: Journal, tmp_path: Path) -> None:
    threads = [threading.Thread(target=write, args=(journal, 20, 100 * number)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    journal.close()
    report = verify(tmp_path / "records")
    assert (report.problems, report.records) == ([], 82)


def test_a_forked_child_writes_a_segment_of_its_own(journal: Journal, tmp_path: Path) -> None:
    write(journal, 2)
    child = os.fork()
    if child == 0:
        write(journal, 2, 10)
        journal.close()
        os._exit(0)
    os.waitpid(child, 0)
    write(journal, 2, 20)
    journal.close()
    assert len(list((tmp_path / "records").glob("*.jsonl"))) == 2
    assert verify(tmp_path / "records").problems == []


WRITER = """
import sys
from pathlib import Path
from supervisor.history import address_of
from supervisor.records.envelope import open_signer
from supervisor.records.journal import Journal
home = Path(sys.argv[1])
journal = Journal(home / "records", open_signer(home / "key.pem"))
number = 0
while True:
    print(address_of(journal.append("decision", {"number": number}, "0" * 64)), flush=True)
    number += 1
"""


def test_nothing_acknowledged_is_lost_when_writers_are_killed(tmp_path: Path) -> None:
    """Three writers, killed in the middle of their work: every address that was printed is in the journal."""
    acknowledged: set[str] = set()
    for _ in range(3):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        with writer.stdout:
            acknowledged |= {writer.stdout.readline().strip() for _ in range(150)}
            writer.send_signal(signal.SIGKILL)
            acknowledged |= {line.strip() for line in writer.stdout if line.endswith("\n")}
        writer.wait()
    report = verify(tmp_path / "records")
    assert {problem.code for problem in report.problems} <= {"torn_line"}
    assert acknowledged <= {record.address for record in read_records(tmp_path / "records")}


def test_a_disk_that_takes_only_a_part_is_an_error_and_the_next_record_goes_on(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(journal, 2)
    monkeypatch.setattr(os, "writev", lambda file, parts: os.write(file, b"".join(parts)[:500]))
    with pytest.raises(RecordFailed):
        write(journal, 1, 2)
    monkeypatch.undo()
    write(journal, 2, 3)
    journal.close()
    assert len(list((tmp_path / "records").glob("*.jsonl"))) == 2
    report = verify(tmp_path / "records")
    assert (report.problems, report.unsealed) == ([], 1), "what nobody was told of is taken back"


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path, signer: Signer) -> None:
    (tmp_path / "records").write_text("in the way")
    with pytest.raises(RecordFailed, match="cannot be written"):
        write(Journal(tmp_path / "records", signer), 1)


def test_keys_and_records_are_private(journal: Journal, tmp_path: Path) -> None:
    write(journal, 1)
    journal.close()
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "key.pem", segment(tmp_path / "records"))}
    assert set(modes.values()) == {0o600}


def test_processes_that_start_at_once_agree_on_the_key(tmp_path: Path) -> None:
    program = "import sys; from pathlib import Path; from supervisor.records.envelope import open_signer; "
    program += "print(open_signer(Path(sys.argv[1])).key_id)"
    started = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "new.pem")], stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    assert len({process.communicate()[0] for process in started}) == 1
