"""`supervisor uninstall` takes the guard off a machine; what is the user's own stays."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from supervisor.adapters.hooks import HOSTS
from supervisor.engine.guard_assets import installed
from supervisor.engine.remote.ending import end, holder
from supervisor.errors import BadInput, NoDaemon
from tests.conftest import TinyTaxonomy
from tests.service.daemons import Daemon

DARK = '{\n  "theme": "dark"\n}\n'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home with a project in it, which is the working directory."""
    folder = tmp_path / "home"
    (folder / "project").mkdir(parents=True)
    monkeypatch.chdir(folder / "project")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / ".cache"))
    monkeypatch.setenv("SUPERVISOR_TOKEN_FILE", str(tmp_path / "token"))
    monkeypatch.setenv("SUPERVISOR_SOCKET", str(tmp_path / "d.sock"))
    for name in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "SUPERVISOR_POLICY"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def daemon(tmp_path: Path, tiny: TinyTaxonomy) -> Iterator[Daemon]:
    running = Daemon(tmp_path, tiny)
    tiny.set_policy(records={"path": str(tmp_path / "records"), "key": str(tmp_path / "key.pem")})
    running.start()
    yield running
    end(running.socket)
    assert running.process is not None
    assert running.process.wait(30) == 0, running.log


def test_only_what_is_the_users_own_is_left(run: Any, daemon: Daemon, home: Path) -> None:
    claude, cursor = home / ".claude" / "settings.json", home / "project" / ".cursor" / "hooks.json"
    claude.parent.mkdir()
    claude.write_text(DARK)
    where = ("--socket", daemon.socket, "--policy", daemon.tiny.policy, "--yes")
    assert run("install", "claude", *where).code == 0
    assert run("install", "cursor", "--scope", "project", *where).code == 0
    (home / ".cache" / "supervisor").mkdir(parents=True)
    (home / ".config" / "supervisor").mkdir(parents=True, exist_ok=True)
    (home / ".config" / "supervisor" / "tasks-token").write_text("t" * 43)
    event = json.dumps(HOSTS["codex"].canary("ls"))
    assert run("hook", "codex", "--socket", daemon.socket, stdin=event).code == 0  # so that there is a record
    pid = holder(daemon.socket)

    shown = run("uninstall", "--dry-run")
    assert (shown.code, claude.read_text() != DARK, holder(daemon.socket)) == (0, True, pid)
    unasked = run("uninstall")
    assert (unasked.code, "--yes gives it" in unasked.err, cursor.exists()) == (2, True, True)

    told = json.loads(run("uninstall", "--yes", "--json").out)
    assert (told["failed"], told["dry_run"]) == ([], False)
    assert f"daemon, process {pid}" in {each["what"] for each in told["removed"]}
    assert (claude.read_text(), cursor.exists(), holder(daemon.socket)) == (DARK, False, None)
    assert not [path for path in home.rglob("*") if "supervisor" in str(path.relative_to(home))]
    left = {path.name for path in daemon.folder.iterdir()}
    assert left.isdisjoint({"d.sock", "d.sock.lock", "token"})
    assert {"records", "key.pem", daemon.tiny.policy.name} <= left
    kept = {(each["what"], each["place"]) for each in told["kept"]}
    assert {("signing key", str(daemon.folder / "key.pem")), ("policy", str(daemon.tiny.policy))} <= kept
    assert "There is nothing to remove" in run("uninstall").out


