"""Agents at work: they propose actions of every kind, receive decisions, and report outputs.

About 2% of the proposals are hostile: texts that are too large or nested too deeply, and commands that make the
deployment's own specialists loop for ever, request all memory, or abort their process.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.latency import HERE, Call, read_commands
from benchmarks.third_party import write
from supervisor.adapters.function.guard import Guard
from supervisor.decision.decision import Decision

HOSTILE = 0.02  # of all proposals
SESSION = 40  # actions of a session, on average
LAST_WAIT = 30.0  # seconds that agents wait for their last decisions
OWN = {  # the deployment's own specialists, and what each does for its trigger
    "loops": "    while 'it loops' in text:\n        pass",
    "eats": "    if 'it eats' in text:\n        bytearray(1 << 40)",
    "dies": "    if 'it dies' in text:\n        import os\n\n        os.abort()",
}
WORK: tuple[Call, ...] = (
    *read_commands(HERE / "commands.jsonl"),
    ("run_python", {"code": "import json\nrows = json.load(open('rows-{n}.json'))\nprint(len(rows))"}),
    ("run_sql", {"query": "SELECT id, total FROM orders WHERE customer = {n} ORDER BY id DESC LIMIT 20"}),
    ("run_sql", {"query": "DELETE FROM carts"}),
    ("read_file", {"path": "src/part_{n}.py"}),
    ("write_file", {"path": "notes/{n}.md", "content": "# Part {n}\n\n" + "A line about what was found.\n" * 40}),
    ("edit_file", {"path": "src/part_{n}.py", "old_string": "limit = 1", "new_string": "limit = {n}"}),
    ("delete_file", {"path": "build/part_{n}.o"}),
    ("fetch", {"url": "https://api.example.com/items/{n}", "method": "GET"}),
    ("navigate", {"url": "https://example.com/page/{n}"}),
    ("click", {"element": "Next", "url": "/page/{n}"}),
    ("fill", {"element": "Quantity", "value": "{n}"}),
    ("send_email", {"to": "ana@example.com", "subject": "Order {n}", "body": "Your order {n} is on its way."}),
    ("send_money", {"recipient": "DE02120300000000202051", "amount": "12.50", "currency": "EUR", "note": "No. {n}"}),
    ("refund_order", {"order_id": "{n}", "amount": "5.00"}),
    ("write_report", {"text": "Revenue grew in {n} of the regions that were looked at."}),
    ("ask_user", {"question": "Shall I continue?"}),
    ("list_orders", {"page": "{n}"}),
    ("finish", {"summary": "Done with part {n}."}),
)
ATTACKS: tuple[Call, ...] = (
    *(("bash", {"command": f"echo it {name} {{n}}"}) for name in OWN),
    ("bash", {"command": "echo " + "(" * 100_000}),
    ("run_python", {"code": "f(" * 5_000}),
    ("run_sql", {"query": "SELECT " + "(" * 5_000}),
    ("write_file", {"path": "big-{n}.txt", "content": "x" * 300_000}),
)


def write_own(folder: Path) -> None:
    """Writes the deployment's own specialists, which fail on some commands."""
    for name, more in OWN.items():
        write(folder, name, "shell", more)


def proposals(chance: random.Random) -> Iterator[Call]:
    """An endless sequence of proposals."""
    while True:
        tool, args = chance.choice(ATTACKS if chance.random() < HOSTILE else WORK)
        number = str(chance.randrange(10_000))
        yield tool, {name: value.replace("{n}", number) for name, value in args.items()}


class Tally:
    """Counts of the agents' requests and decisions. Thread-safe."""

    def __init__(self) -> None:
        self.asked = self.decided = 0
        self.raised: Counter[str] = Counter()
        self.ended: Counter[str] = Counter()  # specialists without a vote, by how their process ended them
        self._waited: list[float] = []
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def asking(self) -> Iterator[None]:
        """Counts one request. An exception is noted, and the agent goes on."""
        started = time.perf_counter()
        with self._lock:
            self.asked += 1
        try:
            yield
        except Exception as error:  # noqa: BLE001 - missing decisions are what is measured
            self.raised[f"{type(error).__name__}: {error}"[:200]] += 1
            return
        with self._lock:
            self.decided += 1
            self._waited.append((time.perf_counter() - started) * 1000)

    def waited(self) -> list[float]:
        """The durations of the decisions since the last call, in milliseconds, sorted."""
        with self._lock:
            waited, self._waited = self._waited, []
        return sorted(waited)


class Agents:
    """Half of them threads that call `guard.check`, half tasks of one event loop that await `guard.acheck`."""

    def __init__(self, guard: Guard, count: int, rate: float) -> None:
        """`rate`: requests a second of all agents together."""
        self.tally = Tally()
        self._guard, self._pause = guard, count / rate
        self._stopped = threading.Event()
        as_threads = [
            threading.Thread(target=self._as_thread, args=(number,), daemon=True) for number in range(0, count, 2)
        ]
        loop = threading.Thread(target=lambda: asyncio.run(self._as_tasks(range(1, count, 2))), daemon=True)
        self._threads = [*as_threads, loop]

    def start(self) -> None:
        """Starts all agents."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Stops all agents and waits LAST_WAIT seconds at most for their last decisions."""
        self._stopped.set()
        until = time.monotonic() + LAST_WAIT
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))

    def _as_thread(self, number: int) -> None:
        chance = random.Random(number)
        for tool, args in self._work(number, chance):
            with self.tally.asking():
                self._report(self._guard.check(tool, args))
            self._stopped.wait(chance.expovariate(1 / self._pause))

    async def _as_tasks(self, numbers: Sequence[int]) -> None:
        await asyncio.gather(*map(self._as_task, numbers))

    async def _as_task(self, number: int) -> None:
        chance = random.Random(number)
        for tool, args in self._work(number, chance):
            with self.tally.asking():
                self._report(await self._guard.acheck(tool, args))
            await asyncio.sleep(chance.expovariate(1 / self._pause))

    def _work(self, number: int, chance: random.Random) -> Iterator[Call]:
        """The proposals of one agent, in successive sessions, until it is stopped."""
        while not self._stopped.is_set():
            length = chance.randrange(1, 2 * SESSION)
            with self._guard.session(f"agent {number}", "Tidy up the orders.", {"cwd": "/repo", "budget": 1_000_000}):
                for call in itertools.islice(proposals(chance), length):
                    if self._stopped.is_set():
                        return
                    yield call

    def _report(self, decision: Decision) -> None:
        self.tally.ended.update(refusal.ended for _, refusal in decision.refusals if refusal.ended)
        if decision.allowed:
            self._guard.observe(decision, "Done: 3 rows.\n")
