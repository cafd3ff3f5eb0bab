"""The cost of a decision after a long session: histories of 10 and of 1,000 steps with outputs of 5 KB each.

    python -m benchmarks.histories [--rounds N] [--sort WORDS]

Cold: the first decision of a fresh worker, which has to read the whole session. Warm: later decisions, in turns of one
batch for each length. Every decision is recorded. Prints milliseconds, how often a deadline ended a specialist, and the
growth of the median; asserts nothing.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.axis import Axis, Point
from benchmarks.growth import in_turn
from benchmarks.latency import Call
from benchmarks.pasts import SORTS, session_of
from benchmarks.report import machine
from supervisor.action import Action
from supervisor.engine.session import Session
from supervisor.engine.supervisor import Supervisor
from supervisor.intake.json_values import plain
from supervisor.policy import Policy, Records
from supervisor.verdict import Refusal

STEPS = (10, 1_000)
FACTS = {"cwd": "/repo"}
TASK = "Look into what customers said last week, fix what is broken, and tell ann.berg17@example.com about it."
COLUMNS = ("warm, 10", "1,000", "growth", "cold, 10", "most", "ended", "cold, 1,000", "most", "ended")


def _shell(number: int) -> Call:
    commands = (
        f"rm -rf build/output-{number}",
        f"git checkout -- src/pkg/module_{number}.py",
        f"git push origin fix-{number}",
        f"sed -i 's/limit/most/' src/pkg/module_{number}.py",
        f"curl -s https://api.example.com/items/{number} | jq .",
        f"python -m pytest tests/test_{number}.py -q > /tmp/tests-{number}.log 2>&1",
    )
    return "bash", {"command": commands[number % len(commands)]}


def _message(number: int) -> Call:
    body = (
        f"Hello Ann,\n\nhere is what I found about order {number}: the warehouse has it, it leaves on Monday.\n\nBest"
    )
    return "send_email", {"to": f"ann.berg{number}@example.com", "subject": f"Order {number}", "body": body}


def _tool(number: int) -> Call:
    ids = {"ticket_id": f"TCK-{48_000 + number}", "order_id": f"ORD-{number:06}"}
    return "update_ticket", {**ids, "status": "waiting for the customer", "note": f"Shipment {number} was checked."}


def _payment(number: int) -> Call:
    iban = f"DE89 3704 0044 0532 {number % 10_000:04} 00"
    return "send_money", {"recipient": iban, "amount": 20 + number, "subject": f"Invoice {number}"}


def _fetch(number: int) -> Call:
    return "http_request", {"url": f"https://docs.example.org/page/{number}", "method": "GET"}


def _write(number: int) -> Call:
    content = f'"""Orders of page {number}."""\n\nfrom pathlib import Path\n\nLIMIT = {number}\n'
    return "write_file", {"path": f"src/pkg/module_{number}.py", "content": content}


ACTIONS = {
    "a shell command": _shell,
    "a message": _message,
    "a tool call": _tool,
    "a payment": _payment,
    "a fetch": _fetch,
    "a file": _write,
}


@contextlib.contextmanager
def opened() -> Iterator[Supervisor]:
    """A supervisor that records, with fresh workers of its own."""
    with tempfile.TemporaryDirectory() as folder:
        supervisor = Supervisor(Policy(records=Records(folder, str(Path(folder) / "key.pem"))))
        try:
            supervisor.start()
            yield supervisor
        finally:
            supervisor.close()


def remembered(supervisor: Supervisor, sort: str, steps: int, seed: int) -> Session:
    """A session that this supervisor has observed without deciding anything in it."""
    session = Session(task=TASK, facts=FACTS)
    for past in session_of(sort, steps, seed):
        supervisor.observe(session, supervisor.action(past.tool, past.args), plain(past.output))
    return session


def cold(sort: str, action: str, steps: int, rounds: int) -> tuple[list[float], int]:
    """The durations of first decisions, in milliseconds, and the number of specialists that a deadline ended."""
    took, ended = [], 0
    for seed in range(rounds):
        with opened() as supervisor:
            session = remembered(supervisor, sort, steps, seed)
            _decide(supervisor, Session(facts=FACTS), ACTIONS[action](seed))  # imports the specialists
            started = time.perf_counter()
            ended += _decide(supervisor, session, ACTIONS[action](seed))
            took.append((time.perf_counter() - started) * 1000)
    return took, ended


def _decide(supervisor: Supervisor, session: Session, call: Call) -> int:
    decision = supervisor.decide_from_thread(_action(supervisor, call), None, session)
    return sum(isinstance(opinion, Refusal) and opinion.ended != "" for _, opinion in decision.opinions)


def _action(supervisor: Supervisor, call: Call) -> Action:
    tool, args = call
    return supervisor.action(tool, args)


def warm(supervisor: Supervisor, sessions: Sequence[Session], action: str, rounds: int) -> dict[str, Any]:
    """The results of one sort of action, over sessions of every length."""
    make = ACTIONS[action]
    points = [
        Point(len(session.context().history), in_turn(supervisor, session), map(make, count())) for session in sessions
    ]
    axis = Axis(action, points, most_growth=1.5)
    axis.measure(rounds)
    return axis.to_json()


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.histories", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="batches of each length, warm (5)")
    parser.add_argument("--cold", type=int, default=5, metavar="N", help="first decisions of each length (5)")
    parser.add_argument("--sort", default="", help="only sorts of sessions that contain this text")
    parser.add_argument("--action", default="", help="only actions that contain this text")
    options = parser.parse_args()
    for sort in (sort for sort in SORTS if options.sort in sort):
        print("\n" + f"{sort:>26}" + "".join(f"{name:>12}" for name in COLUMNS))
        with opened() as supervisor:
            sessions = [remembered(supervisor, sort, steps, 0) for steps in STEPS]
            for action in (action for action in ACTIONS if options.action in action):
                axis = warm(supervisor, sessions, action, max(options.rounds, 1))
                show(action, axis, [cold(sort, action, steps, options.cold) for steps in STEPS] if options.cold else [])
    print(f"\n{machine()}")


def show(action: str, axis: dict[str, Any], first: Sequence[tuple[list[float], int]]) -> None:
    """Prints one line of the table."""
    cells = [point["p50_ms"] for point in axis["points"]] + [axis["growth"]]
    cells += [each for took, ended in first for each in (statistics.median(took), max(took), ended)]
    print(f"{action:>26}" + "".join(f"{each:>12.1f}" for each in cells), flush=True)


if __name__ == "__main__":
    os.environ.setdefault("XDG_CACHE_HOME", tempfile.gettempdir())
    main()
