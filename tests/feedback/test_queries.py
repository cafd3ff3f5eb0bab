"""What the index answers."""

from __future__ import annotations

from datetime import timedelta

import pytest

from supervisor.feedback import ingest, queries
from supervisor.feedback.misses import clusters, misses
from supervisor.feedback.store import Store
from tests.feedback.journals import Machine, at, lost

NOW = at(10_000)


def next_of(store: Store, count: int = 10, by: str = "ann") -> list[tuple[str, int]]:
    with store.reading() as connection:
        return [
            (each.summary.removeprefix("bash "), each.like) for each in queries.next_items(connection, count, by, NOW)
        ]


def test_one_of_each_group_then_the_riskiest_then_the_oldest(store: Store, machine: Machine) -> None:
    """A block counts as riskier than a flag; numbers make no other group; what is ok waits for nobody."""
    machine.decide("mv a b", "flag", 1)
    machine.decide("touch x1", "block", 3)
    machine.decide("touch x2", "block", 2)
    machine.decide("ls", "ok", 0)
    machine.decide("cp a b", "block", 5)
    ingest.update(store, [machine.records])
    assert next_of(store) == [("touch x2", 2), ("cp a b", 1), ("mv a b", 1), ("touch x1", 1)]
    assert next_of(store, 2) == [("touch x2", 2), ("cp a b", 1)]


def test_what_is_labelled_waits_no_more_and_its_group_comes_last(store: Store, machine: Machine) -> None:
    first = machine.decide("touch x1", "block", 1)
    machine.decide("touch x2", "block", 2)
    machine.decide("mv a b", "flag", 3)
    machine.label(first, "right")
    ingest.update(store, [machine.records])
    assert next_of(store) == [("mv a b", 1), ("touch x2", 1)]
    machine.label(first, "withdrawn", minute=61)
    ingest.update(store, [machine.records])
    assert next_of(store) == [("touch x1", 2), ("mv a b", 1), ("touch x2", 1)]


def test_a_held_item_is_nobody_elses_until_it_expires(store: Store, machine: Machine) -> None:
    record = machine.decide()
    ingest.update(store, [machine.records])
    with store.writing() as connection:
        assert queries.hold(connection, record, "ann", NOW, 60)
        assert not queries.hold(connection, record, "bob", NOW + timedelta(seconds=59), 60)
        assert queries.hold(connection, record, "ann", NOW + timedelta(seconds=30), 60)
    assert (len(next_of(store, by="ann")), len(next_of(store, by="bob"))) == (1, 0)
    with store.writing() as connection:
        assert queries.hold(connection, record, "bob", NOW + timedelta(seconds=90), 60)
        queries.release(connection, record, "ann")
        whole = queries.whole(connection, record)
        assert whole
        assert whole.holder == "bob"
        queries.release(connection, record, "bob")
        assert queries.hold(connection, record, "ann", NOW)


def test_the_weeks_of_a_specialist(store: Store, machine: Machine) -> None:
    wrong = machine.decide("touch x1", "block", 0)
    machine.decide("touch y1 z1", "nudge", 1, losses=[lost()])
    machine.decide("touch y1", "ok", 2)
    machine.decide("touch z", "flag", 3)
    machine.decide("touch z", "flag", 7 * 24 * 60)
    machine.label(wrong)
    ingest.update(store, [machine.records])
    with store.reading() as connection:
        found = queries.weeks(connection)
        assert queries.weeks(connection, "touches_block", "2026-W46") == [found[2]]
    assert [(each.specialist, each.week, each.stopped, each.flagged) for each in found] == [
        ("asks_database", "2026-W45", 0, 0),
        ("touches_block", "2026-W45", 2, 1),
        ("touches_block", "2026-W46", 0, 1),
    ]
    assert (found[0].refusals, found[0].p50_ms) == (1, None)
    assert (found[1].labelled_wrong, found[1].labelled_right) == (1, 0)
    assert found[1].heeded_rate is not None
    assert found[1].p50_ms == pytest.approx(2.0, rel=0.04)


def test_one_decision_with_everything(store: Store, machine: Machine) -> None:
    record = machine.decide(losses=[lost()])
    machine.decide(minute=1, kind="outcome")
    machine.label(record, "wrong", note="mine")
    machine.deny(record)
    ingest.update(store, [machine.records])
    with store.reading() as connection:
        whole = queries.whole(connection, record)
        assert queries.whole(connection, "0" * 64) is None
    assert whole
    assert (whole.item.record, whole.item.label, whole.item.entries) == (record, "wrong", ("touches_block",))
    assert [each["specialist"] for each in whole.findings] == ["touches_block"]
    assert [each["specialist"] for each in whole.refusals] == ["asks_database"]
    assert [each["kind"] for each in whole.outcomes] == ["outcome", "approval"]
    assert [each["note"] for each in whole.labels] == ["mine"]


