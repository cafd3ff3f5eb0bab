"""Starts a worker: a process with everything that it will start, held together so that all of it can be killed."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Literal

from supervisor.errors import SupervisorError
from supervisor.runtime.processes import terminal
from supervisor.runtime.processes.containment import detect
from supervisor.runtime.processes.identity import Identity, identity_of, is_alive
from supervisor.runtime.processes.killing import Killed, kill_tree
from supervisor.runtime.processes.launch import Report, Started, launch
from supervisor.runtime.processes.output import Bound, Drain
from supervisor.runtime.processes.tree import MARKER, Tree

UNKNOWN = -1000  # an exit code that no process has
_LOOK = 0.01  # seconds between two looks whether the leader has ended
_REAPED = 10.0  # seconds for a killed process to be waited for
_LAST_WORDS = 1.0  # seconds to read what a killed worker has written


@dataclass(frozen=True, slots=True)
class Sink:
    """Where an output goes: nowhere unless it is drained. `file` gets what is kept, `listener` every chunk."""

    drained: bool = True
    bound: Bound = field(default_factory=Bound)
    file: Path | None = None
    listener: Callable[[bytes], None] | None = None

    def drain(self, pipe: IO[bytes] | None) -> Drain | None:
        if pipe is None:
            return None
        with pipe:
            return Drain(os.dup(pipe.fileno()), self.bound, self.file, self.listener)


NOWHERE = Sink(drained=False)


class OutputCut(SupervisorError):
    """A process outlived its worker and still holds the worker's output."""

    code = "output_cut"


def new_marker() -> str:
    """A name for one worker, never used before."""
    return secrets.token_hex(16)


def start(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    stdin: Literal["nothing", "pipe", "terminal"] = "nothing",
    stdout: Sink = NOWHERE,
    stderr: Sink | Literal["stdout"] = NOWHERE,
    plan: Tree | None = None,
) -> Worker:
    """Starts a command in a session of its own. `plan` says how it is contained: stored before, it lets a later process
    kill what this one did not live to see started. With `stderr="stdout"`, both outputs are one. A terminal is input
    and both outputs; it is to be drained. Raises OSError if the command or a file cannot be opened."""
    tree = plan or Tree.planned(new_marker(), detect())
    errors = NOWHERE if stderr == "stdout" else stderr
    streams = {
        "stdin": subprocess.PIPE if stdin == "pipe" else subprocess.DEVNULL,
        "stdout": subprocess.PIPE if stdout.drained else subprocess.DEVNULL,
        "stderr": subprocess.PIPE if errors.drained else subprocess.DEVNULL,
    }
    if stderr == "stdout":
        streams["stderr"] = subprocess.STDOUT
    side, line = terminal.opened() if stdin == "terminal" else (None, None)
    try:
        if line is not None:
            streams = dict.fromkeys(streams, line)
        process, report = launch(tree, argv, cwd, {**env, MARKER: tree.marker}, streams)
    except OSError:
        if side is not None:
            os.close(side)
        raise
    finally:
        if line is not None:
            os.close(line)
    worker = Worker(tree.started(*_identities(tree, process, report)), process, report)
    if side is not None:
        worker.stdin = os.fdopen(side, "wb", buffering=0)
    try:
        if errno := report.failure():
            raise OSError(errno, os.strerror(errno), argv[0])
        printed = process.stdout if side is None else os.fdopen(os.dup(side), "rb", buffering=0)
        worker.stdout, worker.stderr = stdout.drain(printed), errors.drain(process.stderr)
    except OSError:
        worker.close()
        raise
    return worker


def _finish(drain: Drain) -> None:
    if not drain.finish(_LAST_WORDS):
        raise OutputCut(f"{drain.total:,} bytes were read when the worker was closed, and its output goes on")


def _identities(tree: Tree, process: Started, report: Report) -> tuple[Identity | None, Identity | None]:
    """The leader and the shim."""
    if tree.method != "subreaper":
        return identity_of(process.pid), None
    return report.leader(), identity_of(process.pid)


class Worker:
    """A running worker. `tree` is what a later process needs to kill it, and should be stored. A `with` block kills it
    at its end."""

    def __init__(self, tree: Tree, process: Started, report: Report) -> None:
        self.tree = tree
        self.stdin: IO[bytes] | None = process.stdin
        self.stdout: Drain | None = None
        self.stderr: Drain | None = None
        self._process = process
        self._report = report

    def poll(self) -> int | None:
        """The leader's exit code as in `subprocess`; None while it runs. Other processes may run on after it. UNKNOWN
        if somebody has killed the shim, since nobody else could wait for the leader."""
        if self.tree.method != "subreaper":
            return self._process.poll()
        code = self._report.exit_code()
        if code is None and self._process.poll() is not None and not self._leader_runs():
            code = self._report.exit_code()
            return UNKNOWN if code is None else code
        return code

    def wait(self, timeout: float | None = None) -> int:
        """Waits for the leader's exit. Raises TimeoutError."""
        until = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if until is not None and time.monotonic() > until:
                raise TimeoutError(f"the worker still runs after {timeout} s")
            time.sleep(_LOOK)
        return code

    def kill(self, polite: signal.Signals | None = signal.SIGINT, grace: float = 5.0) -> Killed:
        """Kills every process of the worker. What it has printed stays to be read."""
        killed = kill_tree(self.tree, polite, grace)
        if not killed.survivors:
            self._process.wait(_REAPED)
        return killed

    def close(self) -> None:
        """Kills what is left, reads the rest of the output, closes all pipes. Raises what a listener has raised, and
        OutputCut if something that could not be killed still holds an output."""
        with contextlib.ExitStack() as last:
            for drain in (self.stdout, self.stderr):
                if drain is not None:
                    last.callback(_finish, drain)
            last.callback(self._close_pipes)
            self.kill(polite=None)

    def _close_pipes(self) -> None:
        self.poll()
        self._report.close()
        for pipe in (self.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):  # what was not yet written is for nobody
                    pipe.close()

    def _leader_runs(self) -> bool:
        return self.tree.leader is not None and is_alive(self.tree.leader)

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
