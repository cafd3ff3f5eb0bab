"""Exemptions in engines: in force at once, in every engine, replayed alike, and proven by the journal."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import orjson
import pytest

from supervisor.action import Context
from supervisor.catalog.catalog import Catalog
from supervisor.decision.decision import Decision
from supervisor.engine.replay import _differences
from supervisor.engine.supervisor import Supervisor
from supervisor.errors import BadPolicy
from supervisor.history import address_of
from supervisor.policy import Policy, Records, policy_from
from supervisor.records.envelope import open_signer
from supervisor.records.exempted import FOLDER
from supervisor.records.exemptions import Exemptions
from supervisor.records.read import read_records
from supervisor.records.statement import members_of, statement
from supervisor.records.verify import verify
from tests.engine.approvals.asking import CATALOG
from tests.patience import PATIENT
from tests.records.exempting import draft, stores
from tests.records.journals import codes

Opened = Callable[..., Supervisor]
SECRET = "ghp_" + "a1B2c3D4e5F6" * 3


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """Engines over one folder of records, as several processes would have them."""
    engines: list[Supervisor] = []

    def opening(catalog: Catalog = CATALOG, **changed: Any) -> Supervisor:
        records = Records(str(tmp_path / "records"), str(tmp_path / "key.pem"))
        usual = {"isolation": "none", "budgets": PATIENT, "records": records}
        engines.append(Supervisor(Policy(**{**usual, **changed}), catalog=catalog))
        return engines[-1]

    yield opening
    for engine in engines:
        engine.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Exemptions]:
    """What `supervisor allow` writes with, in a process of its own."""
    yield from stores(tmp_path)


def decide(engine: Supervisor, command: str = "wipe", cwd: str = "/w", **known: Any) -> Decision:
    action = engine.action("bash", {"command": command})
    return engine.decide_from_thread(action, Context(**{"agent": "bot", "facts": {"cwd": cwd}, **known}))


def test_it_is_in_force_at_once_and_in_every_engine(opened: Opened, store: Exemptions, tmp_path: Path) -> None:
    first, second = opened(), opened()
    assert [decide(each).verdict.label for each in (first, second)] == ["block", "block"]
    made = store.add(draft(tmp_path))
    for engine in (first, second, opened()):
        decision = decide(engine)
        assert (decision.verdict.label, decision.by, decision.review) == ("flag", ("stops_wipe",), False)
        assert decision.exemptions["stops_wipe"] == made
        assert decide(engine, "wipe; ls").verdict.label == "block"
        assert decide(engine, cwd="/other").verdict.label == "block"
        assert decide(engine, "wipe all").by == ("stops_all", "stops_wipe")
    store.revoke(made.id[:8], "ann")
    assert [decide(each).verdict.label for each in (first, second, opened())] == ["block"] * 3


def test_an_exemption_of_one_silences_no_other(opened: Opened, store: Exemptions, tmp_path: Path) -> None:
    engine = opened()
    store.add(draft(tmp_path, "wipe all"))
    decision = decide(engine, "wipe all")
    assert (decision.verdict.label, decision.by) == ("block", ("stops_all",))
    assert [*decision.exemptions] == ["stops_wipe"]
    store.add(draft(tmp_path, "wipe all", specialists=("stops_all",)))
    assert decide(engine, "wipe all").verdict.label == "flag"


def test_a_secret_in_a_command_fits_by_its_mask(opened: Opened, store: Exemptions, tmp_path: Path) -> None:
    made = store.add(draft(tmp_path, f"wipe --token {SECRET}"))
    assert decide(opened(), f"wipe --token {SECRET}").exemptions["stops_wipe"].id == made.id
    assert decide(opened(), f"wipe --token {SECRET[:-1]}x").verdict.label == "block"


def test_a_replay_needs_neither_store_nor_time(opened: Opened, store: Exemptions, tmp_path: Path) -> None:
    engine = opened()
    made = store.add(draft(tmp_path))
    decide(engine)
    decide(engine, "wipe all")
    store.revoke(made.id, "ann")
    decide(engine)
    shutil.rmtree(tmp_path / "records" / FOLDER)

    async def differences() -> list[Any]:
        found: list[Any] = []
        for record in read_records(tmp_path / "records"):
            if record.kind == "decision":
                policy = policy_from(record.content(record.predicate["policy"]), place="the record")
                found += await _differences(record, policy, engine.catalog, engine._dispatch)
        return found

    assert anyio.run(differences) == []
    assert verify(tmp_path / "records").problems == []


def test_it_is_rebuilt_from_the_journal_and_what_was_revoked_stays_so(
    opened: Opened, store: Exemptions, tmp_path: Path
) -> None:
    engine = opened()
    kept, ended = store.add(draft(tmp_path)), store.add(draft(tmp_path, "wipe 2"))
    store.revoke(ended.id, "ann")
    shutil.rmtree(tmp_path / "records" / FOLDER)
    assert decide(engine).verdict.label == "block"
    standing, ignored = store.everything()
    assert [(each.exemption.id, each.revoked_by) for each in standing] == [(kept.id, ""), (ended.id, "ann")]
    assert ignored == []
    assert decide(engine).verdict.label == "flag"
    assert decide(engine, "wipe 2").verdict.label == "block"


# Files that do not count


def forged(folder: Path, key: Path) -> bytes:
    """The line of an exemption that another key signed."""
    predicate = draft(folder).to_json() | {"time": "2027-01-01T00:00:00+00:00"}
    return open_signer(key).sign(statement("exemption", "0" * 64, members_of(predicate)))


def test_what_this_deployment_did_not_sign_does_not_count(
    opened: Opened, store: Exemptions, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    engine = opened()
    real = store.add(draft(tmp_path, "wipe 2"))
    folder = tmp_path / "records" / FOLDER
    line = (folder / f"{real.id}.exemption").read_bytes()
    foreign = forged(tmp_path, tmp_path / "other.pem")
    (folder / f"{address_of(foreign)}.exemption").write_bytes(foreign)
    edited = line.replace(line[20:24], b"AAAA")
    (folder / f"{address_of(edited)}.exemption").write_bytes(edited)
    (folder / f"{'0' * 64}.exemption").write_bytes(line)  # signed, under another name
    (folder / f"{'1' * 64}.exemption").write_text(orjson.dumps(draft(tmp_path).to_json()).decode())
    (folder / f"{'2' * 64}.exemption").symlink_to(folder / f"{real.id}.exemption")
    os.mkfifo(folder / f"{'3' * 64}.exemption")
    assert decide(engine).verdict.label == "block"
    assert decide(engine, "wipe 2").verdict.label == "flag"
    assert caplog.text.count("an exemption is ignored") == 6
    assert len(store.everything()[1]) == 6
    report = verify(tmp_path / "records")
    assert [problem.code for problem in report.problems] == ["bad_exemption"] * 6


def test_a_folder_that_others_may_write_to_has_no_exemptions(opened: Opened, store: Exemptions, tmp_path: Path) -> None:
    store.add(draft(tmp_path))
    (tmp_path / "records" / FOLDER).chmod(0o777)
    assert decide(opened()).verdict.label == "block"


def test_a_revocation_that_cannot_be_read_counts(opened: Opened, store: Exemptions, tmp_path: Path) -> None:
    made = store.add(draft(tmp_path))
    (tmp_path / "records" / FOLDER / f"{made.id}.revoked").write_bytes(b"?")
    assert decide(opened()).verdict.label == "block"


# What verify proves


def test_a_use_that_no_record_proves_is_reported(opened: Opened, store: Exemptions, tmp_path: Path) -> None:
    engine = opened()
    decide(engine)
    made = store.add(draft(tmp_path))
    changed = {
        "exemption_missing": [replace(made, id="f" * 64)],
        "exemption_differs": [
            replace(made, path="/"),
            replace(made, expires=None),
            replace(made, specialists=("stops_wipe", "stops_all")),
        ],
    }
    for code, uses in changed.items():
        for use in uses:
            engine._lifting.fitting = lambda *_, use=use: {"stops_wipe": use}  # type: ignore[method-assign]
            assert decide(engine).verdict.label == "flag"
            found = verify(tmp_path / "records").problems
            assert found[-1].code == code, use
    assert codes(verify(tmp_path / "records")) == set(changed)


def test_a_use_after_its_end_is_reported(opened: Opened, store: Exemptions, tmp_path: Path) -> None:
    engine, now = opened(), datetime.now(UTC)
    expired = store.add(draft(tmp_path, expires=now - timedelta(minutes=5)))
    assert decide(engine).verdict.label == "block"
    engine._lifting.fitting = lambda *_: {"stops_wipe": expired}  # type: ignore[method-assign]
    decide(engine)
    assert [each.message for each in verify(tmp_path / "records").problems] == [
        "the exemption that let its action run had expired"
    ]


def test_a_revoked_one_that_is_put_back_is_reported(
    opened: Opened, store: Exemptions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, made = opened(), store.add(draft(tmp_path))
    store.revoke(made.id, "ann")
    (tmp_path / "records" / FOLDER / f"{made.id}.revoked").unlink()
    monkeypatch.setattr("supervisor.records.exempted._MARGIN", timedelta(0))
    assert decide(engine).verdict.label == "flag"
    again, used = verify(tmp_path / "records").problems
    assert (again.place, again.code) == (f"{FOLDER}/{made.id}.exemption", "revocation_missing")
    assert used.message == "the exemption that let its action run was revoked"


def test_a_revocation_that_was_removed_is_put_back(
    opened: Opened, store: Exemptions, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kept, ended = store.add(draft(tmp_path, "wipe 2")), store.add(draft(tmp_path))
    store.revoke(ended.id, "ann")
    revocation = tmp_path / "records" / FOLDER / f"{ended.id}.revoked"
    was = revocation.read_bytes()
    puts_back: list[Callable[[], Any]] = [opened().start, store.everything]
    for put_back in puts_back:
        revocation.unlink()
        assert codes(verify(tmp_path / "records")) == {"revocation_missing"}
        put_back()
        assert revocation.read_bytes() == was
        assert verify(tmp_path / "records").problems == []
    assert caplog.text.count("is put back") == 2
    engine = opened()
    assert decide(engine).verdict.label == "block"
    assert decide(engine, "wipe 2").verdict.label == "flag"  # `kept` was never revoked
    assert [each.exemption.id for each in store.everything()[0] if each.revoked is None] == [kept.id]


def test_an_engine_starts_although_a_revocation_cannot_be_put_back(
    opened: Opened, store: Exemptions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made = store.add(draft(tmp_path))
    store.revoke(made.id, "ann")
    (tmp_path / "records" / FOLDER / f"{made.id}.revoked").unlink()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("supervisor.records.exemptions.replace_file", full)
    opened().start()
    assert "its revocation cannot be put back" in caplog.text


def test_the_journal_is_not_read_for_exemptions_that_are_all_revoked(
    opened: Opened, store: Exemptions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.revoke(store.add(draft(tmp_path)).id, "ann")
    monkeypatch.setattr(Exemptions, "_in_journal", lambda _: pytest.fail("the journal was read"))
    opened().start()


# Of the policy


def declared(**changed: Any) -> dict[str, Any]:
    known = {"specialists": ["stops_wipe"], "reason": "ours", "command": "wipe", "project": "/w"}
    return {"exemptions": policy_from({"exemptions": {"allow": [known | changed]}}, place="p").exemptions}


def test_a_policy_exempts_and_says_so(opened: Opened, tmp_path: Path) -> None:
    decision = decide(opened(**declared()))
    assert (decision.verdict.label, decision.exemptions["stops_wipe"].origin) == ("flag", "policy")
    assert decide(opened(**declared(expires="2020-01-01"))).verdict.label == "block"
    assert decide(opened(**declared(project="/x"))).verdict.label == "block"
    assert decide(opened(**declared(agent="another"))).verdict.label == "block"
    assert verify(tmp_path / "records").problems == []


def test_without_records_those_of_the_policy_hold(opened: Opened) -> None:
    assert decide(opened(**declared(), records=Records(path=None))).verdict.label == "flag"


def test_what_nobody_may_exempt_is_not_exempted(opened: Opened, store: Exemptions, tmp_path: Path) -> None:
    store.add(draft(tmp_path))
    for policy in ({"exemptions": {"never": ["stops_wipe"]}}, {"approval": {"never": ["stops_wipe"]}}):
        sections = policy_from(policy, place="p")
        engine = opened(exemptions=sections.exemptions, approval=sections.approval)
        assert decide(engine).verdict.label == "block"
    with pytest.raises(BadPolicy, match=r"nobody may exempt an action from stops_wipe: .*approval\.never"):
        opened(**declared(), approval=sections.approval)


# Its cost


def test_nothing_is_looked_up_where_nothing_is_stopped(
    opened: Opened, store: Exemptions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = opened()
    store.add(draft(tmp_path))
    decide(engine)
    looks: list[int] = []
    monkeypatch.setattr(Exemptions, "in_force", lambda _: looks.append(1) or ())
    for command in ("ls", "odd"):
        assert decide(engine, command).allowed
    assert looks == []
    assert not decide(engine).allowed
    assert looks == [1]


def test_the_folder_is_read_only_after_a_change(
    store: Exemptions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.add(draft(tmp_path))
    monkeypatch.setattr("supervisor.records.exemptions._FRESH", -1.0)
    reads: list[int] = []
    real = store._read
    monkeypatch.setattr(store, "_read", lambda: reads.append(1) or real())
    assert len(store.in_force()) == len(store.in_force()) == 1
    assert reads == [1]
