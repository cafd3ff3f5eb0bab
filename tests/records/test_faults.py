"""No decision goes without the record that its policy demands, whatever becomes of the files under a running engine."""

from __future__ import annotations

import contextlib
import errno
import itertools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from supervisor.decision.decision import Decision
from supervisor.engine.supervisor import Supervisor
from supervisor.errors import RecordFailed
from supervisor.policy import Policy, Records
from supervisor.records.envelope import Signer, open_signer
from supervisor.records.journal import Journal
from supervisor.records.read import read_records
from supervisor.records.verify import verify
from tests.records.journals import codes, segment, write


def engine_in(home: Path, on_failure: str = "block") -> Supervisor:
    records = Records(str(home / "records"), str(home / "key.pem"), on_failure)  # type: ignore[arg-type]
    return Supervisor(Policy(records=records, isolation="none"))


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Supervisor]:
    opened = engine_in(tmp_path)
    yield opened
    opened.close()


def decide(engine: Supervisor, count: int = 1) -> list[Decision]:
    return [engine.decide_from_thread(engine.action("bash", {"command": f"echo {n}"})) for n in range(count)]


def there(folder: Path) -> set[str]:
    return {record.address for record in read_records(folder)}


# Each takes the folder of a running engine, and says whether what was acknowledged is lost by it.


def removed(folder: Path) -> bool:
    shutil.rmtree(folder)
    return True


def renamed(folder: Path) -> bool:
    folder.rename(folder.with_name("renamed"))
    return True


def swapped_for_an_empty_one(folder: Path) -> bool:
    renamed(folder)
    folder.mkdir()
    return True


def swapped_for_a_link(folder: Path) -> bool:
    (folder.parent / "elsewhere").mkdir()
    renamed(folder)
    folder.symlink_to(folder.parent / "elsewhere")
    return True


def segment_unlinked(folder: Path) -> bool:
    segment(folder).unlink()
    return True


def segment_truncated(folder: Path) -> bool:
    os.truncate(segment(folder), 100)
    return True


def segment_replaced(folder: Path) -> bool:
    path = segment(folder)
    raw = path.read_bytes()
    path.unlink()
    path.write_bytes(raw)
    return False


def segment_replaced_by_a_link(folder: Path) -> bool:
    path = segment(folder)
    path.rename(folder.parent / "moved")
    path.symlink_to(folder.parent / "moved")
    return True


def segment_appended_to(folder: Path) -> bool:
    with segment(folder).open("ab") as file:
        file.write(b"something\n")
    return False


def head_removed(folder: Path) -> bool:
    segment(folder).with_suffix(".head").unlink()
    return False


