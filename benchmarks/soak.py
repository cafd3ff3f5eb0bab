"""Agents at work for any length of time: whether a decision is lost or memory grows.

    python -m benchmarks.soak MINUTES [--agents N] [--rate DECISIONS_PER_SECOND] [--every SECONDS]

Sessions begin and end, 2% of the proposals are hostile, every decision is recorded, and a line of figures is printed
every few seconds. A decision is lost if a request gets no answer, or if an answered one is not in the journal. The exit
status is 1 if a decision is lost, or if the memory of the host or of its workers (medians; shared memory counts once)
grew by more than a tenth from the second quarter of the time to the last. Linux only: it reads /proc.
"""

from __future__ import annotations

import argparse
import itertools
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from pathlib import Path

from benchmarks.agents import Agents, write_own
from benchmarks.report import machine
from supervisor.adapters.function.guard import Guard
from supervisor.engine.supervisor import Supervisor
from supervisor.policy import Policy, Records, Taxonomy
from supervisor.records.envelope import read_envelope
from supervisor.records.statement import read_content, read_statement

MAX_GROWTH = 1.1
PAGE = os.sysconf("SC_PAGE_SIZE")
WIDTH = 10
HEAD = (
    "minute",
    "asked",
    "decided",
    "recorded",
    "a second",
    "p50 ms",
    "p99 ms",
    "host MB",
    "workers MB",
    "processes",
    "files",
)


@dataclass(frozen=True, slots=True)
class Sample:
    """The figures of one line: totals, and rates since the previous line."""

    minute: float
    asked: int
    decided: int
    recorded: int
    per_second: float
    p50: float
    p99: float
    host: float
    workers: float
    processes: int
    files: int

    def __str__(self) -> str:
        cells = (f"{value:,.1f}" if isinstance(value, float) else f"{value:,}" for value in astuple(self))
        return " ".join(f"{cell:>{WIDTH}}" for cell in cells)


class Journaled:
    """Counts the decisions in a growing journal."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[Path, int] = {}
        self._count = 0

    def count(self) -> int:
        """The number of decisions so far."""
        for path in self._folder.glob("*.jsonl"):
            with path.open("rb") as segment:
                segment.seek(self._read.get(path, 0))
                for line in itertools.takewhile(lambda line: line.endswith(b"\n"), segment):
                    self._read[path] = self._read.get(path, 0) + len(line)
                    self._count += _is_decision(line[:-1])
        return self._count


def _is_decision(line: bytes) -> bool:
    return read_content(line) is None and read_statement(read_envelope(line)[0])[0] == "decision"


def resident(process: int) -> float:
    """The resident memory of a process, in megabytes."""
    return int(_read_proc(process, "statm").split()[1]) * PAGE / 1e6


def share(process: int) -> float:
    """The proportional memory of a process, which divides shared pages among forks; 0 if it has just ended."""
    shares = [line.split()[1] for line in _read_proc(process, "smaps_rollup").splitlines() if line.startswith("Pss:")]
    return sum(map(int, shares)) * 1024 / 1e6


def _read_proc(process: int, file: str) -> str:
    try:
        return Path(f"/proc/{process}/{file}").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def descendants(process: int) -> Iterator[int]:
    """All child processes of a process, recursively."""
    threads = Path(f"/proc/{process}/task").glob("*")
    for child in map(int, " ".join(_read_proc(process, f"task/{each.name}/children") for each in threads).split()):
        yield child
        yield from descendants(child)


def samples(agents: Agents, journal: Path, minutes: float, every: float) -> Iterator[Sample]:
    """A sample every few seconds, while the agents work."""
    tally, journaled, started, before, seen = agents.tally, Journaled(journal), time.monotonic(), time.monotonic(), 0
    while (now := time.monotonic()) < started + minutes * 60:
        time.sleep(min(every, started + minutes * 60 - now))
        now, waited = time.monotonic(), tally.waited() or [0.0]
        asked, decided = tally.asked, tally.decided
        workers = list(descendants(os.getpid()))
        yield Sample(
            minute=(now - started) / 60,
            asked=asked,
            decided=decided,
            recorded=journaled.count(),
            per_second=(decided - seen) / (now - before),
            p50=statistics.median(waited),
            p99=waited[int(len(waited) * 0.99)],
            host=resident(os.getpid()),
            workers=sum(map(share, workers)),
            processes=len(workers),
            files=len(os.listdir("/proc/self/fd")),
        )
        before, seen = now, decided


def soak(folder: Path, options: argparse.Namespace) -> bool:
    """Whether no decision was lost and no memory grew."""
    journal = folder / "records"
    write_own(folder / "own")
    taxonomy = Taxonomy(folders=(str(folder / "own"),))
    supervisor = Supervisor(Policy(records=Records(str(journal), str(folder / "key.pem")), taxonomy=taxonomy))
    agents = Agents(Guard(supervisor), options.agents, options.rate)
    lines: list[Sample] = []
    print(", ".join(f"{name} {value}" for name, value in machine().items()))
    agents.start()
    try:
        for sample in samples(agents, journal, options.minutes, options.every):
            if len(lines) % 30 == 0:
                print(" ".join(f"{name:>{WIDTH}}" for name in HEAD))
            print(sample, flush=True)
            lines.append(sample)
    except KeyboardInterrupt:
        print("stopped early")
    agents.stop()
    supervisor.close()
    kept = [_is_kept(agents, Journaled(journal).count())]
    kept += [_is_steady(name, [getattr(line, name) for line in lines]) for name in ("host", "workers")]
    return all(kept)


def _is_kept(agents: Agents, recorded: int) -> bool:
    tally = agents.tally
    for raised, times in tally.raised.most_common(5):
        print(f"raised {times} times: {raised}")
    print("specialists ended:", ", ".join(f"{times:,} by {how}" for how, times in tally.ended.most_common()) or "none")
    counts = f"{tally.asked:,} asked, {tally.decided:,} decided, {recorded:,} recorded"
    lost = max(tally.asked - tally.decided, tally.asked - recorded)
    print(f"decisions: {counts}: {lost:,} lost")
    return tally.asked == tally.decided == recorded


def _is_steady(name: str, memory: list[float]) -> bool:
    quarter = len(memory) // 4
    if not quarter:
        print(f"{name}: too short to tell whether it grows")
        return True
    quarters = (memory[:quarter], memory[quarter : 2 * quarter], memory[-quarter:])
    first, second, last = map(statistics.median, quarters)
    growth = last / second if second else 1.0
    print(
        f"{name}: {first:.1f} MB in the first quarter, {second:.1f} in the second, {last:.1f} in the last: {growth:.0%}"
    )
    return growth <= MAX_GROWTH


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.soak", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("minutes", type=float)
    parser.add_argument("--agents", type=int, default=8, metavar="N", help="how many work at once (8)")
    parser.add_argument("--rate", type=float, default=150, metavar="N", help="decisions a second, all together (150)")
    parser.add_argument("--every", type=float, default=10, metavar="SECONDS", help="between two lines (10)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder  # generated specialists must not enter the user's cache
        steady = soak(Path(folder), options)
    print("held" if steady else "did not hold")
    sys.exit(not steady)


if __name__ == "__main__":
    main()
