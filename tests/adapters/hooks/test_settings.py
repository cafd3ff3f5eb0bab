"""`supervisor install` changes what it must in a host's settings, and takes it back."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from supervisor.adapters.hooks import HOSTS
from supervisor.adapters.hooks.settings import installed, our_commands, removed
from supervisor.errors import BadInput

OTHERS = {
    "permissions": {"allow": ["Bash(ls:*)"], "note": "größer"},
    "hooks": {
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "mine"}]}],
        "Notification": [{"hooks": [{"type": "command", "command": "bell"}]}],
    },
}
COMMANDS = {"PreToolUse": "/usr/bin/perl /x/supervisor/hooks/client.pl a b claude closed || exit 2"}
FILE = Path("settings.json")


@pytest.mark.parametrize("indent", [2, 4, "\t"])
@pytest.mark.parametrize("end", ["", "\n"])
def test_what_others_have_set_stays_and_undoing_gives_the_file_back(indent, end):
    before = json.dumps(OTHERS, indent=indent, ensure_ascii=False) + end
    after = installed(HOSTS["claude"], before, FILE, COMMANDS)
    settings = json.loads(after)
    assert settings["permissions"] == OTHERS["permissions"]
    assert settings["hooks"]["PreToolUse"][0] == OTHERS["hooks"]["PreToolUse"][0]
    assert our_commands(after, FILE) == COMMANDS
    assert installed(HOSTS["claude"], after, FILE, COMMANDS) == after
    assert removed(HOSTS["claude"], after, FILE) == before


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS)
def test_a_file_of_ours_alone_goes_again(host):
    commands = dict.fromkeys(host.events, COMMANDS["PreToolUse"])
    made = installed(host, "", FILE, commands)
    assert our_commands(made, FILE) == commands
    assert removed(host, made, FILE) == ""


@pytest.mark.parametrize(
    "text",
    ["// a comment\n{}", "[]", '{"n": 9223372036854775808}', '{"hooks": []}', '{"hooks": {"PreToolUse": {}}}', "{"],
)
def test_settings_that_cannot_be_understood_are_left_alone(text):
    with pytest.raises(BadInput, match=r"^settings\.json: "):
        installed(HOSTS["claude"], text, FILE, COMMANDS)


def test_install_shows_what_changes_and_asks(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".gemini").mkdir()
    file = tmp_path / ".gemini" / "settings.json"
    file.write_text('{"theme": "dark"}\n')
    file.chmod(0o640)
    install = ("install", "gemini", "--scope", "project", "--socket", tmp_path / "it's here.sock")
    assert '+  "theme": "dark",' in run(*install, "--dry-run").out
    unasked = run(*install)
    assert (unasked.code, file.read_text()) == (2, '{"theme": "dark"}\n')
    assert "nothing is written without a confirmation" in unasked.err
    assert run(*install, "--yes").code == 0
    settings = json.loads(file.read_text())
    assert set(settings["hooks"]) == {"BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent"}
    hook = settings["hooks"]["BeforeTool"][0]["hooks"][0]
    assert shlex.split(hook["command"])[7:] == [str(tmp_path / "it's here.sock"), *"gemini closed 50 || exit 2".split()]
    assert (hook["timeout"], file.stat().st_mode & 0o777) == (60_000, 0o640)
    assert "needs no change" in run(*install, "--yes").out
    assert run(*install, "--yes", "--undo").code == 0
    assert json.loads(file.read_text()) == {"theme": "dark"}


def test_the_documents_commands_are_ours(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SUPERVISOR_SOCKET", "/nonexistent/daemon.sock")
    page = (Path(__file__).parents[3] / "docs" / "integrations.md").read_text()
    (block,) = re.findall(r"^```\n(supervisor install .*?)^```", page, re.MULTILINE | re.DOTALL)
    lines = [shlex.split(line, comments=True)[1:] for line in block.splitlines()]
    assert [words[0] for words in lines] == ["install", "doctor", "install"]
    settings = tmp_path / ".claude" / "settings.json"
    assert (run(*lines[0], "--yes").code, settings.exists()) == (0, True)
    assert (run(*lines[2], "--yes").code, settings.exists()) == (0, False)


def test_the_policy_says_what_a_failed_guard_means(run, tmp_path, monkeypatch, tiny):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SUPERVISOR_SOCKET", "/tmp/d.sock")  # short: a path of a socket has 100 bytes
    tiny.set_policy(hooks={"on_failure": "ok"})
    run("install", "cursor", "--yes", "--policy", tiny.policy)
    told = json.loads((tmp_path / ".cursor" / "hooks.json").read_text())
    (before,) = told["hooks"]["preToolUse"]
    assert shlex.split(before["command"])[-4:] == ["cursor", "open", "50", str(tiny.policy)]
    assert "failClosed" not in before
    assert told["version"] == 1


@pytest.mark.parametrize(
    ("of_user", "of_project", "mode"),
    [
        ({}, {"hooks": {"on_failure": "ok"}}, "closed"),
        ({"hooks": {"on_failure": "ok"}}, {"hooks": {"on_failure": "block"}}, "closed"),
        ({"hooks": {"on_failure": "ok"}}, {}, "open"),
        ({"hooks": {"on_failure": "ok"}}, None, "open"),
        ({"projects": {"may_loosen": True}}, {"hooks": {"on_failure": "ok"}}, "open"),
    ],
)
def test_a_failed_guard_in_a_project_means_what_the_stricter_policy_says(
    run, tmp_path, monkeypatch, of_user, of_project, mode
):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SUPERVISOR_SOCKET", "/tmp/d.sock")  # short: a path of a socket has 100 bytes
    monkeypatch.delenv("SUPERVISOR_POLICY", raising=False)
    monkeypatch.chdir(tmp_path)
    own, project = tmp_path / ".config" / "supervisor" / "policy.yaml", tmp_path / "project.yaml"
    own.parent.mkdir(parents=True)
    own.write_text(json.dumps(of_user))
    project.write_text(json.dumps(of_project))
    named = [] if of_project is None else ["--policy", project]
    assert run("install", "claude", "--scope", "project", "--yes", *named).code == 0
    told = json.loads((tmp_path / ".claude" / "settings.json").read_text())
    words = shlex.split(told["hooks"]["PreToolUse"][0]["hooks"][0]["command"])
    assert words[words.index("claude") + 1] == mode


def test_hosts_that_are_unknown_are_named(run):
    assert "there are claude, codex, gemini, cursor" in run("install", "emacs").err
