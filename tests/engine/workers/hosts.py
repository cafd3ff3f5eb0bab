"""Programs that use Supervisor, run as processes of their own, and a count of what they leave behind."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import yaml

from tests.catalog import taxonomies

_MARK = "SUPERVISOR_TEST_HOST"
PATIENT = {"pure_ms": 60_000}  # so that a busy machine makes no vote late
_STUCK = """\
    while "stuck" in action.text("command"):
        pass
    return ok()"""
OPENING = """
import os, signal, sys, threading, time
from supervisor import Context, Policy, Supervisor
from supervisor.policy import read_policy

supervisor = Supervisor(read_policy(os.environ["SUPERVISOR_POLICY"]))

def decide(command):
    return supervisor.decide_from_thread(supervisor.action("bash", {"command": command})).verdict.label

def say(*words):
    print(*words, flush=True)
"""


@contextmanager
def host(program: str, folder: Path, **policy: object) -> Iterator[Host]:
    """A program that begins with OPENING, running under a policy in which one specialist blocks `forbidden` and never
    comes back from `stuck`."""
    _, judge = taxonomies.add(folder, "objects")
    judge.write_text(judge.read_text().replace("    return ok()", _STUCK))
    file = folder / "policy.yaml"
    own = {"taxonomy": {"folders": [str(folder)], "shipped": False}, "records": {"path": None}, "budgets": PATIENT}
    file.write_text(yaml.safe_dump(own | policy))
    mark = uuid.uuid4().hex
    environment = {**os.environ, _MARK: mark, "SUPERVISOR_POLICY": str(file)}
    command = [sys.executable, "-u", "-c", OPENING + program]
    process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield Host(process, mark)
    finally:
        for left in processes(mark) | {process.pid}:
            with suppress(ProcessLookupError):
                os.kill(left, 9)
        process.communicate()


class Host:
    """A running program."""

    def __init__(self, process: subprocess.Popen[str], mark: str) -> None:
        self.process = process
        self._mark = mark

    def line(self) -> str:
        """The next line that it prints."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def tell(self, line: str = "") -> None:
        """Writes a line to its standard input."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    @property
    def workers(self) -> set[int]:
        """Every process that it has started, and those have."""
        return processes(self._mark) - {self.process.pid}

    def wait(self) -> int:
        """Its exit status."""
        return self.process.wait(60)


def processes(mark: str) -> set[int]:
    """The living processes that carry this mark in their environment."""
    return {int(entry) for entry in os.listdir("/proc") if entry.isdigit() and _carries(Path("/proc", entry), mark)}


def _carries(process: Path, mark: str) -> bool:
    try:
        is_dead = process.joinpath("stat").read_text().rpartition(")")[2].split()[0] in "ZX"
        return not is_dead and f"{_MARK}={mark}".encode() in process.joinpath("environ").read_bytes().split(b"\0")
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return False
