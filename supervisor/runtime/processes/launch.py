"""This side of the launcher: starts it, and reads what it reports."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from supervisor.runtime.processes.cgroup import filling
from supervisor.runtime.processes.identity import Identity, boot_id, identity_of
from supervisor.runtime.processes.killing import kill_tree
from supervisor.runtime.processes.tree import Tree

Started = subprocess.Popen[bytes]
_LAUNCHER = Path(__file__).with_name("launcher.py")
_START = 30_000  # milliseconds for a command to be started


class Report:
    """What the launcher says through its pipe, in lines: a word and its values."""

    def __init__(self, pipe: int) -> None:
        self._pipe: int | None = pipe
        self._text = b""
        self._lock = threading.Lock()  # a thread may wait for an exit while another one looks

    def wait_for_start(self) -> None:
        """Waits until the launcher has said something, or has become the command and closed the pipe."""
        while self._pipe is not None and b"\n" not in self._text:
            if not self._read(_START):
                raise TimeoutError("the launcher of a worker does not answer")

    def failure(self) -> int:
        """The error number for which the command was not started; 0 if it was."""
        return next(iter(self._values("failed")), 0)

    def leader(self) -> Identity | None:
        values = self._values("running")
        return Identity(values[0], values[1], boot_id()) if values else None

    def exit_code(self) -> int | None:
        while self._read(0):
            pass
        return next(iter(self._values("exit")), None)

    def close(self) -> None:
        with self._lock:
            self._close()

    def _values(self, word: str) -> list[int]:
        """The numbers of the line that begins with this word."""
        lines = [line.split() for line in self._text.decode().split("\n")[:-1]]
        return [int(value) for first, *values in lines if first == word for value in values]

    def _read(self, milliseconds: int) -> bool:
        """Reads what comes within this time. Returns whether there was anything, and more may come."""
        with self._lock:
            if self._pipe is None:
                return False
            poll = select.poll()
            poll.register(self._pipe, select.POLLIN)
            if not poll.poll(milliseconds):
                return False
            chunk = os.read(self._pipe, 4096)
            self._text += chunk
            if not chunk:
                self._close()
            return True

    def _close(self) -> None:
        if self._pipe is not None:
            os.close(self._pipe)
            self._pipe = None


def launch(
    tree: Tree, argv: Sequence[str], cwd: Path, env: Mapping[str, str], streams: Mapping[str, int]
) -> tuple[Started, Report]:
    """Starts a command, held together as the tree says, and waits until it runs or has failed. Raises OSError if it
    fails before a process exists."""
    with contextlib.nullcontext() if tree.parent is None else filling(tree.parent):
        return _launch(tree, argv, {**streams, "cwd": cwd, "env": env, "start_new_session": True})


def _launch(tree: Tree, argv: Sequence[str], settings: Mapping[str, Any]) -> tuple[Started, Report]:
    ours, theirs = os.pipe()
    report = Report(ours)
    try:
        if tree.cgroup is not None:
            tree.cgroup.create()
        process = subprocess.Popen(_command(tree, theirs, argv), pass_fds=[theirs], **settings)
    except OSError:
        report.close()
        if tree.cgroup is not None:
            tree.cgroup.remove()
        raise
    finally:
        os.close(theirs)
    try:
        report.wait_for_start()
    except TimeoutError:
        kill_tree(tree.started(identity_of(process.pid), None), polite=None)  # a shim would have answered
        report.close()
        for stream in filter(None, (process.stdin, process.stdout, process.stderr)):
            stream.close()
        process.wait()
        raise
    return process, report


def _command(tree: Tree, report: int, argv: Sequence[str]) -> list[str]:
    """The launcher's command line. Its Python sees neither the worker's environment nor the folder it starts in."""
    door = "-" if tree.cgroup is None else str(tree.cgroup.door)
    return [sys.executable, "-I", "-S", str(_LAUNCHER), tree.method, str(report), door, *argv]
