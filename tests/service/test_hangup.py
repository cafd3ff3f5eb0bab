"""SIGHUP asks a daemon to reload. While it starts and while it gives way to its successor, SIGHUP does nothing."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from supervisor.cli import serve as verb
from supervisor.service import server, succession
from supervisor.service.places import Places
from supervisor.service.server import Start
from supervisor.service.status import Process


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = signal.getsignal(signal.SIGHUP)
    yield
    signal.signal(signal.SIGHUP, before)


class _Replaced(Exception):
    """The process would now be the successor."""


def hang_up() -> None:
    """Sends SIGHUP to this process, and makes sure that it would survive."""
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    os.kill(os.getpid(), signal.SIGHUP)


def test_it_ends_neither_a_daemon_that_starts_nor_one_that_gives_way(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hung_up: list[str] = []

    async def served(start: Start, places: Places) -> succession.Estate:
        hang_up()
        hung_up.append("starts")
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        return succession.Estate(*(os.dup(2) for _ in range(2)), None, os.dup(2), "")

    def replaced(*_: Any) -> NoReturn:
        hang_up()
        hung_up.append("gives way")
        raise _Replaced

    monkeypatch.setattr(server, "serve", served)
    monkeypatch.setattr(os, "execv", replaced)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    with pytest.raises(_Replaced):
        verb.serve(tmp_path / "d.sock")
    assert hung_up == ["starts", "gives way"]


class _Engines:
    """Ends the daemon at its second reload."""

    reloads = 0

    async def reload(self) -> None:
        self.reloads += 1
        os.kill(os.getpid(), signal.SIGHUP if self.reloads == 1 else signal.SIGTERM)

    async def follow(self) -> None:
        """Nothing is edited."""


def test_a_daemon_reloads_until_its_end_and_is_not_ended_by_it_afterwards() -> None:
    engines: Any = _Engines()

    async def main() -> bool:
        asyncio.get_running_loop().call_later(0.01, os.kill, os.getpid(), signal.SIGHUP)
        asked_to_end = asyncio.Event()
        return await server._until_ended(engines, Process("", None), ("false",), asked_to_end)

    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as `serve` does
    is_succeeded = asyncio.run(main())
    assert (is_succeeded, engines.reloads) == (False, 2)
    hang_up()  # the loop is closed
