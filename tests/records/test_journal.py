"""What is acknowledged is on disk, whoever else writes and whatever happens to the writer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from supervisor.action import Step
from supervisor.errors import RecordFailed
from supervisor.history import History, address_of
from supervisor.records import verify as verify_module
from supervisor.records.envelope import Signer
from supervisor.records.journal import Journal
from supervisor.records.read import read_records
from supervisor.records.verify import verify
from tests.records.journals import codes, segment, write


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


def test_a_head_that_a_power_cut_emptied_is_told_with_what_may_be_missing(journal: Journal, tmp_path: Path) -> None:
    write(journal, 2)
    (head,) = (tmp_path / "records").glob("*.head")
    head.write_bytes(b"")
    report = verify(tmp_path / "records")
    assert (codes(report), report.exposed) == ({"head_missing"}, 60)
    head.unlink()
    assert codes(verify(tmp_path / "records")) == {"head_missing"}
    segment(tmp_path / "records").with_suffix(".checkpoint").unlink()
    report = verify(tmp_path / "records")
    assert (codes(report), report.exposed) == ({"head_missing", "no_checkpoint"}, None)


def test_a_segment_is_rotated_by_size(journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "_most_bytes", 3000)
    write(journal, 20)
    journal.close()
    assert len(list((tmp_path / "records").glob("*.jsonl"))) > 2
    report = verify(tmp_path / "records")
    assert report.problems == []
    numbers = [record.predicate["number"] for record in read_records(tmp_path / "records") if record.kind == "decision"]
    assert sorted(numbers) == list(range(20))


def test_a_segment_that_begins_while_others_are_verified_is_no_problem(
    journal: Journal, signer: Signer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its name is in no register and no header that was read before it began."""
    write(journal, 2)
    reading = verify_module.read_chain

    def begin_one(*given: Any) -> Any:
        monkeypatch.setattr(verify_module, "read_chain", reading)
        other = Journal(tmp_path / "records", signer)
        write(other, 2)
        return reading(*given)

    listing = verify_module.segment_paths
    calls: list[Path] = []

    def listing_late(folder: Path) -> list[Path]:
        """The third listing, of what is read, has a segment that the register did not have."""
        calls.append(folder)
        if len(calls) == 3:
            write(Journal(folder, signer), 2)
        return listing(folder)

    monkeypatch.setattr(verify_module, "segment_paths", listing_late)
    monkeypatch.setattr(verify_module, "read_chain", begin_one)
    report = verify(tmp_path / "records")
    assert (report.problems, report.notes, report.segments) == ([], [], 2)
    assert verify(tmp_path / "records").segments == 3


def test_a_segment_is_rotated_by_age(signer: Signer, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "records", signer, most_seconds=3600)
    for minutes in (0, 50, 20, 50, 20):
        if journal._segment is not None:
            journal._segment.begun -= minutes * 60
        write(journal, 1)
    journal.close()
    report = verify(tmp_path / "records")
    assert (report.problems, report.segments, report.unsealed) == ([], 3, 0)


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
    monkeypatch.setattr(journal, "_most_bytes", 12_000)
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


@pytest.mark.parametrize("call", ["writev", "fdatasync", "pwrite"])
def test_an_interrupted_record_leaves_a_chain_that_holds(
    tmp_path: Path, signer: Signer, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """Ctrl-C, in a host that goes on: the record may be on disk, and nobody was told of it."""
    journal, known = Journal(tmp_path / "records", signer, sync=True), getattr(os, call)
    write(journal, 2)

    def interrupted(*args: Any) -> None:
        known(*args)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(os, call, interrupted)
        with pytest.raises(KeyboardInterrupt):
            write(journal, 1)
    written = write(journal, 2)
    journal.close()
    assert verify(tmp_path / "records").problems == []
    assert set(written) <= {record.address for record in read_records(tmp_path / "records")}


def test_an_interrupted_seal_does_not_stop_the_next_record(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "_most_bytes", 1)
    write(journal, 1)

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "_checkpoint", interrupted)
        with pytest.raises(KeyboardInterrupt):
            write(journal, 1)
    write(journal, 2)
    journal.close()
    assert verify(tmp_path / "records").problems == []