@contextmanager
def holding(socket: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that holds the lock of a socket as a daemon does, and nothing else."""
    lines = "import fcntl, os, sys, time; lock = open(sys.argv[1], 'w'); fcntl.flock(lock, fcntl.LOCK_EX)"
    lines += "; lock.write(str(os.getpid())); lock.flush(); print(flush=True); time.sleep(60)"
    command = [sys.executable, "-I", "-S", "-c", lines, f"{socket}.lock"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield process
        finally:
            process.kill()


def test_the_last_hook_that_goes_ends_the_daemon(run: Any, home: Path, tmp_path: Path) -> None:
    socket = tmp_path / "named.sock"
    for host in ("claude", "gemini"):
        assert run("install", host, "--socket", socket, "--yes").code == 0
    with holding(socket) as process:
        assert "Ended" not in run("install", "gemini", "--undo", "--yes").out
        assert holder(socket) == process.pid
        ended = run("install", "claude", "--undo", "--yes").out  # the list names its socket
        assert f"Ended the daemon (process {process.pid})" in ended
        assert (holder(socket), process.wait()) == (None, -signal.SIGTERM)


def test_what_cannot_be_removed_is_named_and_the_rest_goes(run: Any, home: Path) -> None:
    for host in ("claude", "gemini"):
        assert run("install", host, "--yes").code == 0
    claude, gemini = home / ".claude" / "settings.json", home / ".gemini" / "settings.json"
    claude.write_text(claude.read_text() + "// a comment\n")
    ended = run("uninstall", "--yes", "--json")
    told = json.loads(ended.out)
    assert (ended.code, gemini.exists()) == (1, False)
    first, *rest = told["failed"]
    assert (first["place"], "must be plain JSON" in first["why"]) == (str(claude), True)
    assert {"left, because something before it could not be removed"} == {each["why"] for each in rest}
    assert [row["host"] for row in installed()] == ["claude"]  # the guard still knows its hook
    claude.write_text(claude.read_text().replace("// a comment\n", ""))
    assert run("uninstall", "--yes").code == 0
    assert not (home / ".local" / "state" / "supervisor").exists()


def test_hooks_are_found_without_the_list_of_what_was_installed(run: Any, home: Path) -> None:
    assert run("install", "codex", "--yes").code == 0
    listed = home / ".local" / "state" / "supervisor" / "installed.json"
    listed.write_text("nonsense")
    ended = run("uninstall", "--yes")
    assert (ended.code, (home / ".codex" / "hooks.json").exists(), listed.exists()) == (0, False, False)
    assert "installed.json" in ended.err


def test_an_empty_home_has_nothing_to_remove(run: Any, home: Path) -> None:
    assert (run("uninstall").code, list(home.rglob("*"))) == (0, [home / "project"])


@pytest.mark.parametrize("content", ["", "1", "-1", "12x", "0", "9" * 40])
def test_a_lock_that_nobody_holds_names_no_process_to_end(tmp_path: Path, content: str) -> None:
    (tmp_path / "d.sock.lock").write_text(content)
    assert (holder(tmp_path / "d.sock"), end(tmp_path / "d.sock")) == (None, None)


@pytest.mark.parametrize("content", ["", "0", "1", "-5", "x"])
def test_a_held_lock_without_a_process_id_ends_nothing(
    tmp_path: Path, content: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    ended: list[tuple[int, ...]] = []
    monkeypatch.setattr(os, "kill", lambda *asked: ended.append(asked))
    with open(tmp_path / "d.sock.lock", "w+") as lock:
        lock.write(content)
        lock.flush()
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(BadInput, match="held, but by no daemon"):
            end(tmp_path / "d.sock")
    assert ended == []


def test_a_daemon_that_does_not_end_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    monkeypatch.setattr(os, "kill", lambda *_: None)
    with open(tmp_path / "d.sock.lock", "w+") as lock:
        lock.write(str(os.getpid()))
        lock.flush()
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(NoDaemon, match="has not ended after 0 seconds"):
            end(tmp_path / "d.sock", patience=0.0)


def test_a_link_in_place_of_the_lock_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other").write_text(str(os.getpid()))
    (tmp_path / "d.sock.lock").symlink_to(tmp_path / "other")
    with pytest.raises(OSError, match="symbolic link"):
        holder(tmp_path / "d.sock")


def test_the_cache_is_removed_as_a_folder_not_through_a_link(run: Any, home: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "file").touch()
    (home / ".cache").mkdir()
    (home / ".cache" / "supervisor").symlink_to(elsewhere)
    assert run("uninstall", "--yes").code == 0
    assert (elsewhere / "file").exists()
    shutil.rmtree(elsewhere)
