"""Records go to other programs as they were recorded: as JSON lines, Parquet or syslog messages."""

from __future__ import annotations

import json
import re
import socket
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.history import address_of
from supervisor.records.envelope import Signer
from supervisor.records.journal import Journal
from supervisor.records.rows import COLUMNS, Span
from supervisor.records.syslog import MOST_BYTES, message
from tests.conftest import Ran

MESSAGE = re.compile(
    rb"<(?P<priority>\d{1,3})>1 (?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z|-) (?P<host>[!-~]{1,255}) supervisor - "
    rb"(?P<kind>[!-~]{1,32}) - (?P<text>[ -~]*)"  # RFC 5424, section 6
)
SCENE = {"task": "Free some space", "agent": "builder", "facts": {}}


def told(number: int, verdict: str = "ok", **more: Any) -> dict[str, Any]:
    return {
        "id": f"d{number}",
        "time": f"2026-10-{number:02}T12:00:00+00:00",
        "session": "s",
        "action": {"tool": "bash", "args": {"command": f"echo {number} ü"}, "kind": "shell", "fields": {}},
        "scene": address_of(orjson.dumps(SCENE)),
        "decision": {"verdict": verdict, "by": [] if verdict == "ok" else ["one", "two"], "review": False},
        "elapsed_ms": 0.5,
        **more,
    }


def of_the_action(predicate: dict[str, Any]) -> dict[str, Any]:
    """A predicate without its place in the chain."""
    return {name: value for name, value in predicate.items() if name not in ("sequence", "prefix", "anchor")}


@pytest.fixture
def folder(tmp_path: Path, signer: Signer) -> Path:
    """Two segments: two decisions, and one with a record that says nothing of an action."""
    scene = orjson.dumps(SCENE)
    for records in ([("decision", told(1)), ("decision", told(2, "block"))], [("revert", {"id": "d2", "time": None})]):
        journal = Journal(tmp_path / "records", signer)
        for kind, predicate in records:
            journal.append(kind, predicate, "0" * 64, [(address_of(scene), scene)])
        journal.close()
    return tmp_path / "records"