FAULTS = [
    *(removed, renamed, swapped_for_an_empty_one, swapped_for_a_link),
    *(segment_unlinked, segment_truncated, segment_replaced, segment_replaced_by_a_link, segment_appended_to),
    head_removed,
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_what_happens_to_the_files_is_noticed_by_the_next_decision(
    engine: Supervisor, tmp_path: Path, fault: Callable[[Path], bool]
) -> None:
    folder = tmp_path / "records"
    assert all(each.record for each in decide(engine, 3))
    is_lost = fault(folder)
    (next_one,) = decide(engine)
    assert (next_one.verdict.label, next_one.record) == ("block", None)
    assert next_one.record_error is not None
    if not folder.exists():
        assert {each.record for each in decide(engine, 5)} == {None}, "nobody makes the folder behind its owner's back"
        folder.mkdir()
    after = decide(engine, 3)
    assert {each.verdict.label for each in after} == {"ok"}
    engine.close()
    unread: list[Any] = []
    assert {each.record for each in after} <= {record.address for record in read_records(folder, unread.append)}
    problems = codes(verify(folder))
    assert problems
    if is_lost:
        assert problems & {"segment_missing", "records_missing", "unreadable", "torn_line"}


@pytest.mark.parametrize(("on_failure", "verdict"), [("block", "block"), ("flag", "flag"), ("ok", "ok")])
def test_two_hundred_decisions_after_the_folder_is_gone(tmp_path: Path, on_failure: str, verdict: str) -> None:
    engine = engine_in(tmp_path, on_failure)
    decide(engine)
    shutil.rmtree(tmp_path / "records")
    told = decide(engine, 200)
    engine.close()
    assert {(each.verdict.label, each.record) for each in told} == {(verdict, None)}
    assert all("cannot be written" in str(each.record_error) for each in told)


def test_the_gap_is_named_when_the_folder_comes_back(engine: Supervisor, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    decide(engine, 5)
    name = segment(folder).stem
    removed(folder)
    decide(engine)
    folder.mkdir()
    decide(engine)
    (problem,) = [each for each in verify(folder).problems if each.code == "segment_missing"]
    assert problem.message == f"segment {name}, with at least 6 records, is gone"


def test_a_folder_that_was_away_for_a_while_is_whole_again(engine: Supervisor, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    before = decide(engine, 3)
    renamed(folder)
    assert decide(engine)[0].record is None
    folder.with_name("renamed").rename(folder)
    after = decide(engine, 3)
    engine.close()
    assert {each.record for each in before + after} <= there(folder)
    assert verify(folder).problems == []


@pytest.mark.parametrize("call", ["writev", "pwrite"])
def test_the_folder_goes_between_the_write_and_the_look(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """Nothing is acknowledged that was written to a file which had lost its name by then."""
    write(journal, 2)
    known = getattr(os, call)

    def write_and_lose(*args: Any) -> Any:
        done = known(*args)
        if (tmp_path / "records").exists():
            shutil.rmtree(tmp_path / "records")
        return done

    monkeypatch.setattr(os, call, write_and_lose)
    with pytest.raises(RecordFailed, match="not to be found any more"):
        write(journal, 1)


@pytest.mark.parametrize("number", [errno.EIO, errno.EDQUOT, errno.ENOSPC, errno.EROFS, errno.EFBIG, errno.EPERM])
@pytest.mark.parametrize("call", ["writev", "pwrite", "ftruncate", "lstat", "open", "fdatasync"])
def test_what_the_system_refuses_is_a_record_that_failed(
    tmp_path: Path, signer: Signer, monkeypatch: pytest.MonkeyPatch, call: str, number: int
) -> None:
    journal = Journal(tmp_path / "records", signer, sync=True)
    before = write(journal, 2)
    with monkeypatch.context() as patched:

        def refused(*_: Any, **__: Any) -> Any:
            raise OSError(number, os.strerror(number))

        if call == "ftruncate":
            patched.setattr(os, "writev", lambda file, parts: os.write(file, b"".join(parts)[:500]))
        if call == "open":
            journal._abandon()
        patched.setattr(os, call, refused)
        with pytest.raises(RecordFailed) as failed:
            write(journal, 1)
        assert failed.value.code == "record_failed"
    after = write(journal, 2)
    journal.close()
    unread: list[Any] = []
    read = {record.address for record in read_records(tmp_path / "records", unread.append)}
    assert set(before + after) <= read
    assert codes(verify(tmp_path / "records")) == ({"torn_line"} if call == "ftruncate" else set())


@pytest.mark.parametrize("at", range(36))
def test_a_disk_that_takes_only_so_much_of_a_new_segment(
    tmp_path: Path, signer: Signer, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    """The n-th call that writes fails: nothing is acknowledged, and the next writer goes on."""
    folder, calls = tmp_path / "records", itertools.count()
    write(Journal(folder, signer), 1)

    def failing(known: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            if next(calls) == at:
                raise OSError(errno.ENOSPC, "No space left on device")
            return known(*args, **options)

        return call

    with monkeypatch.context() as patched:
        for name in ("open", "writev", "pwrite", "write", "replace", "lstat", "mkdir"):
            patched.setattr(os, name, failing(getattr(os, name)))
        journal, acknowledged = Journal(folder, signer), []
        for number in range(8):
            with contextlib.suppress(RecordFailed):
                acknowledged += write(journal, 1, number)
        journal.close()
    assert len(acknowledged) >= 7
    assert set(acknowledged) <= there(folder)
    assert codes(verify(folder)) <= {"segment_missing"}


def test_a_key_that_is_replaced_counts_from_the_next_start_on(tmp_path: Path) -> None:
    engine = engine_in(tmp_path)
    decide(engine)
    (tmp_path / "key.pem").unlink()
    decide(engine)
    engine.close()
    engine = engine_in(tmp_path)
    (told,) = decide(engine)
    engine.close()
    assert told.record in there(tmp_path / "records")
    report = verify(tmp_path / "records")
    assert (report.problems, [each.code for each in report.notes]) == ([], ["key_changed"])
    assert len(report.keys) == 2


@pytest.mark.parametrize(
    "key", ["a folder", "a pipe", "nothing", "garbage", "encrypted", "another kind", "larger than any", "a public key"]
)
def test_a_key_that_is_none_is_a_record_that_failed(tmp_path: Path, key: str) -> None:
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519

    path = tmp_path / "key.pem"
    plain = (form.Encoding.PEM, form.PrivateFormat.PKCS8)
    secret, none = form.BestAvailableEncryption(b"secret"), form.NoEncryption()
    contents: dict[str, Callable[[], bytes]] = {
        "nothing": lambda: b"",
        "garbage": lambda: b"\xff" * 100,
        "encrypted": lambda: ed25519.Ed25519PrivateKey.generate().private_bytes(*plain, secret),
        "another kind": lambda: ec.generate_private_key(ec.SECP256R1()).private_bytes(*plain, none),
        "larger than any": lambda: b"x" * 10_000_000,
        "a public key": lambda: open_signer(tmp_path / "other.pem").public_pem,
    }
    if key in contents:
        path.write_bytes(contents[key]())
    elif key == "a folder":
        path.mkdir()
    else:
        os.mkfifo(path)
    engine = engine_in(tmp_path)
    (told,) = decide(engine)
    engine.close()
    assert (told.verdict.label, told.record) == ("block", None)
    assert str(path) in str(told.record_error)


def test_a_clock_that_is_set_back_loses_nothing(
    tmp_path: Path, signer: Signer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from supervisor.records import journal as journal_module

    class Clock(journal_module.datetime):
        years: list[int]

        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return cls(cls.years.pop(), 1, 1, tzinfo=tz)

    Clock.years = [1990, 2010, 2030]
    monkeypatch.setattr(journal_module, "datetime", Clock)
    written = []
    for _ in range(3):
        journal = Journal(tmp_path / "records", signer)
        written += write(journal, 2)
        journal.close()
    assert set(written) <= there(tmp_path / "records")
    assert verify(tmp_path / "records").problems == []
    segment(tmp_path / "records").unlink()
    assert "segment_missing" in codes(verify(tmp_path / "records"))


MOUNTED = """
import json, os, subprocess, sys
from pathlib import Path
from tests.records.test_faults import decide, engine_in
home, what = Path(sys.argv[1]), sys.argv[2]
def mount(*words):
    subprocess.run(["mount", *words], check=True)
folder = home / "records"
folder.mkdir()
if what == "full":
    mount("-t", "tmpfs", "-o", "size=128k", "records", str(folder))
engine = engine_in(home)
told = [decide(engine)[0].record]
if what == "over":
    mount("-t", "tmpfs", "records", str(folder))
if what == "read-only":
    mount("--bind", str(folder), str(folder))
    mount("-o", "remount,bind,ro", str(folder))
for number in range(200):
    told.append(decide(engine)[0].record)
from supervisor.records.read import read_records
there = {record.address for record in read_records(folder, lambda _: None)}
if what == "over":
    subprocess.run(["umount", "--lazy", str(folder)], check=True)
    told += [each.record for each in decide(engine, 3)]
    there |= {record.address for record in read_records(folder, lambda _: None)}
print(json.dumps([{None: "failed"}.get(each, each in there) for each in told]))
engine.close()
os._exit(0)
"""


@pytest.mark.thorough
@pytest.mark.parametrize("what", ["over", "read-only", "full"])
def test_mounts_under_a_running_engine(tmp_path: Path, what: str) -> None:
    """In a mount namespace of its own, where this user may have one."""
    allowed = subprocess.run(["unshare", "-m", "mount", "--version"], capture_output=True, check=False)
    if allowed.returncode:
        pytest.skip(f"no mount namespace can be had here: {allowed.stderr.decode().strip()}")
    command = ["unshare", "-m", sys.executable, "-c", MOUNTED, str(tmp_path), what]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr
    first, *told = json.loads(ran.stdout)
    assert first is True, "what was acknowledged is there"
    assert False not in told, "nothing is acknowledged that is not"
    if what == "over":
        assert told == ["failed", *[True] * 199, "failed", True, True], "it goes on in a new segment, there and back"
    if what == "full":
        assert told[-1] == "failed"
