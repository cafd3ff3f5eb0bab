"""The files of systemd and launchd start the daemon as it is meant, and are taken out again."""

from __future__ import annotations

import os
import plistlib
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.engine.workers.fork_client import interpreter
from supervisor.errors import BadInput
from supervisor.service.unit import path_of, unit_of
from tests.conftest import TinyTaxonomy
from tests.service.daemons import Daemon

_LINE = re.compile(r"#.*|\[(?:Unit|Service|Install)\]|[A-Z][A-Za-z]+=.+|")
BOTH = ("ExecStartPre", "ExecStart")
_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')


def unquoted(line: str) -> list[str]:
    """The words that systemd makes of ExecStart: quotes, C escapes, then `%%` and `$$`."""
    words = []
    for quoted, bare in _WORD.findall(line):
        word = re.sub(r"\\(.)", r"\1", quoted or bare)
        words.append(word.replace("%%", "%").replace("$$", "$"))
    return words


def test_systemds_unit_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unit = unit_of("systemd", tmp_path / "a b.sock", ["--policy", "/etc/100%/$x.yaml"], tmp_path)
    assert all(_LINE.fullmatch(line) for line in unit.text.splitlines()), unit.text
    (started,) = re.findall(r"^ExecStart=(.+)$", unit.text, re.MULTILINE)
    assert unquoted(started) == [
        *(*interpreter(), "-m", "supervisor", "serve", "--socket", str(tmp_path / "a b.sock")),
        *("--policy", "/etc/100%/$x.yaml"),
    ]
    (before,) = re.findall(r"^ExecStartPre=-(.+)$", unit.text, re.MULTILINE)
    assert unquoted(before) == [*interpreter(), "-m", "supervisor", "stop", "--socket", str(tmp_path / "a b.sock")]
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not here to verify the unit")
    (tmp_path / "supervisor.service").write_text(unit.text)
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    verify = ["systemd-analyze", "verify", "--user", "--man=no", str(tmp_path / "supervisor.service")]
    verified = subprocess.run(verify, env=environment, capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")


def test_launchds_agent_is_one(tmp_path: Path) -> None:
    unit = unit_of("launchd", Path("/x/<&>.sock"), [], tmp_path / "log")
    told = plistlib.loads(unit.text.encode())
    assert told["ProgramArguments"] == [*interpreter(), "-m", "supervisor", "serve", "--socket", "/x/<&>.sock"]
    assert (told["Label"], told["RunAtLoad"], told["KeepAlive"]) == ("supervisor", True, {"SuccessfulExit": False})
    assert unit.path.name == "supervisor.plist"


@settings(max_examples=50, deadline=None)
@given(st.text(st.characters(codec="utf-8").filter(str.isprintable), min_size=1))
def test_whatever_a_path_is_called_systemd_reads_it_so(path: str) -> None:
    (started,) = re.findall(r"^ExecStart=(.+)$", unit_of("systemd", Path("/s"), [path], Path("log")).text, re.MULTILINE)
    assert unquoted(started)[-4:] == ["serve", "--socket", "/s", path]


def test_a_control_character_is_refused_it_could_begin_another_setting() -> None:
    with pytest.raises(BadInput, match="a service file cannot have"):
        unit_of("systemd", Path("/s"), ["--policy", "/x\nExecStartPre=/bin/evil"], Path("log"))


@pytest.mark.thorough
def test_the_units_commands_end_a_hooks_daemon_take_its_place_and_end_cleanly(
    tmp_path: Path, tiny: TinyTaxonomy, home: Path, run: Any
) -> None:
    """As systemd runs them. `Restart=on-failure` starts nothing again after the exit code 0."""
    hooks = Daemon(tmp_path, tiny)
    tiny.set_policy(isolation="none", records={"path": str(tmp_path / "records"), "key": str(tmp_path / "key.pem")})
    hooks.start()
    install = run("service", "install", "--socket", hooks.socket, "--policy", tiny.policy, "--yes")
    assert (install.code, hooks.process and hooks.process.wait(30)) == (0, 0)  # `install` ends it as well
    hooks.start()
    text = path_of("systemd").read_text()
    before, serve = (unquoted(re.findall(rf"^{name}=-?(.+)$", text, re.MULTILINE)[0]) for name in BOTH)
    assert subprocess.run(before, capture_output=True, check=False, timeout=60).returncode == 0
    assert hooks.process is not None
    assert hooks.process.wait(30) == 0
    assert subprocess.run(before, capture_output=True, check=False, timeout=60).returncode == 1  # what `-` ignores
    with subprocess.Popen(serve, stderr=subprocess.DEVNULL) as service:
        hooks.wait_until(hooks.answers)
        told = run("stop", "--socket", hooks.socket).out
        assert service.wait(30) == 0
    assert "`systemctl --user start supervisor.service` starts the service" in " ".join(told.split())


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a systemctl that notes what it is asked."""
    programs = tmp_path / "bin"
    programs.mkdir()
    asked = tmp_path / "asked"
    (programs / "systemctl").write_text(f'#!/bin/sh\necho "$*" >> {asked}\n[ ! -e {tmp_path}/down ]\n')
    (programs / "systemctl").chmod(0o700)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    return tmp_path


def test_a_service_is_written_and_taken_out_again(run: Any, home: Path, tiny: Any) -> None:
    install = ("service", "install", "--socket", home / "d.sock", "--policy", tiny.policy)
    assert "+ExecStart=" in run(*install, "--dry-run").out
    assert run(*install).code == 2
    assert not path_of("systemd").exists()
    assert run(*install, "--yes").code == 0
    assert f"--policy {tiny.policy}" in path_of("systemd").read_text()
    assert (
        run("service", "show", "--socket", home / "d.sock", "--policy", tiny.policy).out
        == path_of("systemd").read_text()
    )
    assert run("service", "remove", "--yes").code == 0
    assert not path_of("systemd").exists()
    assert "There is no" in run("service", "remove", "--yes").out
    asked = (home / "asked").read_text().splitlines()
    told = [line.removeprefix("--user ") for line in asked if "show-environment" not in line]
    assert told == [
        *("daemon-reload", "enable --now supervisor.service"),
        *("disable --now supervisor.service", "daemon-reload"),
    ]


def test_uninstall_takes_the_service_out(run: Any, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / ".cache"))
    assert run("service", "install", "--socket", home / "d.sock", "--yes").code == 0
    assert f"service of systemd {path_of('systemd')}" in run("uninstall", "--yes").out
    assert not path_of("systemd").exists()


def test_where_systemd_runs_nothing_it_says_so_and_writes_nothing(run: Any, home: Path) -> None:
    (home / "down").touch()
    ended = run("service", "install", "--socket", home / "d.sock", "--yes")
    assert (ended.code, "systemd runs no services of this user" in ended.err) == (2, True), ended.err
    (home / "bin" / "systemctl").unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(home / "bin"))
        ended = run("service", "install", "--socket", home / "d.sock", "--yes")
    assert (ended.code, "there is no systemd here; a hook starts the daemon" in ended.err) == (2, True), ended.err
    assert not path_of("systemd").exists()


def test_a_policy_that_is_none_is_not_written_into_a_service(run: Any, home: Path) -> None:
    (home / "policy.yaml").write_text("patience: many")
    assert run("service", "install", "--policy", home / "policy.yaml", "--yes").code == 2
    assert not path_of("systemd").exists()