def test_json_lines_have_every_record_with_its_columns(run: Any, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "new" / "all.jsonl"
    assert run("records", "export", folder, "--to", file).out == f"Exported 3 records to {file}.\n"
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert [list(row) for row in rows] == [list(COLUMNS)] * 3
    assert of_the_action(rows[1]["predicate"]) == told(2, "block")
    about = ("kind", "time", "id", "agent", "task", "tool", "action_kind", "verdict", "by")
    assert [rows[1][name] for name in about] == [
        *("decision", "2026-10-02T12:00:00+00:00", "d2", "builder", "Free some space", "bash", "shell", "block"),
        ["one", "two"],
    ]
    assert (rows[2]["kind"], rows[2]["tool"], rows[2]["by"]) == ("revert", None, [])
    assert run("records", "export", folder).out == file.read_text()  # standard output has the same
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_folder_gets_one_file_a_segment(run: Any, folder: Path, tmp_path: Path) -> None:
    for _ in range(2):  # again: the same files
        assert run("records", "export", folder, "--to", f"{tmp_path}/out/").code == 0
    files = sorted((tmp_path / "out").iterdir())
    assert [file.name for file in files] == [path.name for path in sorted(folder.glob("*.jsonl"))]
    assert [len(file.read_text().splitlines()) for file in files] == [2, 1]


def test_parquet_reads_back(run: Any, folder: Path, tmp_path: Path) -> None:
    from pyarrow import parquet

    file = tmp_path / "all.parquet"
    ended = run("records", "export", folder, "--format", "parquet", "--to", file, "--json")
    assert json.loads(ended.out) == {"version": 1, "records": 3, "to": str(file), "unreadable": []}
    table = parquet.read_table(file)
    assert table.column_names == list(COLUMNS)
    rows = table.to_pylist()
    assert of_the_action(json.loads(rows[1]["predicate"])) == told(2, "block")
    assert [row["verdict"] for row in rows] == ["ok", "block", None]
    assert [row["by"] for row in rows] == [[], ["one", "two"], []]


def test_a_span_of_time_is_exported(run: Any, folder: Path) -> None:
    ids = [
        [json.loads(line)["id"] for line in run("records", "export", folder, *span).out.splitlines()]
        for span in (("--since", "2026-10-02"), ("--until", "2026-10-02T14:00:00+02:00"), ("--since", "2027-01-01"))
    ]
    assert ids == [["d2", "d2"], ["d1", "d2"], ["d2"]]  # the revert has no time, and is never left out


def test_what_cannot_be_read_is_named_and_the_rest_goes_on(run: Any, folder: Path, tmp_path: Path) -> None:
    first = min(folder.glob("*.jsonl"))
    first.write_bytes(first.read_bytes() + b"nonsense\n")
    ended = run("records", "export", folder, "--to", tmp_path / "all.jsonl")
    assert (ended.code, len((tmp_path / "all.jsonl").read_text().splitlines())) == (1, 3)
    assert f"{first.name}:" in ended.err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--to", "ftp://x/y"), "no known destination"),
        (("--to", "s3://"), "names no bucket"),
        (("--to", "udp://127.0.0.1:514"), "add --format syslog"),
        (("--to", "udp://127.0.0.1", "--format", "syslog"), "names no host and port"),
        (("--to", "tcp://127.0.0.1:1", "--format", "syslog"), "cannot be reached"),
        (("--to", "unix:/nowhere/log", "--format", "syslog"), "cannot be reached"),
        (("--since", "yesterday"), "no date such as 2026-10-01"),
        (("--to", "/proc/nowhere/file"), "No such file"),
    ],
)
def test_a_wrong_destination_is_one_line(run: Any, folder: Path, words: tuple[str, ...], why: str) -> None:
    ended = run("records", "export", folder, *words)
    assert (ended.code, why in ended.err, len(ended.err.splitlines())) == (2, True, 1), ended.err


