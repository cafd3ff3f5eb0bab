"""The API of tasks: what programs see and change, and who is let in."""

from __future__ import annotations

from typing import Any

import pytest

from supervisor.engine.session import inside
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.usage import Spent
from supervisor.service.tasks import board
from supervisor.service.tasks.routes import OPERATIONS
from tests.service.tasks.programs import ASKS, BLUE, PEOPLE, SECRET, Api

FAILED = Outcome(Ending.FAILED, "exit code 1", 1)


BOTH = pytest.mark.parametrize("url", ["sqlite", "postgres"], indirect=True)


@BOTH
def test_a_task_is_added_listed_and_shown(api: Api) -> None:
    first = api.add(title="The first", priority=1, environment={"A": "b=c"}, timeout=90)
    second = api.add(command=["make", "test"], after=[first], parent=first, on_failure=["failover"], wait=1)
    listed = api.ask("GET", "/tasks")
    assert {each["id"]: each["state"] for each in listed["tasks"]} == {first: "queued", second: "blocked"}
    assert listed["counts"] == {"queued": 1, "blocked": 1}
    found = api.ask("GET", f"/tasks/{second}")
    assert (found["after"], found["command"]) == ([{"id": first, "state": "queued"}], ["make", "test"])
    assert (found["policy"]["remedies"], found["policy"]["backoff"]["first"]) == (["failover"], 1.0)
    found = api.ask("GET", f"/tasks/{first}")
    assert (found["title"], found["timeout"], found["children"]) == ("The first", 90.0, [second])
    assert [each["id"] for each in api.ask("GET", "/tasks?state=blocked&state=failed&pool=default")["tasks"]] == [
        second
    ]
    assert len(api.ask("GET", "/tasks?limit=1")["tasks"]) == 1


def test_agents_are_given_prompts(api: Api) -> None:
    made = {"driver": "claude", "prompt": "Make the tests pass", "folder": "/"}
    id = api.ask("POST", "/tasks", json=made)["id"]
    found = api.ask("GET", f"/tasks/{id}")
    assert (found["driver"], found["command"], found["title"]) == ("claude", ["claude"], "Make the tests pass")
    api.ask("POST", "/tasks", 400, json={**made, "driver": "acp"})
    api.ask("POST", "/tasks", 400, json={**made, "driver": "shell", "command": ["x"]})


def test_a_key_is_used_once(api: Api) -> None:
    first = api.add(key="nightly")
    assert api.ask("POST", "/tasks", json={"driver": "shell", "command": ["x"], "folder": "/", "key": "nightly"}) == {
        "id": first,
        "is_new": False,
    }
    assert api.ask("POST", f"/tasks/{first}/cancel") == {"cancelled": [first]}
    assert api.ask("POST", f"/tasks/{first}/cancel") == {"cancelled": []}
    assert api.add(key="nightly") != first
    assert api.ask("POST", f"/tasks/{first}/retry", 409)["code"] == "key_in_use"


def test_what_has_failed_is_retried(api: Api) -> None:
    id = api.add(on_failure=[])
    assert api.ask("POST", f"/tasks/{id}/retry", 409)["code"] == "not_over"
    api.played.attempt(id, FAILED)
    assert api.state(id) == "failed"
    assert api.ask("POST", f"/tasks/{id}/retry")["state"] == "queued"


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"command": []}, "command"),
        ({"command": [""]}, "command"),
        ({"command": "true"}, "command"),
        ({"command": ["a\0"]}, "command"),
        ({"folder": "here"}, "folder"),
        ({"priority": 10}, "priority"),
        ({"priority": "5"}, "priority"),
        ({"pool": "Big"}, "pool"),
        ({"environment": {"SUPERVISOR_TASK": "x"}}, "environment"),
        ({"timeout": 0}, "timeout"),
        ({"after": ["x"]}, "after"),
        ({"on_failure": ["again"]}, "on_failure"),
        ({"driver": "bash"}, "the body"),
        ({"more": 1}, "more"),
    ],
)
def test_what_is_no_task_is_refused_in_one_line(api: Api, change: dict[str, Any], place: str) -> None:
    made = {"driver": "shell", "command": ["true"], "folder": "/", **change}
    told = api.ask("POST", "/tasks", 400, json=made)
    assert place in told["message"]
    assert "\n" not in told["message"]
    assert api.ask("GET", "/tasks")["tasks"] == []


@pytest.mark.parametrize(
    "change", [{"priority": 7.0}, {"wait": 0}, {"timeout": 0.5, "key": None}, {"title": "\x1b[31m ä"}]
)
def test_unusual_values_are_values(api: Api, change: dict[str, Any]) -> None:
    id = api.add(**change)
    assert api.ask("GET", f"/tasks/{id}")["priority"] == change.get("priority", 5)


