"""Source files of well-kept packages, written by an agent: how many are stopped, and how long a write takes.

    python -m benchmarks.written [FOLDER …] [--most N] [--only LANGUAGE] [--json]

A FOLDER holds unpacked packages of any languages; without one, Python's site-packages are read. At most N files of each
language are drawn with a fixed seed, and each is judged as a file that an agent writes anew, with all specialists and
without a session's past. What was stopped is printed with its reason, so that a person can read each file. The time is
that which the processor spends on `supervisor.decide` in one process, for files of 150 to 250 lines, each judged twice:
the second time counts. On an idle machine it is the time that passes.

Not drawn: files that a machine made (a line of more than 1,000 characters), files of more than 256 KiB, declarations
without code (`.d.ts`), and one file of several with the same content.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sysconfig
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from benchmarks.report import machine
from supervisor.action import Context
from supervisor.decision.decision import Decision
from supervisor.engine.supervisor import Supervisor
from supervisor.evidence.flows import SUFFIXES
from supervisor.policy import Policy
from supervisor.verdict import Cause, Refusal

MOST = 3_000  # files of one language
LARGEST = 256 * 1024  # bytes of a file
LONGEST_LINE = 1_000  # characters; a person writes no longer ones
TIMED = range(150, 251)  # lines of a file whose write is timed
LANGUAGES = {".py": "python"} | {suffix: name for name, suffixes in SUFFIXES.items() for suffix in suffixes}
WORKSPACE = "/home/dev/project"


@dataclass
class Written:
    """The files of one language: what was judged and stopped, and the milliseconds that the timed ones took."""

    language: str
    files: int = 0
    stopped: list[tuple[str, str, str]] = field(default_factory=list)  # file, specialist, reason
    unread: int = 0
    took: list[float] = field(default_factory=list)

    @property
    def share(self) -> float:
        """Stopped files of a hundred."""
        return 100 * len({file for file, _, _ in self.stopped}) / self.files

    @property
    def p99(self) -> float:
        """The 99th percentile of the time, in milliseconds."""
        return sorted(self.took)[int(len(self.took) * 0.99)]

    def to_json(self) -> dict[str, Any]:
        """The row, unrounded."""
        timed = {"p50_ms": statistics.median(self.took), "p99_ms": self.p99} if self.took else {}
        return {
            "language": self.language,
            "files": self.files,
            "stopped_percent": self.share,
            "stopped": self.stopped,
            "unread": self.unread,
            "timed": len(self.took),
            **timed,
        }


def drawn(folders: Sequence[Path], most: int) -> dict[str, list[tuple[str, str]]]:
    """At most so many files of each language, as path and content."""
    found: dict[str, list[tuple[str, Path]]] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            language = LANGUAGES.get(path.suffix)
            if language and not path.name.endswith(".d.ts") and path.is_file() and not path.is_symlink():
                found.setdefault(language, []).append((str(path.relative_to(folder)), path))
    return {name: list(_of_people(files, most)) for name, files in sorted(found.items())}


def _of_people(files: list[tuple[str, Path]], most: int) -> Iterator[tuple[str, str]]:
    random.Random(1).shuffle(files)
    known = set[int]()
    for name, path in files:
        if len(known) == most:
            return
        if path.stat().st_size > LARGEST:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        made = any(len(line) > LONGEST_LINE for line in text.splitlines())
        if text.strip() and not made and hash(text) not in known:
            known.add(hash(text))
            yield name, text


async def judge(supervisor: Supervisor, language: str, files: Sequence[tuple[str, str]]) -> Written:
    """Judges every file as written anew."""
    row, context = Written(language), Context(facts={"cwd": WORKSPACE})

    async def decide(name: str, text: str) -> Decision:
        action = supervisor.action("write_file", {"path": f"{WORKSPACE}/{name}", "content": text})
        return await supervisor.decide(action, context)

    for name, text in files:
        decision = await decide(name, text)
        row.files += 1
        row.unread += any(isinstance(each, Refusal) and each.cause is Cause.INPUT for _, each in decision.opinions)
        row.stopped += [(name, by, each.reason) for by, each in decision.findings if each.verdict.stops]
        if text.count("\n") in TIMED:
            started = time.process_time()
            await decide(name, text)
            row.took.append((time.process_time() - started) * 1e3)
    return row


def show(rows: Sequence[Written]) -> None:
    """Prints what was stopped, and a table by language."""
    out = Console(highlight=False, soft_wrap=True)
    for row in rows:
        for file, specialist, reason in row.stopped:
            out.print(f"{row.language} · {file} · {specialist}: {reason}", markup=False)
    table = Table(title="Files of well-kept packages, written", box=SIMPLE, padding=(0, 1, 0, 0))
    for column in ("", "files", "stopped", "share", "unread", "timed", "p50 ms", "p99 ms"):
        table.add_column(column, justify="left" if not column else "right", no_wrap=True)
    for row in rows:
        stopped = len({file for file, _, _ in row.stopped})
        times = (f"{statistics.median(row.took):.2f}", f"{row.p99:.1f}") if row.took else ("", "")
        counts = (f"{row.files:,}", str(stopped), f"{row.share:.2f}%", str(row.unread), str(len(row.took)))
        table.add_row(row.language, *counts, *times)
    out.print(table)
    by = Counter(specialist for row in rows for _, specialist, _ in row.stopped)
    out.print(", ".join(f"{name} {count}" for name, count in by.most_common()))
    out.print(", ".join(f"{name} {value}" for name, value in machine().items()))


def main() -> None:
    """Draws, judges, prints."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.written", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[Path(sysconfig.get_path("purelib"))])
    parser.add_argument("--most", type=int, default=MOST, help="files of one language")
    parser.add_argument("--only", choices=sorted(set(LANGUAGES.values())), help="one language alone")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rows = []
    with asyncio.Runner() as runner:
        supervisor = Supervisor(Policy(isolation="none"))
        for language, files in drawn(given.folders, given.most).items():
            if files and given.only in (None, language):
                rows.append(runner.run(judge(supervisor, language, files)))
        supervisor.close()
    if given.json:
        print(json.dumps({"machine": machine(), "rows": [row.to_json() for row in rows]}, indent=2))
    else:
        show(rows)


if __name__ == "__main__":
    main()
