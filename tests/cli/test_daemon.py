"""`supervisor status`, `reload` and `stop`, on a real daemon."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from supervisor.adapters.hooks import HOSTS
from supervisor.adapters.hooks.settings import command
from supervisor.cli.daemon_findings import _policy_in
from supervisor.version import VERSION
from tests.service.daemons import Daemon


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory, make_taxonomy: Any) -> Iterator[Daemon]:
    folder = tmp_path_factory.mktemp("daemon")
    running = Daemon(folder, make_taxonomy(folder))
    running.tiny.set_policy(isolation="none")
    running.start()
    yield running
    assert running.stop() == 0, running.log


@pytest.fixture
def settled(daemon: Daemon) -> Iterator[None]:
    """The policy is as before after the test, and the daemon follows it."""
    good, before = daemon.tiny.policy.read_text(), daemon.get("/health")["policy"]
    yield
    daemon.tiny.policy.write_text(good)
    daemon.wait_until(lambda: (daemon.get("/health")["status"], daemon.get("/health")["policy"]) == ("ok", before))


def test_the_state_is_shown(run, daemon):
    ran = run("status", "--socket", daemon.socket, "--json")
    found = json.loads(ran.out)
    assert (ran.code, ran.err, found["pid"], found["supervisor"]) == (0, "", daemon.process.pid, VERSION)
    assert found["version"] == 1  # of the JSON, as everywhere
    (policy,) = found["policies"]
    assert (policy["user"], policy["project"], policy["problem"]) == (str(daemon.tiny.policy), None, "")
    assert policy["failure_modes"] == {"in_force": 3, "known": 3, "disabled": 0, "preview": 0, "without_model": 0}
    ran = run("status", "--socket", daemon.socket)
    for each in (
        f"Supervisor {VERSION}, process {daemon.process.pid}",
        str(daemon.tiny.policy),
        "3 of 3 failure modes",
    ):
        assert each in ran.out


def test_why_failure_modes_are_off_is_shown(run, daemon, settled):
    values = json.loads(daemon.tiny.policy.read_text())
    values["taxonomy"]["disabled"] = ["touches_flag"]
    daemon.tiny.policy.write_text(json.dumps(values))
    daemon.wait_until(lambda: "1 disabled by the policy" in run("status", "--socket", daemon.socket).out)
    assert "2 of 3 failure modes in force" in run("status", "--socket", daemon.socket).out


def test_a_reload_says_what_has_changed_or_why_it_failed(run, daemon, settled):
    before = daemon.get("/health")["policy"]
    assert f"the policy is the same ({before})" in run("reload", "--socket", daemon.socket).out
    values = json.loads(daemon.tiny.policy.read_text())
    daemon.tiny.policy.write_text(json.dumps({**values, "patience": 7}))
    ran = run("reload", "--socket", daemon.socket, "--json")
    (policy,) = json.loads(ran.out)["policies"]
    assert (ran.code, policy["problem"]) == (0, "")
    assert policy["digest"] != before
    daemon.tiny.policy.write_text("patients: 7")
    ran = run("reload", "--socket", daemon.socket)
    assert (ran.code, "patients" in ran.out, "earlier version stays in force" in ran.out) == (1, True, True)
    ran = run("status", "--socket", daemon.socket)
    assert (ran.code, "the last edit has no effect" in ran.out) == (1, True)


@pytest.mark.parametrize("verb", ["status", "reload", "stop"])
def test_where_no_daemon_runs_nothing_holds(run, tmp_path, verb):
    ran = run(verb, "--socket", tmp_path / "none.sock")
    assert (ran.code, ran.out) == (1, "")
    assert "none.sock" in ran.err
    assert "[no_daemon]" in ran.err
    assert run(verb, "--socket", f"/{'x' * 200}").code == 2
    assert run(verb, "--nonsense").code == 2


def test_stop_waits_for_the_end(run, tmp_path, make_taxonomy):
    running = Daemon(tmp_path, make_taxonomy(tmp_path))
    running.tiny.set_policy(isolation="none")
    running.start()
    pid = running.process.pid
    ran = run("stop", "--socket", running.socket, "--json")
    assert (ran.code, json.loads(ran.out)["pid"], running.socket.exists()) == (0, pid, False)
    assert running.process.wait(30) == 0
    assert run("stop", "--socket", running.socket).code == 1


@pytest.mark.parametrize("written", [b"", b"x", b"-1", b"1", b"0"])
def test_stop_ends_no_process_that_holds_no_daemons_lock(run, tmp_path, written):
    import fcntl

    lock = os.open(tmp_path / "d.sock.lock", os.O_RDWR | os.O_CREAT, 0o600)
    os.write(lock, written)
    fcntl.flock(lock, fcntl.LOCK_EX)
    ran = run("stop", "--socket", tmp_path / "d.sock")
    os.close(lock)
    assert (ran.code, "by no daemon" in ran.err) == (2, True)


@pytest.mark.parametrize("policy", [None, "/a b/'c'/50", "/etc/closed.yaml"])
@pytest.mark.parametrize("mode", ["open", "closed"])
def test_the_policy_of_a_hooks_command_is_found(policy, mode):
    named = Path(policy) if policy else None
    for event in HOSTS["claude"].events:
        assert _policy_in(command(HOSTS["claude"], event, Path("/d.sock"), mode, named)) == policy
    assert _policy_in(shlex.join(["perl", "client.pl", "python", "/d.sock", "claude", "closed"])) is None
    assert _policy_in("'") is None


@pytest.mark.thorough
def test_doctor_asks_the_daemon_which_policy_holds_here(run, daemon, tmp_path, monkeypatch, settled):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SUPERVISOR_SOCKET", str(daemon.socket))
    monkeypatch.setenv("SUPERVISOR_POLICY", str(daemon.tiny.policy))
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    project = tmp_path / "project" / "guard.yaml"
    project.write_text("{patience: 0, authority: {default: flag}}")
    assert run("install", "claude", "--scope", "project", "--yes", "--policy", project).code == 0

    def found() -> dict[str, Any]:
        return {each["what"]: each for each in json.loads(run("doctor", "--json").out)}

    told = found()
    assert (told["daemon"]["level"], str(daemon.tiny.policy) in told["daemon"]["told"]) == ("ok", True)
    assert told["claude's policy"]["level"] == "note"
    assert f"{daemon.tiny.policy} and {project}" in told["claude's policy"]["told"]
    assert "without effect: authority.default" in told["claude's policy"]["told"]
    project.write_text("patience: 0")
    daemon.wait_until(lambda: found()["claude's policy"]["level"] == "ok")
    project.write_text("patients: 0")
    daemon.wait_until(lambda: found()["daemon"]["level"] == "wrong")
    project.write_text("patience: 0")


def test_a_daemon_of_another_version_is_shown(run, daemon, monkeypatch):
    """Until an upgrade has taken effect, and where a daemon of another installation has the socket."""
    monkeypatch.setattr("supervisor.cli.daemon.VERSION", "9.9.9")
    ran = run("status", "--socket", daemon.socket)
    assert (ran.code, "this command is 9.9.9" in ran.out) == (1, True)
    found = json.loads(run("status", "--socket", daemon.socket, "--json").out)
    assert (found["supervisor"], found["command_version"]) == (VERSION, "9.9.9")
