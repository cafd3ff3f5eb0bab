"""Tasks as they change: nothing that stands still is told, and what has changed is."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from supervisor.runtime.store.database import Store
from supervisor.runtime.store.schema import tasks
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.service.tasks import app, events
from supervisor.service.tasks.board import Following
from tests.service.tasks.programs import ASKS, PEOPLE, SECRET, Api

BOTH = pytest.mark.parametrize("url", ["sqlite", "postgres"], indirect=True)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "EVERY", 0.02)


def states(api: Api, told: Any) -> tuple[str, str]:
    assert told["type"] == "task"
    return told["task"]["id"], told["task"]["state"]


@BOTH
def test_changes_come_as_they_happen(api: Api) -> None:
    old, over = api.add(title=f"token={SECRET}"), api.add()
    api.played.attempt(over, Outcome(Ending.SUCCEEDED))
    with api.events() as socket:
        first = socket.receive_json()
        assert (first["type"], [each["id"] for each in first["tasks"]]) == ("tasks", [old])
        assert first["counts"] == {"queued": 1, "succeeded": 1}
        assert SECRET not in str(first)
        new = api.add(title=f"token={SECRET}")
        told = socket.receive_json()
        assert states(api, told) == (new, "queued")
        assert SECRET not in str(told)
        api.played.begin(old)
        assert states(api, socket.receive_json()) == (old, "running")
        api.played.end(old, ASKS)
        told = socket.receive_json()
        assert (states(api, told), told["task"]["reason"]) == ((old, "waiting"), "May this run?")
        api.ask("POST", f"/tasks/{old}/cancel")
        assert states(api, socket.receive_json()) == (old, "cancelled")


def test_one_task_is_followed_alone(api: Api) -> None:
    mine, other = api.add(), api.add()
    with api.events(f"?task={mine}") as socket:
        assert [each["id"] for each in socket.receive_json()["tasks"]] == [mine]
        api.ask("POST", f"/tasks/{other}/cancel")
        api.ask("POST", f"/tasks/{mine}/cancel")
        assert states(api, socket.receive_json()) == (mine, "cancelled")


def test_a_request_to_end_what_runs_is_told(api: Api) -> None:
    id = api.add()
    api.played.begin(id)
    with api.events() as socket:
        socket.receive_json()
        api.ask("POST", f"/tasks/{id}/cancel")
        told = socket.receive_json()
        assert (states(api, told), told["task"]["reason"]) == ((id, "running"), "cancelled")


@pytest.mark.parametrize(
    ("headers", "path", "status"),
    [
        ({"Authorization": ""}, "", 401),
        ({"Authorization": f"Bearer {PEOPLE}x"}, "", 401),
        ({"Origin": "http://evil.example"}, "", 403),
        ({"Host": "evil.example"}, "", 421),
        ({}, "?task=0123456789", 404),
        ({}, "?task=x", 404),
    ],
)
def test_who_may_not_ask_is_not_connected(api: Api, headers: dict[str, str], path: str, status: int) -> None:
    with (
        pytest.raises(WebSocketDenialResponse) as refused,
        api.events(path, **headers),
    ):
        pass
    assert refused.value.status_code == status


def test_there_are_so_many_streams_and_those_that_end_make_room(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "_MOST_STREAMS", 1)
    for _ in range(3):
        with api.events() as socket:
            socket.receive_json()
            with pytest.raises(WebSocketDenialResponse) as refused, api.events():
                pass
            assert refused.value.status_code == 503
            socket.send_text("whatever a client says is not read")
            socket.close()


def test_a_database_that_fails_ends_the_stream(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    with api.events() as socket:
        socket.receive_json()
        monkeypatch.setattr(Following, "look", failing)
        with pytest.raises(WebSocketDisconnect) as ended:
            socket.receive_json()
    assert ended.value.code == 1011


def failing(_: Following) -> Any:
    from supervisor.runtime.store.database import NoRuntime

    raise NoRuntime("gone")


ROWS = st.lists(st.tuples(st.integers(0, 4), st.sampled_from(["queued", "running", "succeeded"]), st.integers(-90, 90)))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ROWS, st.lists(ROWS, max_size=6))
def test_each_look_tells_what_differs_whatever_the_clocks_say(api: Api, before: Any, looks: Any) -> None:
    """A dictionary is the model. Clocks of machines differ by up to a minute and a half here; what is open, or was open
    at the look before, is told all the same."""
    store, now = api.board.store, time.time()
    with store.writing() as connection:
        connection.execute(tasks.delete())
    model: dict[str, tuple[str, float]] = {}
    written(store, model, before, now)
    following = Following(api.board)
    for rows in looks:
        earlier = dict(model)
        written(store, model, rows, now)
        changed = {id for id, row in model.items() if earlier.get(id) != row}
        unseen = {
            id for id in changed if model[id][0] == "succeeded" and earlier.get(id, ("succeeded",))[0] == "succeeded"
        }
        told = [each["id"] for each in following.look()]
        assert len(told) == len(set(told))
        assert changed - unseen <= set(told) <= changed
    assert following.look() == []


def written(store: Store, model: dict[str, tuple[str, float]], rows: Any, now: float) -> None:
    """Adds tasks, or moves them, as machines with clocks of their own do."""
    from tests.service.tasks.rows import task_row

    with store.writing() as connection:
        for number, state, skew in rows:
            id = f"{number:010}"
            values = {"state": state, "changed": now + skew}
            if id in model:
                connection.execute(tasks.update().where(tasks.c.id == id).values(**values))
            else:
                connection.execute(tasks.insert().values(**task_row(id), **values))
            model[id] = (state, now + skew)
