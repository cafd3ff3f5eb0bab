"""Workers without a fork server, for platforms that cannot fork safely: each is its own interpreter.

The same deadlines hold. A worker takes longer to be ready, so the spare one may come late.

    python -m supervisor.engine.workers.spawn MEMORY   (a file, with the settings in MEMORY.json; the channel is stdin)
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from supervisor.engine.workers.fork_client import import_environment, interpreter
from supervisor.engine.workers.loader import Specialists
from supervisor.engine.workers.rehearsal import rehearse
from supervisor.engine.workers.shared_memory import SIZE, SharedMemory
from supervisor.engine.workers.worker import Worker, limit_memory

_LOOK = 1.0  # seconds between two checks whether the host still runs
_POSIX = os.name == "posix"


class Spawned:
    """Workers started one by one; an `Origin`."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = settings
        self._folder = Path(tempfile.mkdtemp(prefix="supervisor-"))  # outlives a forked child
        self._processes: dict[int, subprocess.Popen[bytes]] = {}

    def start_worker(self, number: int, needs: Sequence[str] | None) -> tuple[SharedMemory, socket.socket]:
        file = self._folder / f"memory-{number}"
        with open(file, "w+b") as stream:
            stream.truncate(SIZE)
            shared = SharedMemory(stream.fileno())
        settings = {**self._settings, "host": os.getpid(), "needs": needs}
        file.with_suffix(".json").write_bytes(orjson.dumps(settings))
        ours, theirs = socket.socketpair()
        try:
            self._processes[number] = self._start(file, theirs)
        except OSError:
            ours.close()
            raise
        finally:
            theirs.close()
        return shared, ours

    def alarm(self, number: int) -> None:
        process = self._processes.get(number)
        if _POSIX and process is not None:
            process.send_signal(signal.SIGALRM)

    def kill(self, number: int) -> None:
        process = self._processes.pop(number, None)
        if process is None:
            return  # an earlier origin started it
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL) if _POSIX else process.kill()
        process.wait()

    def is_alive(self) -> bool:
        return True

    def close(self) -> None:
        for number in list(self._processes):
            self.kill(number)
        shutil.rmtree(self._folder, ignore_errors=True)

    def abandon(self) -> None:
        self._processes.clear()

    def _start(self, file: Path, channel: socket.socket) -> subprocess.Popen[bytes]:
        command = [*interpreter(), "-m", "supervisor.engine.workers.spawn", str(file)]
        nowhere, environment = subprocess.DEVNULL, import_environment()
        stdin = channel.fileno() if _POSIX else subprocess.PIPE
        process = subprocess.Popen(command, stdin=stdin, stdout=nowhere, env=environment, start_new_session=_POSIX)
        if process.stdin is not None:  # Windows passes a socket as bytes
            process.stdin.write(channel.share(process.pid))  # type: ignore[attr-defined]
            process.stdin.close()
        return process


def main() -> None:
    """Runs this process as a worker."""
    if _POSIX:
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
    channel = _channel()
    file = Path(sys.argv[1])
    settings = orjson.loads(file.with_suffix(".json").read_bytes())
    with open(file, "r+b") as stream:
        shared = SharedMemory(stream.fileno())
    if _POSIX:
        file.with_suffix(".json").unlink()
        file.unlink()
    threading.Thread(target=_end_with, args=(settings["host"],), daemon=True).start()
    limit_memory(settings["memory"])
    specialists = Specialists.from_json(settings["pairs"])
    for name in specialists.all_missing() if settings["needs"] is None else settings["needs"]:
        specialists.load(name)
    if settings["rehearse"] and settings["needs"] is None:
        deque(rehearse(specialists), maxlen=0)
    Worker(shared, channel, specialists).serve()


def _channel() -> socket.socket:
    """The host's socket, moved away from stdin. Redirects what a specialist prints to stderr."""
    channel: socket.socket
    channel = socket.socket(fileno=os.dup(0)) if _POSIX else socket.fromshare(sys.stdin.buffer.read())  # type: ignore[attr-defined]
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    os.dup2(2, 1)
    return channel


def _end_with(host: int) -> None:
    """Ends this process when its host has ended."""
    while os.getppid() == host:
        time.sleep(_LOOK)
    os._exit(1)


if __name__ == "__main__":
    main()