def test_bodies_are_json_of_a_size(api: Api) -> None:
    for content, kind, status in (
        (b"{", "application/json", 400),
        (b'{"driver": "shell", "command": ["\\ud800"], "folder": "/"}', "application/json", 400),
        (b"{}", "text/plain", 415),
        (b"driver=shell", "application/x-www-form-urlencoded", 415),
        (b" " * (1024 * 1024 + 1), "application/json", 413),
    ):
        api.ask("POST", "/tasks", status, content=content, headers={"Content-Type": kind})


@pytest.mark.parametrize("id", ["0123456789", "0123456789%0A", "%00", "..", "'; --", "x" * 5_000])
def test_there_is_no_such_task(api: Api, id: str) -> None:
    for method, path in (("GET", ""), ("GET", "/log"), ("POST", "/cancel"), ("POST", "/retry")):
        assert api.request(method, f"/v1/tasks/{id}{path}").status_code in (404, 405)


@BOTH
@pytest.mark.parametrize("query", ["state=done", "pool=a&pool=b", "pool=%00", "limit=0", "limit=x", "limit=1&limit=2"])
def test_a_filter_is_checked(api: Api, query: str) -> None:
    api.ask("GET", f"/tasks?{query}", 400)


@BOTH
def test_secrets_are_masked(api: Api) -> None:
    id = api.add(command=["curl", "-H", f"Authorization: token {SECRET}", "https://api.github.com"], on_failure=[])
    asked = Outcome(Ending.PARKED, "?", question=ASKS.question and type(ASKS.question)(f"token={SECRET}", ("allow",)))
    api.played.attempt(id, asked, printed=f"HTTP 200\ntoken={SECRET}\n")
    for path in ("/tasks", f"/tasks/{id}", f"/tasks/{id}/log", "/questions", "/executors"):
        answer = api.get(f"/v1{path}")
        assert (answer.status_code, SECRET in answer.text) == (200, False), path
    told = api.ask("GET", f"/tasks/{id}/log")
    assert (told["attempt"], told["text"].startswith("HTTP 200\n")) == (1, True)


def test_a_log_is_only_read_where_it_belongs(api: Api) -> None:
    """The path of a log comes from a database that other machines write to."""
    id = api.add()
    assert api.ask("GET", f"/tasks/{id}/log", 404)["code"] == "no_attempt"
    api.played.attempt(id, FAILED, printed="mine")
    assert api.ask("GET", f"/tasks/{id}/log?attempt=1")["text"] == "mine"
    assert api.ask("GET", f"/tasks/{id}/log?attempt=2", 404)["code"] == "no_attempt"
    other = api.folder / "other.log"
    other.write_text("not yours")
    file = api.folder / id / "1.log"
    file.unlink()
    file.symlink_to(other)
    assert api.ask("GET", f"/tasks/{id}/log", 404)["code"] == "no_log"
    file.unlink()
    from supervisor.runtime.store.schema import attempts

    with api.board.store.writing() as connection:
        connection.execute(attempts.update().values(log=str(other)))
    assert api.ask("GET", f"/tasks/{id}/log", 404)["code"] == "no_log"


