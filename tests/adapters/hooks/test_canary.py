"""What `supervisor doctor` says of a host's settings, in words."""

from __future__ import annotations

import contextlib
import json

import pytest

from supervisor.adapters.hooks import HOSTS
from supervisor.adapters.hooks.canary import sing
from supervisor.adapters.hooks.settings import our_commands
from supervisor.engine.remote.client import Remote
from supervisor.errors import SupervisorError

OURS = " # /supervisor/hooks/client.pl"
REFUSES = """echo 'Supervisor: {"executed":false,"code":"block:x"}' >&2; exit 2"""


@pytest.fixture
def settings(tmp_path):
    def make(command: str, *events: str):
        hooks = {event: [HOSTS["claude"].entry(event, command + OURS)] for event in events or HOSTS["claude"].events}
        (tmp_path / "settings.json").write_text(json.dumps({"hooks": hooks}))
        return tmp_path / "settings.json"

    return make


def sung(file):
    """The canary of a settings file whose commands are all known."""
    return sing(HOSTS["claude"], file, our_commands(file.read_text(), file).values())


def test_a_refusal_that_arrives_is_shown(settings):
    assert sung(settings(REFUSES)).startswith("`rm -rf /` was refused in ")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("exit 0", "let `rm -rf /` pass; its stderr: nothing"),
        ("echo oops >&2; exit 1", "ended with 1, which allows the action in this host; its stderr: oops"),
        ("kill -9 $$", "ended with -9"),
        ("""echo '{"code": "guard_failed"}' >&2; exit 2""", "refuses every action, because the guard itself fails"),
        ("echo no >&2; exit 2", "refused the action, but for another reason: no"),
        (f"echo hello; {REFUSES}", "writes to stdout beside its refusal"),
    ],
)
def test_what_is_wrong_is_said(settings, command, words):
    with pytest.raises(SupervisorError, match="^" + words.replace("(", r"\(")):
        sung(settings(command))


@pytest.mark.parametrize("command", ["touch planted; " + REFUSES, REFUSES])
def test_a_command_that_install_did_not_write_is_not_run(settings, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SupervisorError, match="did not write; it was not run") as raised:
        sing(HOSTS["claude"], settings(command), [REFUSES])
    assert raised.value.code == "foreign_hook"
    assert not (tmp_path / "planted").exists()


def test_doctor_runs_nothing_that_a_project_plants(run, tmp_path, monkeypatch, tiny, settings):
    project = tmp_path / "project"
    (project / ".claude").mkdir(parents=True)
    settings(f"touch {tmp_path}/planted; {REFUSES}").rename(project / ".claude" / "settings.json")
    monkeypatch.chdir(project)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SUPERVISOR_SOCKET", "/nonexistent/daemon.sock")
    told = json.loads(run("doctor", "--json", "--policy", tiny.policy).out)
    assert next(each["level"] for each in told if each["what"] == "Claude Code") == "wrong"
    assert not (tmp_path / "planted").exists()


def test_a_hook_that_is_missing_is_named(settings):
    with pytest.raises(SupervisorError, match="no hook of ours at UserPromptSubmit, PostToolUse"):
        sung(settings(REFUSES, "PreToolUse"))


def test_doctor_says_whose_policy_the_daemon_has(run, daemon, tiny, monkeypatch):
    monkeypatch.setenv("SUPERVISOR_URL", daemon.url)
    for policy, level in ((daemon.tiny.policy, "ok"), (tiny.policy, "note")):
        told = json.loads(run("doctor", "--json", "--policy", policy).out)
        assert [each["level"] for each in told if each["what"] == "daemon"] == [level]


def test_doctor_looks_at_every_host_that_is_installed(run, tmp_path, monkeypatch, tiny, settings):
    monkeypatch.chdir(tmp_path)
    for name in ("HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("SUPERVISOR_SOCKET", "/nonexistent/daemon.sock")
    settings("exit 0")
    (tmp_path / ".gemini").mkdir()
    ran = run("doctor", "--json", "--policy", tiny.policy)
    found = {each["what"]: (each["level"], each["told"]) for each in json.loads(ran.out)}
    assert (ran.code, found["Claude Code"][0], found["Gemini CLI"][0], found["daemon"][0]) == (
        1,
        "wrong",
        "note",
        "note",
    )
    monkeypatch.setenv("SUPERVISOR_SOCKET", f"/{'x' * 200}")
    told = json.loads(run("doctor", "--json", "--policy", tiny.policy).out)
    assert [each["level"] for each in told if each["what"] == "daemon"] == ["wrong"]
    assert "supervisor install gemini" in found["Gemini CLI"][1]


def test_doctor_says_that_a_daemon_has_lost_its_records(run, daemon, tmp_path, monkeypatch):
    """Moved away, and swapped for another folder, under a daemon that has recorded there."""
    monkeypatch.setenv("SUPERVISOR_URL", daemon.url)
    folder, away = daemon.folder / "records", tmp_path / "away"

    def told() -> tuple[str, str]:
        said = json.loads(run("doctor", "--json", "--policy", daemon.tiny.policy).out)
        return next((each["level"], each["told"]) for each in said if each["what"] == "daemon")

    with contextlib.closing(Remote(daemon.url)) as remote:
        remote.decide_from_thread(remote.action("bash", {"command": "ls"}))
    assert told()[0] == "ok"
    folder.rename(away)
    assert (told()[0], "lost" in told()[1]) == ("wrong", True)
    folder.mkdir()
    assert (told()[0], "not to be found any more" in told()[1]) == ("wrong", True)
    folder.rmdir()
    away.rename(folder)
    assert told()[0] == "ok"