def test_without_pyarrow_the_extra_is_named(run: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "supervisor-guard[export]" in run("records", "export", folder, "--format", "parquet", "--to", "x").err
    assert run("records", "export", folder).code == 0


def test_an_export_that_fails_leaves_no_half_a_file(run: Any, folder: Path, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device", "out")))
    assert run("records", "export", folder, "--to", tmp_path / "out" / "all.jsonl").code == 2
    assert list((tmp_path / "out").iterdir()) == []


@contextmanager
def receiver(kind: str, place: Path) -> Iterator[tuple[str, list[bytes]]]:
    """A real receiver of syslog; its address and what arrives."""
    family = socket.AF_UNIX if kind == "unix" else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM if kind == "tcp" else socket.SOCK_DGRAM)
    arrived: list[bytes] = []
    with listener:
        listener.bind(str(place) if kind == "unix" else ("127.0.0.1", 0))
        listener.settimeout(5)
        if kind == "tcp":
            listener.listen()
        reading = threading.Thread(target=_receive, args=(kind, listener, arrived))
        reading.start()
        yield f"unix:{place}" if kind == "unix" else f"{kind}://127.0.0.1:{listener.getsockname()[1]}", arrived
        reading.join()


def _receive(kind: str, listener: socket.socket, arrived: list[bytes]) -> None:
    if kind != "tcp":
        arrived.extend(listener.recv(65_536) for _ in range(3))
        return
    connection, _ = listener.accept()
    with connection, connection.makefile("rb") as stream:
        while length := b"".join(iter(lambda: stream.read(1), b" ")) if stream.peek(1) else b"":
            arrived.append(stream.read(int(length)))  # RFC 6587, section 3.4.1


@pytest.mark.parametrize("kind", ["udp", "tcp", "unix"])
def test_syslog_messages_arrive(run: Any, folder: Path, tmp_path: Path, kind: str) -> None:
    with receiver(kind, tmp_path / "log") as (address, arrived):
        assert run("records", "export", folder, "--format", "syslog", "--to", address).code == 0
    found = [MESSAGE.fullmatch(each) for each in arrived]
    assert [each and (each["priority"], each["kind"]) for each in found] == [
        (b"110", b"decision"),  # log audit, informational
        (b"107", b"decision"),  # error: it was blocked
        (b"110", b"revert"),
    ]
    assert found[1] is not None
    assert of_the_action(json.loads(found[1]["text"])["predicate"]) == told(2, "block")


def test_a_large_record_is_cut_and_names_the_whole_one() -> None:
    row = dict.fromkeys(COLUMNS) | {"record": "a" * 64, "kind": "decision", "verdict": "block", "time": "?"}
    row |= {"by": ["x" * 300] * 40, "session": "s" * 9000, "predicate": {"text": "x" * 10_000}}
    cut = message(row, "host")
    text = json.loads(cut.partition(b" - decision - ")[2])
    assert (len(cut) <= MOST_BYTES, text["cut"], text["record"]) == (True, True, "a" * 64)
    assert MESSAGE.fullmatch(cut)


@settings(max_examples=30, deadline=None)
@given(st.fixed_dictionaries({name: st.none() | st.text() for name in COLUMNS[:11]}), st.text())
def test_whatever_a_record_says_its_message_is_one(texts: dict[str, str | None], host: str) -> None:
    row = texts | {"by": [], "elapsed_ms": None, "predicate": {}, "kind": texts["kind"] or ""}
    assert MESSAGE.fullmatch(message(row, host))


@settings(max_examples=30, deadline=None)
@given(st.datetimes(), st.datetimes(), st.datetimes())
def test_a_span_has_what_lies_inside(since: datetime, until: datetime, time: datetime) -> None:
    since, until, time = (each.replace(tzinfo=UTC) for each in (since, until, time))
    assert Span(since, until).has(time.isoformat()) == (since <= time < until)


@contextmanager
def store() -> Iterator[str]:
    """An S3-compatible server on the loopback interface; its URL."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        yield f"http://{host}:{port}"
    finally:
        server.stop()


@pytest.mark.thorough
def test_objects_arrive_in_a_store_that_speaks_s3(
    run: Any, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from pyarrow import fs, parquet

    for name, value in (("ACCESS_KEY_ID", "id"), ("SECRET_ACCESS_KEY", "secret"), ("DEFAULT_REGION", "us-east-1")):
        monkeypatch.setenv(f"AWS_{name}", value)
    with store() as url:
        urllib.request.urlopen(urllib.request.Request(f"{url}/audit", method="PUT"), timeout=30).close()
        to = ("--s3-endpoint", url, "--to", "s3://audit/guard/")
        for form in ("jsonl", "parquet"):
            ended: Ran = run("records", "export", folder, "--format", form, *to)
            assert (ended.code, ended.err) == (0, "")
        bucket = fs.S3FileSystem(endpoint_override=url.removeprefix("http://"), scheme="http")
        objects = bucket.get_file_info(fs.FileSelector("audit/guard"))
        names = sorted(Path(each.path).name for each in objects)
        assert names == sorted(f"{path.stem}.{end}" for path in folder.glob("*.jsonl") for end in ("jsonl", "parquet"))
        first = parquet.read_table(f"audit/guard/{names[1]}", filesystem=bucket).to_pylist()
        assert [of_the_action(json.loads(row["predicate"])) for row in first] == [told(1), told(2, "block")]
        started = time.monotonic()
        missing = run("records", "export", folder, "--s3-endpoint", url, "--to", "s3://nobodys/guard/")
        assert (missing.code, "the store does not take it" in missing.err) == (2, True), missing.err
        assert time.monotonic() - started < 60