@BOTH
def test_executors_are_shown_with_what_they_hold(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(board.time, "monotonic", lambda: now[0])
    api.played.register()
    id = api.add(title="A build")
    api.played.begin(id)
    (found,) = api.ask("GET", "/executors")["executors"]
    assert (found["id"], found["active"], found["slots"], found["silent"]) == (BLUE.id, 1, 4, 0.0)
    assert [(each["task"], each["number"], each["title"]) for each in found["leases"]] == [(id, 1, "A build")]
    now[0] += 7.0
    assert api.ask("GET", "/executors")["executors"][0]["silent"] == 7.0
    from supervisor.runtime.store.executors import beat

    assert beat(api.board.store, BLUE.id)
    assert api.ask("GET", "/executors")["executors"][0]["silent"] == 0.0


def test_what_an_attempt_has_spent_is_told(api: Api) -> None:
    id = api.add()
    api.played.attempt(id, Outcome(Ending.SUCCEEDED, "Done.", 0, spent=Spent(12_345, 10, 678, 0.25)))
    (tried,) = api.ask("GET", f"/tasks/{id}")["attempts"]
    assert (tried["input_tokens"], tried["output_tokens"], tried["cost"]) == (12_345, 678, 0.25)


@BOTH
def test_only_a_person_speaks_to_an_agent_that_runs(api: Api) -> None:
    api.played.register()
    id = str(api.ask("POST", "/tasks", json={"driver": "claude", "prompt": "tidy up", "folder": "/"})["id"])
    given = {"text": f"leave token={SECRET} alone", "by": "Ada"}
    assert api.ask("POST", f"/tasks/{id}/steer", 403, json=given)["code"] == "may_not_answer"
    assert api.ask("POST", f"/tasks/{id}/steer", 409, person=True, json=given)["code"] == "not_running"
    api.played.begin(id)
    (said,) = api.ask("POST", f"/tasks/{id}/steer", person=True, json=given)["messages"]
    assert (said["by"], said["heard"], SECRET in said["text"]) == ("Ada", None, False)
    api.ask("POST", f"/tasks/{id}/steer", 400, person=True, json={**given, "text": " "})
    command = api.add()
    api.played.begin(command)
    assert api.ask("POST", f"/tasks/{command}/steer", 409, person=True, json=given)["code"] == "no_steer"
    with inside():
        assert api.ask("POST", f"/tasks/{id}/steer", 403, person=True, json=given)["code"] == "may_not_answer"


def asked(api: Api) -> tuple[str, str]:
    """A task that waits, and the id of its question."""
    id = api.add()
    api.played.attempt(id, ASKS)
    (question,) = api.ask("GET", "/questions")["questions"]
    assert (question["task"], question["about"], question["choices"]) == (id, "Bash touch x", ["allow", "deny"])
    return id, question["id"]


@BOTH
def test_only_a_person_answers(api: Api) -> None:
    id, question = asked(api)
    given = {"question": question, "answer": "allow", "by": "Ada", "note": "only once"}
    assert api.ask("POST", f"/tasks/{id}/answer", 403, json=given)["code"] == "may_not_answer"
    assert api.state(id) == "waiting"
    assert api.ask("POST", f"/tasks/{id}/answer", person=True, json=given)["state"] == "queued"
    (told,) = api.ask("GET", f"/tasks/{id}")["questions"]
    assert (told["answer"], told["by"], told["note"], told["used"]) == ("allow", "Ada", "only once", None)
    assert api.ask("POST", f"/tasks/{id}/answer", 409, person=True, json=given)["code"] == "no_question"
    assert api.ask("GET", "/questions") == {"questions": []}


def test_an_answer_is_to_the_question_that_was_read(api: Api) -> None:
    id, question = asked(api)
    given = {"question": question, "answer": "deny", "by": "Ada"}
    api.ask("POST", f"/tasks/{id}/answer", person=True, json=given)
    api.played.attempt(id, ASKS, number=2)
    told = api.ask("POST", f"/tasks/{id}/answer", 409, person=True, json={**given, "answer": "allow"})
    assert "asks something else by now" in told["message"]
    assert api.state(id) == "waiting"


@pytest.mark.parametrize(
    "change", [{"answer": "alow"}, {"answer": ""}, {"by": ""}, {"by": " "}, {"by": "Ada\u202e"}, {"note": "x" * 1_001}]
)
def test_an_answer_is_one_that_is_offered_and_names_who_gives_it(api: Api, change: dict[str, str]) -> None:
    id, question = asked(api)
    api.ask(
        "POST",
        f"/tasks/{id}/answer",
        400,
        person=True,
        json={"question": question, "answer": "allow", "by": "A", **change},
    )
    assert api.state(id) == "waiting"


def test_an_agents_own_process_does_not_answer(api: Api) -> None:
    from supervisor.errors import MayNotAnswer

    id, question = asked(api)
    with inside(), pytest.raises(MayNotAnswer):
        api.board.answer(id, question, "allow", "Ada", "")
    assert api.state(id) == "waiting"


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer x", f"Basic {PEOPLE}", f"Bearer {PEOPLE}x", "Bearer \u00e4"])
def test_without_a_token_there_is_nothing(api: Api, header: str) -> None:
    id = api.add()
    for each in OPERATIONS:
        path = each.path.replace("{id}", id)
        answer = api.request(each.method, path, headers={"Authorization": header.encode()}, json={})
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer"), each.name
        assert id not in answer.text
    assert api.state(id) == "queued"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_pages_of_other_origins_are_refused(api: Api, headers: dict[str, str], status: int) -> None:
    answer = api.post("/v1/tasks", json={"driver": "shell", "command": ["true"], "folder": "/"}, headers=headers)
    assert answer.status_code == status
    assert api.ask("GET", "/tasks")["tasks"] == []


def test_other_routes_and_methods_are_none(api: Api) -> None:
    assert api.get("/v1/nothing").json()["code"] == "no_route"
    assert api.get("/v1/tasks/0123456789/cancel").status_code == 405
    assert api.delete("/v1/tasks/0123456789").status_code == 405
