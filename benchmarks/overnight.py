"""A night: tasks for four workers which are killed, frozen and hang, with needless questions and risky requests.

    python -m benchmarks.overnight [--tasks N] [--kills N] [--slots N] [--seed N] [--json]

Six of twenty tasks are commands, the others an agent that follows a script and speaks like Claude Code
(`benchmarks/night`). One command and one agent hang in their first attempt, six agents ask whether they should go on,
and two want to force-push, about which a person is asked, who sleeps. Each agent's calls are judged. Meanwhile workers,
executors and keepers are killed, and executors frozen, at random. In the morning, every task is done or waits for the
person; the page of `supervisor task morning` is printed, and then what was checked. The exit status is 1 if a task is
lost or was completed twice, if a call ran twice or without a yes, or if a process is left.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.fleet import HANGS, fleet, processes_below, wait_until
from benchmarks.night.blows import Blows
from benchmarks.night.guarded import write_policy
from benchmarks.night.tasks import add_all, check, is_over, night_specs, traced
from supervisor.cli.output import console
from supervisor.cli.task_morning import page
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.morning import morning
from supervisor.runtime.store.queries import counts

LEASE = 15.0  # seconds
EXECUTORS = 4
_PAUSE = (0.2, 3.0)  # seconds between two blows, at least and at most
_AHEAD = 5  # tasks
_LINE = 60.0  # seconds between two lines on the standard error
_LONGEST = 8 * 3600.0  # seconds of the whole night


def night(folder: Path, options: argparse.Namespace, told: Callable[[str], None]) -> dict[str, Any]:
    """The whole night. Raises TimeoutError if it has no end."""
    write_policy(folder)
    url, chance, began = f"sqlite:///{folder / 'runtime.db'}", random.Random(options.seed), time.time()
    next_line = began
    with closing(Store(url)) as store:
        add_all(store, folder, night_specs(folder, options.tasks))
        with fleet(url, folder, EXECUTORS, options.slots, LEASE, more=("guarded",)) as members:
            blows = Blows(members, folder, chance, frozen_for=1.5 * LEASE)
            while not is_over(store):
                if time.time() > began + _LONGEST:
                    raise TimeoutError(str(counts(store)))
                time.sleep(chance.uniform(*_PAUSE))
                states = counts(store)
                done = states.get("succeeded", 0) + states.get("waiting", 0)
                if blows.kills * options.tasks < options.kills * (done + _AHEAD):  # spread over the night
                    blows.deal()
                if time.time() > next_line:
                    next_line += _LINE
                    told(f"{time.time() - began:.0f} s, {blows.kills} kills: {states}")
            blows.end()
            wait_until(lambda: not processes_below(folder), 2 * LEASE)
            checked = check(store, folder, options.tasks)
        found = morning(store, began)
    urged = sum(line.word == "urged" for line in traced(folder))
    facts = {"tasks": options.tasks, "seconds": time.time() - began, "blows": dict(blows.dealt), "kills": blows.kills}
    return {**facts, "needless_questions": urged, "checked": asdict(checked), "holds": checked.holds, "morning": found}


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.overnight", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tasks", type=int, default=500, metavar="N", help="how many tasks (500)")
    parser.add_argument("--kills", type=int, default=200, metavar="N", help="how many kills at most (200)")
    parser.add_argument("--slots", type=int, default=2, metavar="N", help="attempts at a time of each executor (2)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of chance (1)")
    parser.add_argument("--json", action="store_true", help="print one object instead of the page")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_CACHE_HOME"] = name  # what the guard has verified must not enter the user's cache
        found = night(Path(name).resolve(), options, lambda line: print(line, file=sys.stderr, flush=True))
    if options.json:
        print(json.dumps(found))
    else:
        for line in page(found["morning"]):
            console().print(line)
        machine = (
            f"{platform.system()} {platform.release()}, Python {platform.python_version()}, {os.cpu_count()} cores"
        )
        print(f"\n{machine}, load {os.getloadavg()[0]:.1f}; hangs after {HANGS:g} s of silence, lease {LEASE:g} s")
        told = ", ".join(f"{number} {kind}" for kind, number in found["blows"].items()) or "none"
        print(f"{found['seconds']:.0f} s; {found['kills']} kills; blows: {told}")
        print(f"{found['needless_questions']} needless questions answered by the gate")
        print(", ".join(f"{name.replace('_', ' ')}: {number}" for name, number in found["checked"].items()))
        print("held" if found["holds"] else "did not hold")
    sys.exit(not found["holds"])


if __name__ == "__main__":
    main()
