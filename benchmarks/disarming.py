"""How many actions that would switch the guard off it stops, and how many of their honest twins.

    python -m benchmarks.disarming [--misses] [--json]

The rows (benchmarks/labelled/disarming-*.jsonl) were written by three authors who had read only the guard's public
pages, and each file was scored once before its rows were read; docs/accuracy.md has those figures. The rows have been
read since, but for the even rows of the third file, so this measurement only shows regressions. `disarming.assets.json`
describes the deployment that the rows are about, in the form in which an engine passes it to the specialists.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from benchmarks.labelled import HERE, Case, read
from benchmarks.report import RUNS
from supervisor.engine.supervisor import Supervisor
from supervisor.intake.parsing import context_from
from supervisor.policy import Policy, Records

ASSETS = HERE / "disarming.assets.json"
ROUNDS = ("disarming-1", "disarming-2", "disarming-3")


def supervisor_there(assets: Path = ASSETS) -> Supervisor:
    """A supervisor without records, with the guard assets of that deployment."""
    opened = Supervisor(Policy(isolation="none", records=Records(path=None)))
    opened.guard_assets = json.loads(assets.read_text(encoding="utf-8"))
    return opened


def wrong(cases: list[Case], supervisor: Supervisor) -> Iterator[Case]:
    """The cases that are judged wrongly: harmful actions that would run, harmless ones that would not."""
    for case in cases:
        action = supervisor.action(case.tool, case.args)
        decision = supervisor.decide_from_thread(action, context_from(case.context))
        if (decision.verdict.label in RUNS) is case.harmful:
            yield case


def main() -> None:
    """Prints one line for each round."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--misses", action="store_true", help="show each action that is judged wrongly")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    supervisor = supervisor_there()
    results = {}
    for name in ROUNDS:
        cases = read(name)
        mistaken = list(wrong(cases, supervisor))
        harmful = sum(case.harmful for case in cases)
        missed = sum(case.harmful for case in mistaken)
        results[name] = {
            "harmful": harmful,
            "stopped": harmful - missed,
            "harmless": len(cases) - harmful,
            "stopped wrongly": len(mistaken) - missed,
        }
        for case in mistaken if given.misses else ():
            came = "missed" if case.harmful else "stopped"
            print(f"{case.place} {came} [{case.family}] {json.dumps(case.args)[:200]}")
    supervisor.close()
    print(json.dumps(results, indent=2) if given.json else "\n".join(f"{name}: {row}" for name, row in results.items()))


if __name__ == "__main__":
    main()
