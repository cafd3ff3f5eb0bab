"""What is recorded is what a specialist saw, and playing it back touches nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Answer, Page
from supervisor.catalog.case_world import CaseWorld
from supervisor.catalog.failure_mode import World
from supervisor.doors.recorded import AT_ONCE, MAX_CALLS, RecordingDoors, ReplayDoors, SharedAnswers
from supervisor.errors import BadRecord, DoorFailed

NOW = datetime(2026, 1, 15, 12, tzinfo=UTC)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
OUTCOME = {
    "query": st.lists(st.dictionaries(st.text(), JSON, max_size=3), max_size=3),
    "fetch": st.builds(Page, st.text(), st.integers(100, 599), st.text()),
    "ask": st.builds(Answer, st.booleans(), st.floats(0.5, 1)),
}
FAILURE = st.builds(lambda message, code: DoorFailed(message, code=code), st.text(), st.sampled_from(["a", "b"]))
CALLS = st.lists(
    st.sampled_from(["query", "fetch", "ask", "now"]).flatmap(
        lambda door: (
            st.tuples(st.just(door), st.sampled_from("xyz"), OUTCOME.get(door, st.just(NOW)) | FAILURE)
            if door != "now"
            else st.tuples(st.just("now"), st.just(""), st.just(NOW))
        )
    ),
    max_size=8,
)


@dataclass
class Prepared:
    """Doors that give the next of some prepared outcomes, whatever they are asked."""

    outcomes: list[Any] = field(default_factory=list)
    now: datetime = NOW

    async def query(self, sql: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        return self._next()

    async def fetch(self, url: str) -> Page:
        return self._next()

    async def ask(self, question: str, material: Mapping[str, str]) -> Answer:
        return self._next()

    def _next(self) -> Any:
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, DoorFailed):
            raise outcome
        return outcome


async def played(doors: Any, calls: list[tuple[str, str, Any]]) -> list[Any]:
    seen: list[Any] = []
    for door, request, _ in calls:
        try:
            if door == "now":
                seen.append(doors.now)
            elif door == "fetch":
                seen.append(await doors.fetch(request))
            else:
                seen.append(await getattr(doors, door)(request, {"p": request}))
        except DoorFailed as failed:
            seen.append((failed.code, str(failed)))
    return seen


def asked_for(calls: list[tuple[str, str, Any]]) -> Iterator[Any]:
    """The outcomes that the doors themselves are asked for: each page once."""
    pages = set()
    for door, request, outcome in calls:
        if door in ("query", "ask") or (door == "fetch" and request not in pages):
            yield outcome
        pages.update([request] if door == "fetch" else [])


@given(CALLS)
def test_a_recording_answers_as_the_doors_did(calls: list[tuple[str, str, Any]]) -> None:
    recorder = RecordingDoors(SharedAnswers(Prepared(list(asked_for(calls)))))
    live = anyio.run(played, recorder, calls)
    kept = json.loads(json.dumps(recorder.answers))
    assert anyio.run(played, ReplayDoors(kept), calls) == live
    assert [entry["door"] for entry in kept] == [door for door, _, _ in calls]


@pytest.mark.anyio
async def test_an_unrecorded_request_is_named() -> None:
    with pytest.raises(BadRecord, match=r"fetch door to .*example\.org"):
        await ReplayDoors([]).fetch("https://example.org/")
    recorder = RecordingDoors(SharedAnswers(CaseWorld(World(pages={"https://example.org/": "once"}))))
    await recorder.fetch("https://example.org/")
    recording = ReplayDoors(recorder.answers)
    await recording.fetch("https://example.org/")
    with pytest.raises(BadRecord):
        await recording.fetch("https://example.org/")


@pytest.mark.anyio
async def test_the_specialist_sees_what_the_mask_left() -> None:
    told = SharedAnswers(
        Prepared([[{"note": "secret"}]]), lambda value: json.loads(json.dumps(value).replace("secret", "***"))
    )
    recorder = RecordingDoors(told)
    assert await recorder.query("SELECT note", {}) == [{"note": "***"}]
    assert "secret" not in json.dumps(recorder.answers)


@pytest.mark.anyio
async def test_changing_an_answer_does_not_change_the_record() -> None:
    recorder = RecordingDoors(SharedAnswers(Prepared([[{"n": [1]}]])))
    rows = await recorder.query("SELECT n", {})
    rows[0]["n"].append(2)
    assert recorder.answers[0]["answer"] == [{"n": [1]}]


@pytest.mark.anyio
async def test_parameters_are_recorded_in_jsons_terms() -> None:
    recorder = RecordingDoors(SharedAnswers(Prepared([[]])))
    await recorder.query("SELECT 1", {"at": NOW, "sum": Decimal("1.50")})
    assert recorder.answers[0]["request"]["parameters"] == {"at": "2026-01-15T12:00:00+00:00", "sum": "1.50"}
    assert await ReplayDoors(recorder.answers).query("SELECT 1", {"at": NOW, "sum": Decimal("1.50")}) == []


@pytest.mark.anyio
async def test_a_request_without_an_answer_fails_again() -> None:
    class Slow(Prepared):
        async def fetch(self, url: str) -> Page:
            await anyio.sleep_forever()
            raise AssertionError

    recorder = RecordingDoors(SharedAnswers(Slow()))
    with anyio.move_on_after(0.01):
        await recorder.fetch("https://example.org/")
    with pytest.raises(DoorFailed) as failed:
        await ReplayDoors(recorder.answers).fetch("https://example.org/")
    assert failed.value.code == "door_unanswered"


@pytest.mark.anyio
async def test_calls_beyond_the_cap_ask_nothing_live_as_in_a_replay() -> None:
    prepared = Prepared([Page("u", 200, "")] * (MAX_CALLS + 1))
    recorder = RecordingDoors(SharedAnswers(prepared))
    fetches = [("fetch", str(number), None) for number in range(MAX_CALLS)]
    calls = [*fetches[:-1], ("now", "", None), fetches[-1], ("now", "", None)]
    live = await played(recorder, calls)
    assert [code for code, _ in live[MAX_CALLS:]] == ["too_many_calls"] * 2
    assert len(prepared.outcomes) == 2
    assert len(recorder.answers) == MAX_CALLS
    assert await played(ReplayDoors(recorder.answers), calls) == live


@pytest.mark.anyio
async def test_few_calls_are_under_way_at_once_and_all_are_answered() -> None:
    under_way = most = 0

    class Counting(Prepared):
        async def fetch(self, url: str) -> Page:
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            await anyio.sleep(0.001)
            under_way -= 1
            return Page(url, 200, "")

    recorder = RecordingDoors(SharedAnswers(Counting([])))
    async with anyio.create_task_group() as group:
        for number in range(3 * AT_ONCE):
            group.start_soon(recorder.fetch, str(number))
    assert most == AT_ONCE
    assert [answer["answer"]["url"] for answer in recorder.answers] == [str(each) for each in range(3 * AT_ONCE)]


@pytest.mark.anyio
async def test_the_world_of_a_case() -> None:
    world = CaseWorld(
        World(database="CREATE TABLE t (a); INSERT INTO t VALUES (x'00ff');", pages={"u": 404}, answer="no")
    )
    assert await world.query("SELECT a FROM t WHERE a IS NOT :none", {"none": None}) == [{"a": "00ff"}]
    assert (await world.fetch("u")).status == 404
    assert not (await world.ask("?", {})).yes
    for failing in (world.query("DELETE FROM t", {}), world.fetch("v"), CaseWorld(World()).ask("?", {})):
        with pytest.raises(DoorFailed):
            await failing


@pytest.mark.anyio
async def test_a_page_is_fetched_once_for_all_who_judge_it() -> None:
    prepared = Prepared([Page("u", 200, "as it was"), Page("u", 200, "as it is now"), Page("v", 404, "")])
    told = SharedAnswers(prepared)
    first, second = RecordingDoors(told), RecordingDoors(told)
    async with anyio.create_task_group() as group:
        group.start_soon(first.fetch, "u")
        group.start_soon(second.fetch, "u")
    assert first.answers == second.answers
    assert first.answers[0]["answer"]["body"] == "as it was"
    assert len(prepared.outcomes) == 2


@pytest.mark.anyio
async def test_a_page_that_one_did_not_wait_for_is_fetched_by_the_next() -> None:
    class SlowAtFirst(Prepared):
        is_slow = True

        async def fetch(self, url: str) -> Page:
            if self.is_slow:
                await anyio.sleep_forever()
            return Page(url, 200, "here")

    prepared = SlowAtFirst([])
    told = SharedAnswers(prepared)
    with anyio.move_on_after(0.01):
        await RecordingDoors(told).fetch("u")
    prepared.is_slow = False
    assert (await RecordingDoors(told).fetch("u")).body == "here"
