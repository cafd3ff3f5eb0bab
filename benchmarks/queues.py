"""Other queues on PostgreSQL, measured like ours: jobs that do nothing, and jobs whose worker is killed.

They run in the environment of the peers (`benchmarks/peers`), into which `install` puts them. Their jobs are functions
inside of the worker, where a task of ours is a guarded process in a tree of its own.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.fleet import wait_until
from benchmarks.peers import HERE, pip_install

PINS = {"pgqueuer": "pgqueuer[asyncpg]==1.6.0", "procrastinate": "procrastinate==3.10.0"}
FOLDER = HERE.parents[1] / ".venv-peers"
_LONGEST = 300.0  # seconds of one measurement


@dataclass(frozen=True, slots=True)
class Said:
    """A line of a job's trace, and the worker that has written it."""

    word: str
    number: int
    at: float
    worker: int


def install(name: str) -> str:
    """Installs a queue. Returns why that failed, or an empty string."""
    return pip_install(FOLDER, PINS[name])


def missing(name: str) -> str:
    """Why a queue cannot be measured; empty if it can."""
    python = FOLDER / "python" / "bin" / "python"
    if not python.exists():
        return "not installed; --install does it"
    ran = subprocess.run([str(python), "-I", "-c", f"import {name}"], capture_output=True, text=True, check=False)
    return "not installed; --install does it" if ran.returncode else ""


def throughput(name: str, url: str, folder: Path, jobs: int, workers: int, slots: int) -> float:
    """Jobs a second, from the first that is begun to the last that has ended."""
    _add(name, url, jobs, 0)
    with _working(name, url, folder, workers, slots, silence=6):
        _expect(lambda: len({each.number for each in said(folder) if each.word == "end"}) == jobs)
    times = [each.at for each in said(folder)]
    return jobs / (max(times) - min(times))


def recovery(name: str, url: str, folder: Path, slots: int, silence: float, blow: signal.Signals) -> tuple[int, float]:
    """The jobs that ran in a worker when it got a blow, and the seconds until all had begun elsewhere."""
    _add(name, url, slots, 20)
    with _working(name, url, folder, 2, slots, silence):
        _expect(lambda: len(said(folder)) >= slots)
        busiest = Counter(each.worker for each in said(folder)).most_common(1)[0][0]
        wanted = {each.number for each in said(folder) if each.worker == busiest}
        began = time.monotonic()
        os.kill(busiest, blow)
        _expect(lambda: wanted <= {each.number for each in said(folder) if each.at > began and each.word == "begin"})
        last = max(each.at for each in said(folder) if each.word == "begin" and each.number in wanted)
    return len(wanted), last - began


def said(folder: Path) -> list[Said]:
    """The traces of all workers."""
    lines = [(file, line.split()) for file in folder.glob("*.trace") for line in file.read_text().splitlines()]
    return [Said(word, int(number), float(at), int(file.stem)) for file, (word, number, at) in lines]


def _add(name: str, url: str, jobs: int, seconds: float) -> None:
    ran = subprocess.run(_command(name, "add", url, jobs, seconds), capture_output=True, text=True, check=False)
    if ran.returncode:
        raise RuntimeError(ran.stderr)


@contextmanager
def _working(name: str, url: str, folder: Path, workers: int, slots: int, silence: float) -> Iterator[None]:
    """So many workers, which are killed in the end."""
    with ExitStack() as stack:
        errors = stack.enter_context((folder / "errors").open("ab"))
        for _ in range(workers):
            command = _command(name, "work", url, folder, slots, silence)
            process = subprocess.Popen(command, stdout=errors, stderr=errors)
            stack.callback(process.wait)
            stack.callback(process.kill)
        yield


def _command(name: str, *words: object) -> list[str]:
    python = FOLDER / "python" / "bin" / "python"
    return [str(python), "-I", str(HERE / "job_queue.py"), name, *map(str, words)]


def _expect(condition: Callable[[], object]) -> None:
    if not wait_until(condition, _LONGEST):
        raise TimeoutError
