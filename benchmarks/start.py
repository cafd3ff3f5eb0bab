"""The time of a start: importing the library, opening a supervisor, a whole `supervisor check` process.

    python -m benchmarks.start [rounds]

Each runs in a fresh process, in turns with an empty one (`python -c pass`), whose median is subtracted. Milliseconds.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

EMPTY = "pass"
PROGRAMS = {
    "import supervisor": "import supervisor",
    "import what an engine needs": "import supervisor.engine.supervisor",
    "and open a Supervisor": "from supervisor import Supervisor; Supervisor()",
    "and decide on a shell command, unrecorded": """
import anyio
from supervisor import Policy, Supervisor
from supervisor.policy import Records
opened = Supervisor(Policy(records=Records(path=None)))
anyio.run(opened.decide, opened.action("bash", {"command": "git status"}))
""",
}


def seconds(program: str) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True)
    return time.perf_counter() - started


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    took: dict[str, list[float]] = {name: [] for name in ("", *PROGRAMS)}
    for number in range(rounds + 1):
        for name in took:
            each = seconds(PROGRAMS.get(name, EMPTY))
            if number:  # the first round fills caches
                took[name].append(each * 1000)
    empty = statistics.median(took.pop(""))
    print(f"{'a fresh process, ms beside an empty one':44} {'p50':>6}   ({empty:.0f} ms empty)")
    for name, times in took.items():
        print(f"{name:44} {statistics.median(times) - empty:6.0f}")


if __name__ == "__main__":
    main()
