"""The index is what the journals say: however often, from wherever and in whatever order they are read."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import func, select

from supervisor.errors import BadInput
from supervisor.feedback import ingest
from supervisor.feedback.schema import (
    decisions,
    findings,
    holds,
    labels,
    metadata,
    outcomes,
    refusals,
    segments,
    sessions,
)
from supervisor.feedback.store import NoIndex, Store, usual_place
from tests.feedback.journals import Machine, lost


def dump(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Everything in an index but how far it has read."""
    left_out = (segments, holds)
    with store.reading() as connection:
        tables = (table for table in metadata.sorted_tables if table not in left_out)
        return {table.name: sorted(map(tuple, connection.execute(select(table))), key=repr) for table in tables}


def column(store: Store, found: Any) -> list[Any]:
    with store.reading() as connection:
        return list(connection.scalars(select(found)))


@pytest.mark.filterwarnings("ignore:.*expression-based index")  # SQLite does not tell of it
def test_the_migrations_make_the_tables(store: Store) -> None:
    with store.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_record_becomes_rows(store: Store, machine: Machine) -> None:
    record = machine.decide("rm -rf build", losses=[lost(), lost("other", "domain")])
    taken = ingest.update(store, [machine.records])
    assert (taken.records, taken.unread) == (2, [])  # the header of the segment counts
    with store.reading() as connection:
        row = connection.execute(select(decisions)).one()
        assert connection.execute(select(findings.c.specialist, findings.c.is_stopping)).one() == ("touches_block", 1)
        assert connection.execute(select(refusals.c.specialist)).one() == ("asks_database",)
    assert (row.record, row.stage, row.week, row.session, row.agent) == (record, "before", "2026-W45", "s1", "builder")
    assert (row.project, row.kind, row.tool, row.verdict) == ("/srv/app", "shell", "bash", "block")
    assert (row.confidence, row.summary, row.elapsed_ms) == (0.9, "bash rm -rf build", 2.0)
    assert (row.is_waiting, row.heeded, row.label, row.time) == (1, "unknown", "", "2026-11-02T12:00:00.000000+00:00")


def test_an_outcome_its_undoing_and_an_answer_are_outcomes(store: Store, machine: Machine) -> None:
    record = machine.decide()
    outcome = machine.decide(minute=1, kind="outcome")
    told = {"id": "i", "time": "2026-11-02T12:02:00+00:00", "session": "s1", "outcome": outcome, "reverted": True}
    machine.journal.append("revert", {**told, "error": None}, "0" * 64)
    machine.deny(record)
    ingest.update(store, [machine.records])
    with store.reading() as connection:
        rows = connection.execute(select(outcomes.c.kind, outcomes.c.result, outcomes.c.about)).all()
    assert sorted(rows, key=repr) == [
        ("approval", "denied", record),
        ("outcome", "block", None),
        ("revert", "undone", outcome),
    ]
    assert sorted(column(store, decisions.c.stage)) == ["after", "before"]


def test_sessions_with_long_names_stay_apart(store: Store, machine: Machine) -> None:
    """PostgreSQL indexes no text of more than 2,704 bytes, and an agent may choose a longer name."""
    first, second = ("\U0001f600" * 1_000 + end for end in "ab")
    for minute, session in enumerate((first, first, second)):
        machine.decide("touch x", minute=minute, session=session)
    ingest.update(store, [machine.records])
    assert sorted(column(store, sessions.c.decisions)) == [1, 2]
    assert max(map(len, column(store, sessions.c.session))) < 200


def test_an_update_reads_on_from_its_mark(store: Store, machine: Machine) -> None:
    machine.decide()
    ingest.update(store, [machine.records])
    assert ingest.update(store, [machine.records]).records == 0
    record = machine.decide("touch other", minute=1)
    machine.label(record)
    assert ingest.update(store, [machine.records]).records == 2
    assert sorted(column(store, decisions.c.label)) == ["", "wrong"]


def test_dropped_and_rebuilt_it_answers_the_same(store: Store, machine: Machine) -> None:
    for number in range(7):
        machine.label(machine.decide(f"touch {number}", minute=number))
        ingest.update(store, [machine.records], batch=2)
    before = dump(store)
    ingest.rebuild(store, [machine.records])
    assert dump(store) == before
    assert len(before["decisions"]) == 7


