"""A command that the guard objects to does not start, and no agent starts without our hooks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from supervisor.errors import SupervisorError
from supervisor.runtime.drivers.guarding import CommandGuard, agents_in
from tests.catalog import taxonomies
from tests.conftest import TinyTaxonomy
from tests.runtime.processes.starting import until
from tests.service.daemons import Daemon


@pytest.mark.parametrize(
    ("command", "agents"),
    [
        (("claude", "-p", "fix it"), ["claude"]),
        (("/opt/bin/codex", "exec", "fix it"), ["codex"]),
        (("sh", "-c", "cd src && timeout 60 claude -p 'fix it' | tee log"), ["claude"]),
        (("env", "A=b", "gemini", "-p", "x"), ["gemini"]),
        (("bash", "agents.sh"), ["claude", "codex"]),
        (("cursor-agent", "-p", "x"), ["cursor-agent"]),
        (("qwen", "-p", "x"), ["qwen"]),
        (("grep", "claude", "README"), []),
        (("sh", "-c", "echo claude -p fix"), []),
        (("make", "test"), []),
        (("sh", "-c", "'"), []),
    ],
)
def test_agents_are_found_wherever_they_run(command: tuple[str, ...], agents: list[str], tmp_path: Path) -> None:
    (tmp_path / "agents.sh").write_text("claude -p one\ncodex exec two\n")
    assert agents_in(command, tmp_path) == agents


@pytest.mark.thorough
def test_what_the_guard_stops_does_not_start(daemon: Daemon, tmp_path: Path) -> None:
    guard = CommandGuard(daemon.tiny.policy)
    assert guard.objection("try it", ("touch", "right"), tmp_path, {}) == ""
    told = guard.objection("try it", ("sh", "-c", "touch block"), tmp_path, {})
    assert told.startswith("the guard says block (touches_block): ")


@pytest.mark.thorough
def test_an_agent_starts_only_with_our_hooks(daemon: Daemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hook is tried out: a settings file that only looks right guards nothing."""
    home, folder = tmp_path / "home", tmp_path / "folder"
    home.mkdir()
    folder.mkdir()
    monkeypatch.setenv("HOME", str(home))
    guard, environment = CommandGuard(daemon.tiny.policy), {"HOME": str(home)}
    claude = ("sh", "-c", "claude -p 'fix it'")
    told = guard.objection("fix it", claude, folder, environment)
    assert told.startswith("claude would run unguarded: no hook of ours at ")
    assert guard.objection("fix it", ("qwen", "-p", "x"), folder, environment).endswith("it has no hooks")
    install = [sys.executable, "-m", "supervisor", "install", "claude", "--yes", "--socket", str(daemon.socket)]
    subprocess.run(install, env={**os.environ, **environment}, cwd=folder, check=True, capture_output=True)
    assert "rm -rf /" in guard.objection("fix it", claude, folder, environment)  # the tiny taxonomy lets that pass
    taxonomies.add(daemon.tiny.folder, "deletes_block", family="system", verdict="block", word="rm -rf /")
    until(lambda: guard.objection("fix it", claude, folder, environment) == "")
    assert guard.objection("fix it", claude, folder, {"HOME": str(folder)}).startswith("claude would run unguarded")
    unhooked = CommandGuard(daemon.tiny.policy, allows_unhooked=True)
    assert unhooked.objection("fix it", claude, folder, {"HOME": str(folder)}) == ""


@pytest.mark.thorough
def test_a_guard_that_fails_is_no_verdict_on_the_command(tiny: TinyTaxonomy, tmp_path: Path) -> None:
    """The attempt is broken, and tried again; it does not run meanwhile."""
    (tmp_path / "file").write_text("no folder")
    records = {"path": str(tmp_path / "file" / "records"), "key": str(tmp_path / "key.pem")}
    guard = CommandGuard(tiny.set_policy(records=records))
    with pytest.raises(SupervisorError):
        guard.objection("try it", ("touch", "right"), tmp_path, {})
    guard.close()
