"""Looks for new failures for some time: `python -m tests.fuzz --minutes 10`, or `make fuzz MINUTES=10`.

The properties are those of the suite. Each round runs them all with another seed, in a process of its own, so that
nothing ends with a crash. What failed is left out of later rounds, and Hypothesis keeps its example.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

from tests.fuzz.watch import FOLDER

FUZZ = Path(".hypothesis/fuzz")
NOTE = FUZZ / "example"  # how many examples the round has tried, in which test, and the last of them
EVERY = 15.0  # seconds between two lines of progress
_FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/fuzz/\S+?\.py(?:::\S+)?)", re.MULTILINE)


class Search:
    """One search: what has been tried, and what has failed."""

    def __init__(self, minutes: float) -> None:
        self._began = time.monotonic()
        self._end = self._began + 60 * minutes
        self._examples = 0
        self.failed: dict[str, Path] = {}

    def run(self) -> None:
        """Round after round, until the time is over."""
        FUZZ.mkdir(parents=True, exist_ok=True)
        rounds = itertools.count(1)
        while time.monotonic() < self._end and self._round(FUZZ / f"round-{next(rounds)}.log"):
            pass
        self._say()

    def _round(self, log: Path) -> bool:
        """One round; whether there was anything left to try."""
        NOTE.unlink(missing_ok=True)
        seed = random.SystemRandom().randrange(2**32)
        options = ["-p", "no:cacheprovider", "--capture=sys", "--tb=short", f"--hypothesis-seed={seed}"]
        skipped = [f"--deselect={name}" for name in self.failed]
        environment = {**os.environ, FOLDER: str(FUZZ), "HYPOTHESIS_PROFILE": "search"}
        with log.open("wb") as out:
            process = subprocess.Popen(
                [sys.executable, "-m", "pytest", "tests/fuzz", "-m", "thorough or not thorough", *options, *skipped],
                env=environment,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
            in_time = self._watch(process)
        self._examples += (tried := _tried())
        failed = _FAILED.findall(log.read_text(errors="replace"))
        for name in failed:
            self._report(name, log)
        if in_time and process.returncode not in (0, 1) and not failed:
            self._crashed(log)
        return tried > 0

    def _watch(self, process: subprocess.Popen[bytes]) -> bool:
        """Says how far it has come until the round ends; whether it ended before the time was over."""
        tried = 0
        while (left := self._end - time.monotonic()) > 0:
            try:
                process.wait(min(EVERY, left))
            except subprocess.TimeoutExpired:
                self._say(tried := max(tried, _tried()))
            else:
                return True
        process.terminate()
        process.wait()
        return False

    def _crashed(self, log: Path) -> None:
        """Keeps the example that ended the process, and leaves its test out."""
        if not NOTE.exists():
            self._report("tests/fuzz", log)
            return
        kept = NOTE.rename(log.with_suffix(".crash"))
        self._report(kept.read_text().splitlines()[1].removesuffix(" (call)"), kept)

    def _report(self, name: str, told: Path) -> None:
        if name not in self.failed:
            self.failed[name] = told
            print(f"FAILED {name}: see {told}", flush=True)

    def _say(self, running: int = 0) -> None:
        seconds = time.monotonic() - self._began
        tried = self._examples + running
        print(f"{seconds / 60:5.1f} min: {tried:,} examples, {len(self.failed)} failures", flush=True)


def _tried() -> int:
    """How many examples the round has tried; 0 while the note of them is being written."""
    try:
        return int(NOTE.read_text().partition("\n")[0] or 0)
    except FileNotFoundError:
        return 0


def main() -> int:
    """1 where anything failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    search = Search(parser.parse_args().minutes)
    search.run()
    for name, told in search.failed.items():
        print(f"\n{name}\n  seen in  {told}\n  again:   HYPOTHESIS_PROFILE=search python -m pytest '{name}'")
    return int(bool(search.failed))


if __name__ == "__main__":
    sys.exit(main())