def test_a_rebuild_does_not_lose_another_machines_records(store: Store, tmp_path: Path) -> None:
    one, other = Machine(tmp_path / "one"), Machine(tmp_path / "other")
    one.decide()
    other.decide("touch other")
    ingest.update(store, [one.records, other.records])
    with pytest.raises(BadInput) as failed:
        ingest.rebuild(store, [one.records])
    assert failed.value.code == "other_journals"
    assert len(column(store, decisions.c.record)) == 2
    ingest.rebuild(store, [one.records], drop_others=True)
    assert len(column(store, decisions.c.record)) == 1


def test_a_changed_line_ends_its_segment(store: Store, machine: Machine) -> None:
    for number in range(5):
        machine.decide(f"touch {number}", minute=number)
    machine.journal.close()
    (path,) = machine.records.glob("*.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    place = [number for number, line in enumerate(lines) if line.startswith(b'{"payload"')][3]
    sig = lines[place].index(b'"sig":"') + 10
    lines[place] = (
        lines[place][:sig] + (b"A" if lines[place][sig : sig + 1] != b"A" else b"B") + lines[place][sig + 1 :]
    )
    path.write_bytes(b"".join(lines))
    taken = ingest.update(store, [machine.records])
    assert [(error.place, error.code) for error in taken.unread] == [(f"{path.name}:{place + 1}", "bad_signature")]
    assert len(column(store, decisions.c.record)) == 2
    assert [error.code for error in ingest.update(store, [machine.records]).unread] == ["bad_signature"]


def test_what_was_taken_and_is_changed_later_is_reported(store: Store, machine: Machine) -> None:
    machine.decide("touch 1")
    ingest.update(store, [machine.records])
    (path,) = machine.records.glob("*.jsonl")
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"builder", b"bulider"))
    with path.open("ab") as file:
        file.write(b"{}\n")
    assert [error.code for error in ingest.update(store, [machine.records]).unread] == ["content_changed"]
    path.write_bytes(raw[:-200])
    assert [error.code for error in ingest.update(store, [machine.records]).unread] == ["records_missing"]


def test_a_foreign_segment_is_not_taken(store: Store, tmp_path: Path) -> None:
    """Whoever may write into the folder may put a key and a segment there; the register names neither."""
    own, foreign = Machine(tmp_path / "own"), Machine(tmp_path / "foreign")
    own.decide()
    foreign.decide("touch foreign")
    for folder in (".", "keys"):
        for path in (foreign.records / folder).glob("*.*"):
            (own.records / folder / path.name).write_bytes(path.read_bytes())
    taken = ingest.update(store, [own.records])
    assert [error.code for error in taken.unread] == ["unknown_key"]
    assert column(store, decisions.c.summary) == ["bash touch block"]


def test_without_its_register_a_journal_is_not_taken(store: Store, machine: Machine) -> None:
    machine.decide()
    (machine.records / "register").unlink()
    assert [error.code for error in ingest.update(store, [machine.records]).unread] == ["register_missing"]
    assert column(store, decisions.c.record) == []


def test_a_record_of_another_form_is_reported_and_the_rest_taken(store: Store, machine: Machine) -> None:
    machine.journal.append("decision", {"id": "x"}, "0" * 64)
    machine.journal.append("label", {"label": "nonsense"}, "0" * 64)
    record = machine.decide()
    taken = ingest.update(store, [machine.records])
    assert [error.code for error in taken.unread] == ["bad_record", "bad_record"]
    assert column(store, decisions.c.record) == [record]


def test_the_usual_place_is_its_owners_alone(machine: Machine) -> None:
    machine.decide()
    made = Store(usual_place(machine.records))
    ingest.update(made, [machine.records])
    for path in machine.records.parent.glob("records.index.db*"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    made.close()
    assert machine.records.with_name("records.index.db").is_file()


@pytest.mark.parametrize(
    ("wrong", "code"), [("nonsense", "bad_url"), ("oracle:///x", "missing_extra"), ("sqlite:////nowhere/x", "no_index")]
)
def test_an_index_that_cannot_be_opened_says_why(wrong: str, code: str) -> None:
    with pytest.raises(NoIndex) as failed:
        Store(wrong)
    assert failed.value.code == code


def test_without_alembic_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "alembic", None)
    with pytest.raises(NoIndex, match=r"supervisor-guard\[feedback\]") as failed:
        Store(f"sqlite:///{tmp_path / 'x.db'}")
    assert failed.value.code == "missing_extra"


