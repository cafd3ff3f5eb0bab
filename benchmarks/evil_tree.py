"""A tree of processes that does all it can to outlive a kill. Every process of it stays in the folder given:

python -m benchmarks.evil_tree FOLDER   (ends by itself after two minutes)
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

_LIFE = 120  # seconds, so that a broken kill leaves nothing for ever
_DEAF = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1)


def idle() -> None:
    while True:
        time.sleep(_LIFE)


def deaf() -> None:
    idle()


def own_session() -> None:
    os.setsid()
    idle()


def daemon() -> None:
    os.setsid()
    if os.fork():
        os._exit(0)
    _ready("daemon")
    idle()


def emptied_environment() -> None:
    os.setsid()
    if os.fork():
        os._exit(0)
    _ready("emptied_environment")
    os.execve("/bin/sleep", ["sleep", str(_LIFE)], {})


def stopped() -> None:
    os.kill(os.getpid(), signal.SIGSTOP)
    idle()


def renamed() -> None:
    Path("/proc/self/comm").write_text(") R 1 (")
    idle()


def forking() -> None:
    """Is another process all the time: it forks, and the parent ends."""
    os.setsid()
    until = time.monotonic() + _LIFE
    while time.monotonic() < until:
        if os.fork():
            os._exit(0)


def spreading() -> None:
    """Forks a child that stays every five milliseconds, 500 at most."""
    os.setsid()
    for _ in range(500):
        if not os.fork():
            idle()
        time.sleep(0.005)
    idle()


KINDS: tuple[Callable[[], None], ...] = (
    deaf,
    own_session,
    daemon,
    emptied_environment,
    stopped,
    renamed,
    forking,
    spreading,
)


def processes_in(folder: Path) -> set[int]:
    """The running processes whose working directory is this folder, however they are related."""
    found = set()
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{name}/cwd") == str(folder):
                found.add(int(name))
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue  # it has ended, is a zombie, or is another user's
    return found


def wait_until_grown(folder: Path, seconds: float = 20) -> None:
    """Waits until every kind of process runs in a folder."""
    until = time.monotonic() + seconds
    while not all((folder / kind.__name__).exists() for kind in KINDS):
        if time.monotonic() > until:
            raise TimeoutError(f"only {sorted(path.name for path in folder.iterdir())} run")
        time.sleep(0.005)


def _ready(kind: str) -> None:
    Path(kind).touch()


def _grow() -> None:
    for number in _DEAF:
        signal.signal(number, signal.SIG_IGN)
    for kind in KINDS:
        if not os.fork():
            signal.alarm(_LIFE)
            if kind not in (daemon, emptied_environment):
                _ready(kind.__name__)
            kind()
            os._exit(0)
    signal.alarm(_LIFE)
    idle()


if __name__ == "__main__":
    os.chdir(sys.argv[1])
    _grow()
