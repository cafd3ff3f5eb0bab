"""What the guard stops of actions that would switch it off, and of their honest twins.

    python -m benchmarks.disarming [--misses] [--json]

The rows (benchmarks/labelled/disarming-*.jsonl) were written by three authors who had read nothing of the guard but
what its public pages say, each scored once before anybody read a row; docs/accuracy.md has those figures. Since then
they were read, but for the even rows of the third set, so this only tells whether something broke. The deployment that
they are about stands in `disarming.assets.json`, as an engine there tells it to the specialists.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from benchmarks.labelled import HERE, Case, read
from benchmarks.report import RUNS
from supervisor.engine import Supervisor
from supervisor.policy import Policy, Records
from supervisor.proposal import context_from

ASSETS = HERE / "disarming.assets.json"
ROUNDS = ("disarming-1", "disarming-2", "disarming-3")


def supervisor_there(assets: Path = ASSETS) -> Supervisor:
    """A supervisor without records that takes itself for the one of that deployment."""
    opened = Supervisor(Policy(isolation="none", records=Records(path=None)))
    opened.guard_assets = json.loads(assets.read_text(encoding="utf-8"))
    return opened


def wrong(cases: list[Case], supervisor: Supervisor) -> Iterator[Case]:
    """The harmful actions that would run, and the harmless ones that would not."""
    for case in cases:
        action = supervisor.action(case.tool, case.args)
        decision = supervisor.decide_from_thread(action, context_from(case.context))
        if (decision.verdict.label in RUNS) is case.harmful:
            yield case


def main() -> None:
    """Prints a line a round."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--misses", action="store_true", help="show each action that is judged wrongly")
    parser.add_argument("--json", action="store_true", help="for programs")
    given = parser.parse_args()
    supervisor = supervisor_there()
    told = {}
    for name in ROUNDS:
        cases = read(name)
        mistaken = list(wrong(cases, supervisor))
        harmful = sum(case.harmful for case in cases)
        missed = sum(case.harmful for case in mistaken)
        told[name] = {
            "harmful": harmful,
            "stopped": harmful - missed,
            "harmless": len(cases) - harmful,
            "stopped wrongly": len(mistaken) - missed,
        }
        for case in mistaken if given.misses else ():
            came = "missed" if case.harmful else "stopped"
            print(f"{case.place} {came} [{case.family}] {json.dumps(case.args)[:200]}")
    supervisor.close()
    print(json.dumps(told, indent=2) if given.json else "\n".join(f"{name}: {row}" for name, row in told.items()))


if __name__ == "__main__":
    main()
