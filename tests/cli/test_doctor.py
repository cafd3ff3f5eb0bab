"""`supervisor doctor`: what is missing is found, and the exit code says whether anything guards."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import subprocess
import sys

import pytest

from supervisor.cli.votes import lost_recently
from supervisor.engine.session import Session
from supervisor.records.envelope import open_signer
from supervisor.records.journal import Journal
from tests.cli.log.conftest import deployment
from tests.doors.loopback import send, serving
from tests.records.journals import write


@pytest.fixture
def doctor(run):
    def looking(*options) -> tuple[int, dict[str, dict[str, str]]]:
        ran = run("doctor", "--json", *options)
        assert ran.err == ""
        return ran.code, {each["what"]: each for each in json.loads(ran.out)}

    return looking


def test_a_whole_installation_guards(doctor):
    code, found = doctor()
    assert code == 0
    assert {each["level"] for each in found.values()} <= {"ok", "note"}
    assert found["guard"]["told"].startswith("`rm -rf /` was stopped in ")
    assert "signed with key" in found["records"]["told"]


def test_a_policy_that_lets_everything_pass_is_found(doctor, tiny):
    code, found = doctor("--policy", tiny.policy)
    assert (code, found["guard"]["level"]) == (1, "wrong")
    assert "let `rm -rf /` pass" in found["guard"]["told"]


def test_authority_that_disarms_is_found(doctor, tiny):
    tiny.set_policy(taxonomy={}, authority={"default": "flag"})
    code, found = doctor("--policy", tiny.policy)
    assert (code, found["guard"]["level"]) == (1, "wrong")


@pytest.mark.parametrize("records", ["/proc/nonesuch/records", "file", "file/records"])
def test_records_that_cannot_be_written_are_found(doctor, tiny, tmp_path, records):
    (tmp_path / "file").write_text("in the way")
    tiny.set_policy(taxonomy={}, records={"path": str(tmp_path / records), "key": str(tmp_path / "key.pem")})
    code, found = doctor("--policy", tiny.policy)
    assert (code, found["records"]["level"]) == (1, "wrong")
    assert found["records"]["told"].startswith(str(tmp_path / records))
    assert found["guard"]["level"] == "ok"


def test_a_key_that_is_none_is_found(doctor, tiny, tmp_path):
    (tmp_path / "key.pem").write_text("no key")
    tiny.set_policy(taxonomy={}, records={"path": str(tmp_path / "records"), "key": str(tmp_path / "key.pem")})
    code, found = doctor("--policy", tiny.policy)
    assert (code, found["records"]["level"]) == (1, "wrong")
    assert "not a private key in PEM" in found["records"]["told"]


def test_a_record_is_really_written_and_read_back(doctor, tiny, tmp_path, monkeypatch):
    tiny.set_policy(taxonomy={}, records={"path": str(tmp_path / "records"), "key": str(tmp_path / "key.pem")})
    assert "a record was written there, read back and verified" in doctor("--policy", tiny.policy)[1]["records"]["told"]
    known = os.writev
    monkeypatch.setattr(os, "writev", lambda file, parts: known(file, [b"x" * len(part) for part in parts]))
    code, found = doctor("--policy", tiny.policy)
    assert (code, found["records"]["level"]) == (1, "wrong")
    assert "just written" in found["records"]["told"]


@pytest.mark.parametrize(
    ("number", "cure"), [(errno.ENOSPC, "make room"), (errno.EDQUOT, "quota"), (errno.EFBIG, "ulimit -f")]
)
def test_the_cure_of_a_fault_is_named(doctor, tiny, tmp_path, monkeypatch, number, cure):
    def refused(*_):
        raise OSError(number, os.strerror(number))

    tiny.set_policy(taxonomy={}, records={"path": str(tmp_path / "records"), "key": str(tmp_path / "key.pem")})
    monkeypatch.setattr(os, "writev", refused)
    code, found = doctor("--policy", tiny.policy)
    assert (code, found["records"]["level"]) == (1, "wrong")
    assert os.strerror(number) in found["records"]["told"]
    assert cure in found["records"]["told"]
    assert not list((tmp_path / "records").glob("*"))


def test_another_key_than_before_is_said(doctor, tiny, tmp_path):
    tiny.set_policy(taxonomy={}, records={"path": str(tmp_path / "records"), "key": str(tmp_path / "key.pem")})
    journal = Journal(tmp_path / "records", open_signer(tmp_path / "other.pem"))
    write(journal, 1)
    journal.close()
    _, found = doctor("--policy", tiny.policy)
    assert found["signing key"]["level"] == "note"
    assert open_signer(tmp_path / "other.pem").key_id in found["signing key"]["told"]


def test_looking_leaves_no_record_behind(doctor, tiny, tmp_path):
    tiny.set_policy(taxonomy={}, records={"path": str(tmp_path / "records"), "key": str(tmp_path / "key.pem")})
    assert doctor("--policy", tiny.policy)[0] == 0
    assert not (tmp_path / "records").exists()
    (tmp_path / "records").mkdir()
    assert doctor("--policy", tiny.policy)[0] == 0
    assert list((tmp_path / "records").iterdir()) == []


@pytest.mark.parametrize("broken", ["policy", "taxonomy"])
def test_what_stops_the_start_is_found(doctor, tiny, broken):
    if broken == "policy":
        tiny.policy.write_text("patients: 2")
    else:
        tiny.entry("files/touches_flag").unlink()
    code, found = doctor("--policy", tiny.policy)
    assert code == 1
    assert found["policy" if broken == "policy" else "catalogue"]["level"] == "wrong"


def test_supervisord_under_the_same_name_is_found(tmp_path):
    """Its distribution is called `supervisor`, and so is its package."""
    info = tmp_path / "supervisor-4.2.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: supervisor\nVersion: 4.2.5\n")
    command = [sys.executable, "-m", "supervisor", "doctor", "--json"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    found = {each["what"]: each for each in json.loads(ran.stdout)}
    assert (ran.returncode, found["import name"]["level"]) == (1, "wrong")
    assert "supervisord 4.2.5 is installed too" in found["import name"]["told"]
    assert "pip uninstall supervisor" in found["import name"]["told"]


def test_people_are_told_the_same(run, tiny):
    ran = run("doctor", "--policy", tiny.policy)
    assert ran.code == 1
    assert "✗ guard: let `rm -rf /` pass" in ran.out
    assert "· model door: none configured" in ran.out


@pytest.mark.parametrize("ask", [{"families": ["git"]}, {"specialists": ["recursive_delete_outside_workspace"]}])
def test_a_policy_that_asks_people_is_none_that_disarms(doctor, tiny, tmp_path, ask):
    records = {"path": str(tmp_path / "records"), "key": str(tmp_path / "key.pem")}
    tiny.set_policy(taxonomy={}, records=records, approval={"ask": [{"verdicts": ["nudge", "block"]} | ask]})
    code, found = doctor("--policy", tiny.policy)
    assert (code, found["guard"]["level"]) == (0, "ok"), found["guard"]["told"]
    assert not (tmp_path / "records").exists()


def test_a_database_is_really_asked(doctor, tiny, tmp_path):
    file = tmp_path / "shop.db"
    tiny.set_policy(isolation="none", doors={"database": {"url": f"sqlite:///{file}", "timeout_ms": 5000}})
    code, found = doctor("--policy", tiny.policy)
    assert (code, found["database door"]["level"]) == (1, "wrong")
    assert "[database_" in found["database door"]["told"]
    assert not file.exists()
    sqlite3.connect(file).execute("CREATE TABLE orders (id)").connection.close()
    found = doctor("--policy", tiny.policy)[1]["database door"]
    assert (found["level"], found["told"]) == ("ok", "it answers a query")


@pytest.mark.parametrize(("said", "level"), [("yes", "ok"), ("I would say so", "wrong")])
def test_a_model_is_really_asked(doctor, tiny, said, level):
    def respond(handler):
        handler.rfile.read(int(handler.headers["Content-Length"]))
        send(handler, json.dumps({"choices": [{"message": {"content": said}}]}).encode())

    with serving(respond) as port:
        door = {"url": f"http://127.0.0.1:{port}/v1", "name": "m", "timeout_ms": 5000}
        tiny.set_policy(isolation="none", doors={"model": door})
        found = doctor("--policy", tiny.policy)[1]["model door"]
    assert found["level"] == level, found["told"]


def test_a_model_that_is_not_there_is_found(doctor, tiny):
    tiny.set_policy(isolation="none", doors={"model": {"url": "http://127.0.0.1:9/v1", "name": "m"}})
    code, found = doctor("--policy", tiny.policy)
    assert (code, found["model door"]["level"]) == (1, "wrong")
    assert "cannot be reached" in found["model door"]["told"]


def test_votes_lost_in_the_last_day_are_counted(tmp_path):
    with deployment(tmp_path) as deployed:
        session = Session("refunds")
        for number in range(3):
            deployed.decide(session, "issue_refund", order_id=f"A{number}", amount=20)
        deployed.decide(session, "bash", command="ls")
        policy = deployed.engine.policy
    assert list(lost_recently(policy)) == [
        (
            "note",
            "3 of 3 refund decisions of the last day without knows_refunds, knows_orders: no such table: refunds; "
            "name yours in the policy's facts",
        )
    ]


def test_votes_that_all_came_are_well(tmp_path):
    with deployment(tmp_path) as deployed:
        policy = deployed.engine.policy
        assert list(lost_recently(policy)) == []
        deployed.decide(Session(), "bash", command="ls")
    assert list(lost_recently(policy)) == [("ok", "none was lost in 1 decision of the last day")]


def test_doctor_tells_of_lost_votes(doctor, tiny, tmp_path):
    with deployment(tmp_path) as deployed:
        deployed.decide(Session(), "issue_refund", order_id="A1", amount=20)
    tiny.set_policy(records={"path": str(deployed.folder), "key": str(tmp_path / "key.pem")})
    _, found = doctor("--policy", tiny.policy)
    assert found["votes"]["level"] == "note"
    assert "1 of 1 refund decisions of the last day without knows_refunds" in found["votes"]["told"]
