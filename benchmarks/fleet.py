"""Executors as processes of their own, for tests that kill and freeze them and for measurements.

    python -m benchmarks.fleet URL FOLDER WORKER SLOTS LEASE [DRIVERS [POOL]]

runs one executor until it is ended. Its tasks are not judged. With `nothing` for the drivers, no command is started: an
attempt succeeds at once, so that the engine alone is measured. With `guarded`, tasks are judged under the policy in
FOLDER/policy.yaml, agents have drivers too, and a silence of a few seconds is a hang.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from supervisor.runtime.drivers.agents import claude
from supervisor.runtime.drivers.agents.running import AgentDriver
from supervisor.runtime.drivers.driver import Capabilities, Driver, Job
from supervisor.runtime.drivers.guarding import CommandGuard
from supervisor.runtime.drivers.shell import ShellDriver
from supervisor.runtime.execution.executor import RunningExecutor, Settings
from supervisor.runtime.execution.lease import Timing
from supervisor.runtime.processes.states import State
from supervisor.runtime.processes.verdict import Limit, Limits
from supervisor.runtime.store.database import Store
from supervisor.runtime.tasks.outcome import Ending, Outcome

HANGS = 20.0  # seconds of silence, in a guarded fleet

# A command that traces itself: `begin`, some `tick`s, `end`, each with the time. All processes have the same clock.
TRACED = """
import os, sys, time
trace = os.open("trace", os.O_APPEND | os.O_CREAT | os.O_WRONLY)
about = f"{os.environ['SUPERVISOR_TASK']} {os.environ['SUPERVISOR_ATTEMPT']}"
def say(word): os.write(trace, f"{about} {word} {time.monotonic()}\\n".encode())
say("begin")
for _ in range(int(sys.argv[1])):
    time.sleep(0.05)
    say("tick")
say("end")
"""


def traced(ticks: int) -> tuple[str, ...]:
    """A command of so many twentieths of a second."""
    return (sys.executable, "-I", "-S", "-c", TRACED, str(ticks))


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a trace."""

    task: str
    attempt: int
    word: str
    at: float


def trace_of(folder: Path) -> list[Line]:
    """The whole trace of a folder."""
    file = folder / "trace"
    words = [line.split() for line in file.read_text().splitlines()] if file.exists() else []
    return [Line(task, int(attempt), word, float(at)) for task, attempt, word, at in words]


@dataclass
class Member:
    """One executor. Its children are its keeper and the launchers of workers."""

    url: str
    folder: Path
    worker: str
    slots: int
    lease: float
    more: tuple[str, ...] = ()
    process: subprocess.Popen[bytes] = field(init=False)

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        words = [self.url, str(self.folder), self.worker, str(self.slots), str(self.lease), *self.more]
        command = [sys.executable, "-m", "benchmarks.fleet", *words]
        with (self.folder / f"{self.worker}.err").open("ab") as errors:
            self.process = subprocess.Popen(command, stderr=errors, stdout=errors, cwd=Path(__file__).parents[1])

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def keeper(self) -> int | None:
        """The process of its keeper."""
        with contextlib.suppress(OSError):
            children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
            for child in children:
                if b"supervisor.runtime.processes.keeper" in Path(f"/proc/{child}/cmdline").read_bytes():
                    return int(child)
        return None

    def freeze(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def end(self) -> int:
        """Ends it politely. Returns its exit code."""
        self.thaw()
        self.process.terminate()
        return self.process.wait(60)


@contextlib.contextmanager
def fleet(
    url: str, folder: Path, executors: int, slots: int = 4, lease: float = 3.0, more: tuple[str, ...] = ()
) -> Iterator[list[Member]]:
    """So many executors, which are killed in the end."""
    members: list[Member] = []
    try:
        members.extend(Member(url, folder, f"worker-{number}", slots, lease, more) for number in range(executors))
        yield members
    finally:
        for member in members:
            member.kill()


class Nothing:
    """A driver that starts nothing."""

    capabilities = Capabilities()
    guards = False

    def run(self, job: Job) -> Outcome:
        return Outcome(Ending.SUCCEEDED)


def main(
    url: str, folder: str, worker: str, slots: str, lease: str, driver: str = "shell", pool: str = "default"
) -> None:
    asked = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: asked.set())
    with contextlib.closing(Store(url)) as store:
        timing = Timing(float(lease), "boottime" if store.is_postgres else "monotonic")
        place = Path(folder)
        guard = CommandGuard(place / "policy.yaml") if driver == "guarded" else None
        drivers = _guarded(guard) if guard else {"shell": Nothing() if driver == "nothing" else ShellDriver()}
        folders = {name: place / name for name in ("logs", "homes", "worktrees")}
        settings = Settings(worker, pool, slots=int(slots), timing=timing, drivers=drivers, guard=guard, **folders)
        running = RunningExecutor(store, settings)
        while not asked.wait(1):
            pass
        running.close()


def _guarded(guard: CommandGuard) -> dict[str, Driver]:
    """The drivers of commands and of Claude Code, which notice a hang soon."""
    soon = Limit(interrupt=HANGS, kill=HANGS, patience=1, work_counts=True)
    limits = Limits({**Limits().states, State.MODEL_WAIT: soon, State.TOOL_RUNNING: soon})
    agent = AgentDriver(claude.ClaudeDialect, "claude", claude.CAPABILITIES, guard, limits)
    return {"shell": ShellDriver(limits), "claude": agent}


def processes_below(folder: Path) -> list[int]:
    """The processes whose working directory is a folder."""
    found = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):  # it has ended
            if link.readlink() == folder:
                found.append(int(link.parent.name))
    return [pid for pid in found if pid != os.getpid()]


def wait_until(condition: Callable[[], object], seconds: float) -> bool:
    """Waits until a function returns something true. Returns whether it did in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


if __name__ == "__main__":
    main(*sys.argv[1:])
