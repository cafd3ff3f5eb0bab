"""`python -m tests.crash --kills 10000 --seeds 1000`: kills writers, tampers in every way, and prints both tables."""

from __future__ import annotations

import argparse
import sys
import time

from tests.crash.kills import kill_writers
from tests.crash.tampering import tamper


def main() -> int:
    """0 where everything is as promised."""
    said = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
    said.add_argument("--kills", type=int, default=200, help="writers that are killed")
    said.add_argument("--seeds", type=int, default=5, help="of each kind of tampering")
    said.add_argument("--first", type=int, default=0, help="the first seed")
    said.add_argument("--processes", type=int, default=2, help="that tamper at a time")
    asked = said.parse_args()
    holds = _kill(asked.kills, asked.first) if asked.kills else True
    return 0 if (_tamper(asked) if asked.seeds else True) and holds else 1


def _kill(kills: int, seed: int) -> bool:
    started, killed = time.monotonic(), kill_writers(kills, seed)
    print("| kills | acknowledged | lost | torn tails | found by `verify` | other problems | did not go on | seconds |")
    print("|---|---|---|---|---|---|---|---|")
    figures = (killed.kills, killed.acknowledged, killed.lost, killed.torn, killed.torn_found, killed.unexpected)
    print("|", *(f"{each:,} |" for each in (*figures, killed.not_going_on, round(time.monotonic() - started))))
    return killed.holds


def _tamper(asked: argparse.Namespace) -> bool:
    started, kinds = time.monotonic(), tamper(asked.seeds, asked.processes, asked.first)
    print("\n| what is done | expected | trials | found |\n|---|---|---|---|")
    for kind in kinds:
        wrong = f" (not as expected: seeds {kind.wrong[:5]})" if kind.wrong else ""
        print(f"| {kind.name} | {kind.expected} | {kind.tried:,} | {kind.found:,}{wrong} |")
    missed = sum(len(kind.wrong) for kind in kinds)
    trials = sum(kind.tried for kind in kinds)
    print(f"\n{len(kinds)} kinds, {trials:,} trials, {missed:,} not as expected, {time.monotonic() - started:.0f} s")
    return not missed


if __name__ == "__main__":
    sys.exit(main())
