"""Rebuilt or read bit by bit, in any order and any number of times, the index is what a small model says it is."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from supervisor.feedback import ingest, queries
from supervisor.feedback.schema import decisions
from supervisor.feedback.store import Store
from supervisor.records.labels import Label
from tests.feedback.journals import Machine, at
from tests.feedback.test_ingest import dump

COMMANDS = ("touch block", "touch blocks 1", "mv a b", "ls")


@dataclass(frozen=True)
class Decide:
    machine: int
    command: str
    verdict: str
    minute: int
    session: str


@dataclass(frozen=True)
class Judge:
    machine: int
    of: int  # one of the decisions so far
    word: str
    by: str
    minute: int


@dataclass(frozen=True)
class Read:
    machines: tuple[int, ...]
    batch: int


machines = st.integers(0, 1)
minutes = st.integers(0, 30)
verdicts = st.sampled_from(["ok", "flag", "nudge", "block"])
events = st.lists(
    st.one_of(
        st.builds(Decide, machines, st.sampled_from(COMMANDS), verdicts, minutes, st.sampled_from(["s1", "s2"])),
        st.builds(
            Judge,
            machines,
            st.integers(0, 20),
            st.sampled_from(["right", "wrong", "withdrawn"]),
            st.sampled_from(["ann", "bob"]),
            minutes,
        ),
        st.builds(Read, st.permutations([0, 1]).map(tuple) | st.just((1,)), st.integers(1, 4)),
    ),
    max_size=25,
)


class Model:
    """What the index has to say, kept in dictionaries."""

    def __init__(self) -> None:
        self.decided: dict[str, Decide] = {}
        self.judged: dict[tuple[str, str], list[tuple[int, str]]] = {}

    def words(self, record: str) -> set[str]:
        """The newest word of each person; two in the same minute leave it to their addresses."""
        newest = [max(given, key=lambda each: each[0])[1] for (of, _), given in self.judged.items() if of == record]
        return set(newest) - {"withdrawn"}

    def waiting(self) -> set[str]:
        reviewed = {record for record in self.decided if self.words(record)}
        return {record for record, each in self.decided.items() if each.verdict != "ok"} - reviewed

    def stopped(self, session: str) -> int:
        return sum(each.verdict in ("nudge", "block") for each in self.decided.values() if each.session == session)


def play(event: Decide | Judge | Read, model: Model, journals: list[Machine], store: Store) -> None:
    if isinstance(event, Decide):
        unique = event.minute + len(model.decided) / 100  # two records of the same bytes would be one record
        told = (event.command, event.verdict, unique, event.session)
        model.decided[journals[event.machine].decide(*told)] = event
    elif isinstance(event, Judge) and model.decided:
        record = list(model.decided)[event.of % len(model.decided)]
        given_so_far = model.judged.setdefault((record, event.by), [])
        minute = event.minute + sum(map(len, model.judged.values())) / 100
        label: Label = journals[event.machine].label(record, event.word, event.by, minute)
        assert label.time == at(minute)
        given_so_far.append((minute, event.word))  # type: ignore[arg-type]
    elif isinstance(event, Read):
        folders = [journals[number].records for number in event.machines if journals[number].records.is_dir()]
        assert ingest.update(store, folders, batch=event.batch).unread == []


@settings(max_examples=40)
@given(events)
def test_the_index_is_what_the_model_says(found: list[Decide | Judge | Read]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        journals, model = [Machine(folder / "0"), Machine(folder / "1")], Model()
        store, fresh = Store(f"sqlite:///{folder / 'read.db'}"), Store(f"sqlite:///{folder / 'rebuilt.db'}")
        for event in found:
            play(event, model, journals, store)
        folders = [each.records for each in journals if each.records.is_dir()]
        ingest.update(store, folders)
        ingest.rebuild(fresh, folders[::-1])
        assert dump(store) == dump(fresh)
        ingest.rebuild(store, folders)
        assert dump(store) == dump(fresh)
        check(store, model)
        store.close()
        fresh.close()


def check(store: Store, model: Model) -> None:
    with store.reading() as connection:
        rows = {row.record: row for row in connection.execute(select(decisions))}
        items = queries.next_items(connection, 100, "ann", at(100))
        sessions = {each.session: each.stopped for each in queries.newest_sessions(connection)}
    assert rows.keys() == model.decided.keys()
    assert {record for record, row in rows.items() if row.is_waiting} == model.waiting()
    assert sorted(each.record for each in items) == sorted(model.waiting())
    expected = {record: "".join(words) if len(words := model.words(record)) < 2 else "mixed" for record in rows}
    assert {record: row.label for record, row in rows.items()} == expected
    assert sessions == {each.session: model.stopped(each.session) for each in model.decided.values()}
    of_kind = [each.fingerprint for each in items]
    groups = len(set(of_kind))
    assert len(set(of_kind[:groups])) == groups, "one of each group comes first"
