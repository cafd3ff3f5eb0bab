"""A console over the index of many machines, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from supervisor.feedback import ingest
from tests.feedback.journals import Machine
from tests.service.console.browser import served
from tests.service.console.people import TOKEN, Console
from tests.service.console.test_queue import shown


@pytest.fixture
def fleet(machine: Machine, postgres_url: str) -> Iterator[Console]:
    made = Console(machine, index=postgres_url)
    yield made
    made.close()


def test_a_person_judges_what_is_recorded_here_and_sees_the_rest(
    machine: Machine, fleet: Console, tmp_path: Path
) -> None:
    other = Machine(tmp_path / "other")
    elsewhere = [other.decide(f"cat {word} block", minute=number) for number, word in enumerate(("a", "b", "c"))]
    here = [machine.decide(f"touch {word} block", minute=9, session=word) for word in ("a", "b")]
    ingest.update(fleet.desk.store, [other.records])
    fleet.refresh()
    ann = fleet.person()
    first = shown(ann.get("/queue"))
    assert first in here
    ann.label(first, "right")
    second = shown(ann.get("/queue"))
    assert {first, second} == set(here)
    ann.label(second, "wrong")
    assert "cat a block" in ann.get("/queue")
    assert f"/record/{elsewhere[0]}/label" not in ann.page
    ann.label(elsewhere[0], "right", 404)
    ann.post(f"/record/{elsewhere[0]}/skip")
    assert "cat b block" in ann.get("/queue")
    assert "1 judged right and 1 wrong" in ann.get("/taxonomy/touches_block")
    assert "5 findings" in ann.page


def test_the_environment_names_the_index(machine: Machine, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import httpx

    record = machine.decide()
    monkeypatch.setenv("SUPERVISOR_INDEX_URL", postgres_url)
    with served(machine.records.parent) as at, httpx.Client(follow_redirects=True) as client:
        page = client.post(at, data={"by": "ann", "token": TOKEN}, headers={"Origin": at.rstrip("/")})
    assert shown(page.text) == record
    assert not list(machine.records.parent.glob("*.db"))
