"""The API as it is served: beside an executor, alone, and ended with its process."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from supervisor.runtime.store.database import Store
from supervisor.service.places import on_port
from supervisor.service.tasks.app import Tokens
from supervisor.service.tasks.board import Board
from supervisor.service.tasks.running import Beside
from tests.attack.terminals import SUPERVISOR
from tests.conftest import Ran
from tests.service.tasks.programs import PEOPLE, PROGRAMS

_PATIENCE = 120  # seconds on a busy machine


@contextmanager
def served(folder: Path, *words: str) -> Iterator[tuple[str, str, subprocess.Popen[str]]]:
    """A command that serves the API: its address, the token of programs, and the process."""
    environment = {**os.environ, "HOME": str(folder), "SUPERVISOR_RUNTIME": f"sqlite:///{folder / 'runtime.db'}"}
    command = [SUPERVISOR, *words, "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment, cwd=folder) as process:
        try:
            assert process.stderr
            told = ""
            while "http://" not in told:
                assert select.select([process.stderr], [], [], _PATIENCE)[0], f"no API: {told}"
                line = process.stderr.readline()
                assert line, told
                told += line
            address = re.findall(r"http://127\.0\.0\.1:\d+", told)[0]
            yield address, (folder / ".config" / "supervisor" / "tasks-token").read_text().strip(), process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(_PATIENCE)


@pytest.mark.thorough
@pytest.mark.parametrize("words", [("up", "--serve", "--unhooked"), ("serve", "--tasks")], ids=["up", "serve"])
def test_a_program_adds_a_task_and_hears_what_becomes_of_it(tmp_path: Path, words: tuple[str, ...]) -> None:
    with served(tmp_path, *words) as (at, token, process):
        told = {"Authorization": f"Bearer {token}"}
        with connect(f"ws{at.removeprefix('http')}/v1/events", additional_headers=told) as events:
            assert orjson.loads(events.recv(_PATIENCE))["type"] == "tasks"
            made = {"driver": "shell", "command": ["echo", "hello"], "folder": str(tmp_path)}
            id = httpx.post(f"{at}/v1/tasks", json=made, headers=told, timeout=_PATIENCE).json()["id"]
            wanted = "succeeded" if words[0] == "up" else "queued"
            seen = [""]
            while seen[-1] != wanted:
                seen.append(orjson.loads(events.recv(_PATIENCE))["task"]["state"])
        if words[0] == "up":
            log = httpx.get(f"{at}/v1/tasks/{id}/log", headers=told, timeout=_PATIENCE).json()
            assert log == {"attempt": 1, "text": "hello\n"}
            (executor,) = httpx.get(f"{at}/v1/executors", headers=told, timeout=_PATIENCE).json()["executors"]
            assert executor["slots"] == 4
        for path in ("token", "tasks-token"):
            assert (tmp_path / ".config" / "supervisor" / path).stat().st_mode & 0o777 == 0o600
    assert process.returncode == (0 if words[0] == "up" else -signal.SIGTERM)  # uvicorn ends by the signal
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{at}/v1/tasks")


@pytest.fixture
def beside(store: Store) -> Iterator[tuple[Beside, str]]:
    listener = on_port(0, None)
    assert listener
    with listener:
        made = Beside(Board(store), listener, Tokens(PEOPLE, PROGRAMS))
        yield made, f"127.0.0.1:{listener.getsockname()[1]}"
        made.close()


def test_a_real_server_connects_whom_it_should(beside: tuple[Beside, str]) -> None:
    server, at = beside
    server.check()
    with pytest.raises(InvalidStatus) as refused, connect(f"ws://{at}/v1/events"):
        pass
    assert refused.value.response.status_code == 401
    told = {"Authorization": f"Bearer {PROGRAMS}"}
    evil: Any = {"origin": "http://evil.example"}
    with pytest.raises(InvalidStatus) as refused, connect(f"ws://{at}/v1/events", additional_headers=told, **evil):
        pass
    assert refused.value.response.status_code == 403
    with connect(f"ws://{at}/v1/events", additional_headers=told) as events:
        assert orjson.loads(events.recv(_PATIENCE))["tasks"] == []
        events.send("x" * 100_000)
        with pytest.raises(ConnectionClosed):
            events.recv(_PATIENCE)
    assert httpx.get(f"http://{at}/v1/tasks", headers=told).json() == {"tasks": [], "counts": {}}


def test_whoever_follows_is_told_when_it_ends(store: Store) -> None:
    from supervisor.errors import SupervisorError

    listener = on_port(0, None)
    assert listener
    with listener:
        server = Beside(Board(store), listener, Tokens(PEOPLE, PROGRAMS))
        told = {"Authorization": f"Bearer {PROGRAMS}"}
        with connect(f"ws://127.0.0.1:{listener.getsockname()[1]}/v1/events", additional_headers=told) as events:
            events.recv(_PATIENCE)
            server.close()
            with pytest.raises(ConnectionClosed):
                events.recv(_PATIENCE)
        with pytest.raises(SupervisorError):
            server.check()


def test_wrong_use_is_told(run: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUPERVISOR_RUNTIME", f"sqlite:///{tmp_path / 'runtime.db'}")
    same = ("--token", tmp_path / "token", "--tasks-token", tmp_path / "token", "--port", "0")
    busy = on_port(0, None)
    assert busy
    taken = ("--tasks-token", tmp_path / "other", "--token", tmp_path / "token", "--port", str(busy.getsockname()[1]))
    for words, problem in (
        (("serve", "--tasks", *taken), "in use"),
        (("serve", "--tasks", "--database", "nonsense"), "no URL of a database"),
        (("up", "--port", "0"), "is the port of --serve"),
        (("serve", "--console", "--tasks"), "processes of their own"),
        (("serve", "--tasks", *same), "programs and people have a token each"),
    ):
        ran = run(*words)
        assert (ran.code, problem in ran.err) == (2, True), ran.err
    busy.close()