def test_two_ingesters_of_the_same_and_of_other_journals(url: str, tmp_path: Path) -> None:
    machines = [Machine(tmp_path / str(number)) for number in range(3)]
    for minute in range(20):
        for number, each in enumerate(machines):
            each.label(each.decide(f"touch x{minute}", minute=minute + number / 10, session=f"s{number % 2}"))
    folders = [each.records for each in machines]
    stores = [Store(url) for _ in range(3)]
    orders = [folders, folders[::-1], folders]
    threads = [
        threading.Thread(target=ingest.update, args=(store, order), kwargs={"batch": 7})
        for store, order in zip(stores, orders, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ingest.update(stores[0], folders)
    together = dump(stores[0])
    assert len(together["decisions"]) == len(together["labels"]) == 60
    ingest.rebuild(stores[0], folders)
    assert dump(stores[0]) == together
    for store in stores:
        store.close()


_KILLED = """
import sys
from pathlib import Path
from supervisor.feedback import ingest
from supervisor.feedback.store import Store
def tell(taken):
    print(taken.records, flush=True)
ingest.update(Store(sys.argv[1]), [Path(sys.argv[2])], tell, batch=3)
"""


def test_killed_while_it_reads_it_goes_on(sqlite_store: Store, machine: Machine, tmp_path: Path) -> None:
    for number in range(40):
        machine.label(machine.decide(f"touch x{number}", minute=number))
    ingest.update(sqlite_store, [machine.records])
    whole, url = dump(sqlite_store), f"sqlite:///{tmp_path / 'killed.db'}"
    for batches in (1, 4, 2):
        killed = subprocess.Popen(
            [sys.executable, "-c", _KILLED, url, str(machine.records)], stdout=subprocess.PIPE, text=True
        )
        assert killed.stdout
        for _ in range(batches):
            killed.stdout.readline()
        time.sleep(0.002 * batches)
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait()
        killed.stdout.close()
    again = Store(url)
    ingest.update(again, [machine.records])
    assert dump(again) == whole
    again.close()


def test_a_rebuild_that_was_cut_off_goes_on(sqlite_store: Store, machine: Machine) -> None:
    for number in range(6):
        machine.decide(f"touch x{number}", minute=number)

    class Cut(Exception):
        pass

    def cut(_: ingest.Taken) -> None:
        raise Cut

    ingest.update(sqlite_store, [machine.records])
    with pytest.raises(Cut):
        ingest.rebuild(sqlite_store, [machine.records], cut)
    with sqlite_store.reading() as connection:
        assert ingest.is_rebuilding(connection)
        read = connection.scalar(select(func.sum(segments.c.records)))
    assert ingest.rebuild(sqlite_store, [machine.records]).records == 7 - read
    with sqlite_store.reading() as connection:
        assert not ingest.is_rebuilding(connection)


def test_nothing_unmasked_enters(
    run: Any, tiny: Any, tmp_path: Path, sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    tiny.set_policy(records={"path": str(tmp_path / "records"), "key": str(tmp_path / "key.pem")}, isolation="none")
    command = f"touch block; curl -H 'Authorization: Bearer {secret}' https://x.example"
    action = f'{{"tool": "bash", "args": {{"command": "{command}"}}, "context": {{"task": "use {secret}"}}}}'
    assert run("check", "--policy", tiny.policy, stdin=action).code == 1
    monkeypatch.setattr("supervisor.cli.terminal.confirm", lambda *_: None)
    ingest.update(sqlite_store, [tmp_path / "records"])
    (record,) = column(sqlite_store, decisions.c.record)
    given = ("label", record, "wrong", "--note", f"it is {secret}", "--policy", tiny.policy, "--by", "ann")
    assert run(*given).code == 0
    ingest.update(sqlite_store, [tmp_path / "records"])
    assert "SECRET_github_token" in column(sqlite_store, labels.c.note)[0]
    sqlite_store.close()
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("index.db*"))
    assert b"SECRET_github_token" in stored
    assert secret.encode() not in stored