def test_sessions_newest_first(store: Store, machine: Machine) -> None:
    machine.decide(minute=5, session="old")
    machine.decide("touch x", "flag", 9, session="new")
    machine.decide("ls", "ok", 1, session="new")
    machine.decide("ls", "ok", 1, session=None)
    ingest.update(store, [machine.records])
    with store.reading() as connection:
        new, old = queries.newest_sessions(connection)
        inside = queries.session_items(connection, "new")
    assert (new.session, new.agent, new.project, new.decisions, new.stopped, new.flagged, new.waiting) == (
        ("new", "builder", "/srv/app", 2, 0, 1, 1)
    )
    assert (old.session, old.stopped) == ("old", 1)
    assert [each.verdict for each in inside] == ["ok", "flag"]


def test_all_like_this(store: Store, machine: Machine) -> None:
    record = machine.decide("git push --force origin a b c d e f", minute=1)
    machine.decide("git push --force origin a b c d e f g", minute=2)
    machine.decide("rm -rf build", minute=3)
    ingest.update(store, [machine.records])
    with store.reading() as connection:
        assert record in [each.record for each in queries.like(connection, record)]
        assert "bash rm -rf build" not in [each.summary for each in queries.like(connection, record)]
        with pytest.raises(KeyError):
            queries.like(connection, "0" * 64)


def test_the_agreement_of_two_people(store: Store, machine: Machine) -> None:
    for number in range(4):
        record = machine.decide(f"touch {'abcd'[number]}", minute=number)
        machine.label(record, "right" if number % 2 else "wrong", "ann")
        machine.label(record, "right" if number != 2 else "wrong", "bob")
    ingest.update(store, [machine.records])
    with store.reading() as connection:
        found = queries.agreement(connection, "ann", "bob")
    assert (found.items, found.observed, found.kappa) == (4, 0.75, 0.5)


def test_misses_are_clustered(store: Store, machine: Machine) -> None:
    """What a person would have stopped, and nobody objected to; not what a specialist objected to."""
    records = [machine.decide(f"curl http://x/{number}", "ok", number) for number in range(3)]
    for number, record in enumerate(records):
        machine.label(record, "should_have_been", minute=60 + number, verdict="block", entry="leaks")
    denied = machine.decide("drop everything", "ok", 5)
    machine.deny(denied)
    machine.label(machine.decide("touch x", "flag", 6), "should_have_been", verdict="block")
    milder = machine.decide("ls", "ok", 7)
    machine.label(milder, "should_have_been", verdict="ok")
    ingest.update(store, [machine.records])
    with store.reading() as connection:
        found = clusters(misses(connection))
    assert [[each.record for each in cluster.misses] for cluster in found] == [records, [denied]]
    assert found[0].to_json()["entries"] == ["leaks"]
    assert found[1].misses[0].why == "denied"
    assert clusters(reversed([each for cluster in found for each in cluster.misses])) == found


def test_the_newest_are_found_of_all_and_of_one_specialist(store: Store, machine: Machine) -> None:
    machine.decide("mv a b", "flag", 1, specialist="other")
    records = [machine.decide(f"touch x{minute}", minute=minute) for minute in (4, 2, 3)]
    ingest.update(store, [machine.records])
    with store.reading() as connection:
        newest = queries.newest_items(connection, 3)
        own = queries.items_of(connection, "touches_block", 2)
        assert queries.items_of(connection, "nobody", 2) == []
    assert [each.summary for each in newest] == ["bash touch x4", "bash touch x3", "bash touch x2"]
    assert [each.record for each in own] == [records[0], records[2]]


def test_those_who_label_most_are_named(store: Store, machine: Machine) -> None:
    records = [machine.decide(f"touch x{minute}", minute=minute) for minute in range(3)]
    for by, count in (("eve", 1), ("ann", 3), ("ben", 2)):
        for record in records[:count]:
            machine.label(record, by=by)
    ingest.update(store, [machine.records])
    with store.reading() as connection:
        assert queries.people(connection, 2) == ["ann", "ben"]
        assert queries.people(connection, 9) == ["ann", "ben", "eve"]


def test_the_queue_uses_its_index(store: Store, machine: Machine) -> None:
    from sqlalchemy.dialects import postgresql, sqlite

    machine.decide()
    ingest.update(store, [machine.records])
    is_sqlite = store.engine.dialect.name == "sqlite"
    dialect = sqlite.dialect() if is_sqlite else postgresql.dialect()
    query = str(queries.next_leads(10, "ann", NOW).compile(dialect=dialect, compile_kwargs={"literal_binds": True}))
    with store.reading() as connection:
        if not is_sqlite:
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
            connection.exec_driver_sql("SET LOCAL enable_sort = off")
        explain = "EXPLAIN QUERY PLAN " if is_sqlite else "EXPLAIN "
        plan = "\n".join(" ".join(map(str, row)) for row in connection.exec_driver_sql(explain + query))
    assert "ix_groups_next" in plan
    assert "TEMP B-TREE" not in plan
    assert "Sort" not in plan
