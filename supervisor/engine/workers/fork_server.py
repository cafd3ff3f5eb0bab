"""The source of workers on Linux: a small process with all specialists imported and rehearsed, which forks a worker in
2 ms.

It has one thread, so a fork of it is safe, whatever threads and loops the host has. It ends when the host closes the
connection or ends. Its workers end with it, also when it is killed.

    python -m supervisor.engine.workers.fork_server SETTINGS   (a file descriptor; the host's socket is stdin)
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import gc
import os
import resource
import select
import signal
import socket
import sys
import traceback
from typing import Any

import orjson

from supervisor.engine.workers.loader import Specialists
from supervisor.engine.workers.rehearsal import rehearse
from supervisor.engine.workers.shared_memory import SharedMemory
from supervisor.engine.workers.worker import Worker, limit_memory

_DIE_WITH_PARENT, _ADOPT_ORPHANS = 1, 36  # PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, prctl(2)
_SEAL_FUTURE_WRITE = 0x10  # F_SEAL_FUTURE_WRITE, fcntl(2); existing mappings stay writable
_NOTHING = object()
_MESSAGE = 256 * 1024  # bytes, more than one message on the socket can have


class ForkServer:
    """Forks and kills workers on the host's orders."""

    def __init__(self, control: socket.socket, settings: dict[str, Any]) -> None:
        self._control = control
        self._memory = settings["memory"]
        self._specialists = Specialists.from_json(settings["pairs"])
        self._rehearsal = rehearse(self._specialists) if settings["rehearse"] else iter(())
        self._is_prepared = False
        self._ordered: dict[int, tuple[int, int]] = {}  # workers that are forked once all is prepared
        self._workers: dict[int, int] = {}
        self._host = os.pidfd_open(settings["host"])
        if os.getppid() != settings["host"]:
            raise SystemExit("the host is gone")

    def run(self) -> None:
        """Obeys orders until the host closes the connection or ends. Meanwhile it prepares for workers that wait."""
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        poll.register(self._host, select.POLLIN)
        while True:
            ready = poll.poll(0 if self._ordered else None)
            if any(file == self._host for file, _ in ready) or (ready and not self._obey()):
                break
            if not ready:
                self._prepare()
        for number in list(self._workers):
            self._kill(number)
        self._kill_strays()

    def _prepare(self) -> None:
        """Imports one more specialist, then rehearses with one. At the end, forks the workers that wait for it."""
        if missing := self._specialists.all_missing():
            self._specialists.load(missing[0])
        elif next(self._rehearsal, _NOTHING) is _NOTHING:
            self._is_prepared = True
            for number, (channel, memory) in self._ordered.items():
                self._fork(number, channel, memory)
            self._ordered.clear()

    def _obey(self) -> bool:
        """Obeys one order; False if the host has closed the connection."""
        message, files, _, _ = socket.recv_fds(self._control, _MESSAGE, 2)
        if not message:
            return False
        order = orjson.loads(message)
        if "fork" in order:
            self._start(order["fork"], order["needs"], *files)
        elif "alarm" in order:
            self._signal(order["alarm"], signal.SIGALRM)
        else:
            self._kill(order["kill"])
        return True

    def _start(self, number: int, needs: list[str] | None, channel: int, memory: int) -> None:
        """Forks a worker that has imported at least the specialists in `needs`; None: one that has everything
        prepared, as soon as that is so."""
        if needs is None and not self._is_prepared:
            self._ordered[number] = channel, memory
            return
        for name in self._specialists.missing(needs or ()):
            self._specialists.load(name)
        self._fork(number, channel, memory)

    def _fork(self, number: int, channel: int, memory: int) -> None:
        gc.collect()
        gc.freeze()  # keeps memory pages shared between workers
        parent = os.getpid()
        child = os.fork()
        if not child:
            self._become_worker(parent, channel, memory)
        self._workers[number] = child
        os.close(channel)
        os.close(memory)

    def _become_worker(self, parent: int, channel: int, memory: int) -> None:
        status = 1
        try:
            _prctl(_DIE_WITH_PARENT, signal.SIGKILL)
            if os.getppid() != parent:
                os._exit(status)
            os.setsid()  # its children are killed with it
            self._control.close()
            os.close(self._host)
            limit_memory(self._memory)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            shared = SharedMemory(memory)
            with contextlib.suppress(OSError):  # Linux before 5.1 has no such seal, so the file stays writable there
                fcntl.fcntl(memory, fcntl.F_ADD_SEALS, _SEAL_FUTURE_WRITE)
            os.close(memory)
            Worker(shared, socket.socket(fileno=channel), self._specialists).serve()
            status = 0
        except Exception:  # noqa: BLE001 - no caller would report it
            traceback.print_exc()
        finally:
            os._exit(status)

    def _signal(self, number: int, what: signal.Signals) -> None:
        if number in self._workers:
            with contextlib.suppress(ProcessLookupError):  # a crash closes the worker's channel, which the host sees
                os.kill(self._workers[number], what)

    def _kill(self, number: int) -> None:
        for file in self._ordered.pop(number, ()):
            os.close(file)
        child = self._workers.pop(number, None)
        if child is None:
            return
        for kill in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError):
                kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        self._kill_strays()

    def _kill_strays(self) -> None:
        """Kills the processes that a killed worker had started in their own sessions: this process adopts them."""
        while strays := self._children() - set(self._workers.values()):
            for stray in strays:
                os.kill(stray, signal.SIGKILL)
                os.waitpid(stray, 0)

    def _children(self) -> set[int]:
        try:
            with open(f"/proc/self/task/{os.getpid()}/children") as file:
                return {int(child) for child in file.read().split()}
        except FileNotFoundError:  # /proc is not mounted, so children cannot be listed
            return set()


def _prctl(option: int, value: int) -> None:
    if _LIBC.prctl(option, value, 0, 0, 0):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


_LIBC = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Reads the settings, moves the host's socket away from stdin, and obeys the host's orders."""
    with open(int(sys.argv[1]), "rb") as file:
        settings = orjson.loads(file.read())
    control = socket.socket(fileno=os.dup(0))
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    os.dup2(2, 1)  # a specialist's prints must not mix with the host's output
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # a host that ignores it passes that on
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    _prctl(_ADOPT_ORPHANS, 1)
    if os.sched_getscheduler(0) != os.SCHED_OTHER:  # a real-time host must be able to end a worker
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    ForkServer(control, settings).run()


if __name__ == "__main__":
    main()
