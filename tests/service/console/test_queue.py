"""The queue and labels, as a person's browser asks for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select

from supervisor.feedback.schema import labels
from supervisor.policy import Policy, Records
from supervisor.policy.sections import Review
from supervisor.records.verify import verify
from tests.feedback.journals import Machine, lost
from tests.service.console.people import Console


def given(console: Console) -> list[tuple[Any, ...]]:
    columns = [labels.c[name] for name in ("decision", "word", "verdict", "entry", "by", "via", "note")]
    with console.desk.store.reading() as connection:
        return [tuple(row) for row in connection.execute(select(*columns).order_by(labels.c.time))]


def shown(page: str) -> str:
    """The record of the item that a page has a form for."""
    (found,) = set(re.findall(r'action="[^"]*/record/(\w{64})/label"', page))
    return str(found)


def test_a_person_is_shown_what_waits_and_judges_it(machine: Machine, console: Console) -> None:
    record = machine.decide("touch block")
    console.refresh()
    ann = console.person()
    page = ann.get("/queue")
    assert shown(page) == record
    for told in ("touch block", "it touches", "touches_block", "Why you see this", "It was stopped.", "agent builder"):
        assert told in page
    answer = ann.label(record, "wrong", entry="touches_block", note="a mirror")
    assert answer.headers["location"] == f"{ann.base}/queue"
    assert given(console) == [(record, "wrong", "", "touches_block", "ann", "console", "a mirror")]
    page = ann.get("/queue")
    assert "Nothing waits" in page
    assert "wrong</b>" in page


def test_labels_of_the_console_verify(machine: Machine, console: Console) -> None:
    record = machine.decide()
    console.refresh()
    console.person().label(record, "should_have_been nudge")
    machine.journal.close()
    console.close()
    report = verify(machine.records)
    assert (report.problems, report.unsealed) == ([], 0)


def test_one_of_each_group_comes_first_and_all_alike_are_judged_at_once(machine: Machine, console: Console) -> None:
    alike = [machine.decide("touch block a", minute=minute) for minute in range(3)]
    other = machine.decide("mkfs /dev/sda block", minute=9)
    console.refresh()
    ann = console.person()
    page = ann.get("/queue")
    assert shown(page) == alike[0]
    assert "Judge all 3 alike" in page
    assert "It stands for 3 that are alike and wait." in page
    ann.post(f"/record/{alike[0]}/skip")
    assert shown(ann.get("/queue")) == other
    page = ann.get(f"/record/{alike[0]}/alike")
    assert sorted(re.findall(r'name="record" value="(\w{64})" checked', page)) == sorted(alike)
    ann.post("/alike", word="right", record=alike, note="all of them")
    assert sorted(row[0] for row in given(console)) == sorted(alike)
    page = ann.get("/queue")
    assert shown(page) == other
    assert "and 2 alike" in page
    ann.post("/undo")
    assert [row[1] for row in given(console)][3:] == ["withdrawn"] * 3
    ann.post("/undo", 400)


def test_what_one_person_looks_at_the_other_is_not_shown(machine: Machine, console: Console) -> None:
    first, second = machine.decide("touch block", minute=0), machine.decide("mkfs block", minute=1)
    console.refresh()
    ann, ben = console.person("ann"), console.person("ben")
    assert shown(ann.get("/queue")) == first
    assert shown(ben.get("/queue")) == second
    page = ben.get(f"/record/{first}")
    assert "Somebody else looks at this now." in page
    assert "/label" not in page
    ben.get("/queue")
    ben.label(first, "right", 409)
    assert given(console) == []
    ann.label(first, "right")
    ann.post(f"/record/{first}/skip")
    ben.label(first, "wrong")
    assert [row[4] for row in given(console)] == ["ann", "ben"]


def test_undo_takes_the_label_back_and_shows_the_item_again(machine: Machine, console: Console) -> None:
    record = machine.decide()
    console.refresh()
    ann = console.person()
    ann.label(record, "right")
    assert "Nothing waits" in ann.get("/queue")
    assert ann.post("/undo").headers["location"] == f"{ann.base}/record/{record}"
    assert shown(ann.get("/queue")) == record


@pytest.mark.parametrize(
    "fields",
    [
        {"word": "perfect"},
        {"word": "right block"},
        {"word": "should_have_been"},
        {"word": "should_have_been stopped"},
        {"word": "wrong", "entry": "another"},
        {"word": "should_have_been block", "missed": "no_such_failure_mode"},
        {"word": "right", "note": "x" * 1_001},
        {},
    ],
)
def test_what_is_no_label_is_refused_and_nothing_is_written(
    machine: Machine, console: Console, fields: dict[str, str]
) -> None:
    record = machine.decide()
    console.refresh()
    ann = console.person()
    before = sorted(path.name for path in machine.records.iterdir())
    ann.post(f"/record/{record}/label", 400, **fields)
    assert given(console) == []
    assert sorted(path.name for path in machine.records.iterdir()) == before


def test_of_several_labels_all_are_given_or_none(machine: Machine, console: Console) -> None:
    here = machine.decide()
    console.refresh()
    console.person().post("/alike", 404, word="right", record=[here, "f" * 64])
    assert given(console) == []


def test_a_miss_names_the_failure_mode_that_should_have_objected(machine: Machine, console: Console) -> None:
    record = machine.decide("touch flag", verdict="flag", specialist="touches_flag")
    console.refresh()
    console.person().label(record, "should_have_been block", missed="force_push_to_shared_branch")
    assert [row[1:4] for row in given(console)] == [("should_have_been", "block", "force_push_to_shared_branch")]


def test_a_page_shows_what_every_specialist_saw(machine: Machine, console: Console) -> None:
    record = machine.decide("touch block", losses=[lost()])
    console.refresh()
    page = console.person().get(f"/record/{record}")
    for told in ("<h3>Task</h3>", "/srv/app", "asks_database: no database is configured", "It verifies:"):
        assert told in page
    assert "Not readable: history" in page  # this journal has decisions without a past


def test_a_decision_whose_record_is_gone_cannot_be_judged_here(machine: Machine, console: Console) -> None:
    record = machine.decide()
    console.refresh()
    machine.journal.close()
    for path in machine.records.glob("*.jsonl"):
        path.unlink()
    page = console.person().get(f"/record/{record}")
    assert "is not in this folder" in page
    assert "/label" not in page


@pytest.mark.parametrize("record", ["f" * 64, "short", "..%2f..%2fetc"])
def test_what_is_not_there_is_said(console: Console, machine: Machine, record: str) -> None:
    machine.decide()
    console.refresh()
    assert console.person().client.get(f"/r/x/record/{record}").status_code in (303, 404)
    console.person().get(f"/record/{record}", 404)


@pytest.fixture
def doubled(machine: Machine) -> Iterator[Console]:
    """A console where two people judge everything."""
    records = Records(str(machine.records), str(machine.records.parent / "key.pem"))
    made = Console(machine, Policy(records=records, review=Review(overlap=1)))
    yield made
    made.close()


def test_a_second_person_judges_a_sample_without_seeing_the_first_label(machine: Machine, doubled: Console) -> None:
    record = machine.decide("touch block")
    doubled.refresh()
    ann, ben, cid = (doubled.person(name) for name in ("ann", "ben", "cid"))
    ann.label(record, "wrong", note="mine alone")
    assert "Nothing waits" in ann.get("/queue")
    page = ben.get("/queue")
    assert shown(page) == record
    assert "Another person has judged it" in page
    assert "mine alone" not in page
    ben.label(record, "right")
    assert "mine alone" in ben.get(f"/record/{record}")
    assert "Nothing waits" in ben.get("/queue")
    assert "Nothing waits" in cid.get("/queue")  # two are enough
    assert "ann and ben" in ann.get("/taxonomy") or "ben" in ann.page  # their kappa


def test_without_an_overlap_a_judged_item_does_not_come_again(machine: Machine, console: Console) -> None:
    record = machine.decide("touch block")
    console.refresh()
    console.person("ann").label(record, "wrong", note="for all to see")
    ben = console.person("ben")
    assert "Nothing waits" in ben.get("/queue")
    assert "for all to see" in ben.get(f"/record/{record}")


def test_a_sample_of_what_models_judged_is_shown_last(machine: Machine, console: Console) -> None:
    decided = {"verdict": "ok", "by": [], "review": True}
    sampled = machine.decide("send the report", "ok", decision=decided)
    machine.decide("ls", "ok", minute=1)
    stopped = machine.decide("touch block", minute=2)
    console.refresh()
    ann = console.person()
    assert shown(ann.get("/queue")) == stopped
    ann.label(stopped, "right")
    page = ann.get("/queue")
    assert shown(page) == sampled
    assert "people look at a sample of that" in page
    ann.label(sampled, "should_have_been block")
    assert "Nothing waits" in ann.get("/queue")


def test_what_a_watched_agent_changes_is_shown_with_the_reason(machine: Machine, console: Console) -> None:
    flagged = {"verdict": "flag", "by": [], "review": True}
    machine.decide("touch x", "flag", opinions=[], decision=flagged, unheeded=3.0)
    console.refresh()
    assert "Its agent did not heed refusals in other sessions" in console.person().get("/queue")
