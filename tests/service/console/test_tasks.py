"""The console's pages of tasks: what people see of them, and what they decide."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.policy import FailurePolicy
from supervisor.runtime.tasks.question import Question
from supervisor.runtime.tasks.spec import Spec
from supervisor.runtime.tasks.usage import Spent
from supervisor.service.console import live, tasks
from supervisor.service.console.calls import Call
from supervisor.service.console.visits import Visit
from tests.feedback.journals import Machine
from tests.service.console.people import Console, Person
from tests.service.console.test_gate import EVIL, tags
from tests.service.tasks.programs import ASKS, SECRET, Played

FAILED = Outcome(Ending.FAILED, "exit code 1", 1)


@pytest.fixture
def played(console: Console, tmp_path: Path) -> Played:
    return Played(console.desk.board, tmp_path)


def added(played: Played, *command: str, **more: Any) -> str:
    made = Spec(command or ("true",), "/", policy=FailurePolicy(()), **more)
    return played.board.add(made).id


@pytest.fixture
def ann(console: Console) -> Iterator[Person]:
    return console.person()


def state(played: Played, id: str) -> str:
    return str(played.board.task(id)["state"])


def test_tasks_are_listed_by_state_with_who_does_them(played: Played, ann: Person) -> None:
    assert "There are no tasks" in ann.get("/tasks")
    played.register()
    running, failed = added(played, title="A build"), added(played, title="A test")
    played.begin(running)
    played.attempt(failed, FAILED)
    page = ann.get("/tasks")
    assert "1 running" in page
    assert "1 failed" in page
    assert "1 executor is alive" in page
    assert "1 of 4 slots" in page
    assert re.search(rf'<li><a href="[^"]+/tasks/{running}">A build</a> <small>attempt 1', page)
    only = ann.get("/tasks?state=failed")
    assert f"/tasks/{failed}" in only
    assert f'<th scope="row"><a href="{ann.base}/tasks/{running}"' not in only
    ann.get("/tasks?state=done", 400)


def test_one_task_is_shown_with_all_that_became_of_it(played: Played, ann: Person) -> None:
    parent = added(played)
    id = added(played, "make", "test", parent=parent, after=(parent,), timeout=60, deadline=4e9)
    assert f"{parent}</a>, which is queued" in ann.get(f"/tasks/{id}")
    played.attempt(parent, Outcome(Ending.SUCCEEDED))
    spent = Spent(12_345, 10, 678, 0.25)
    played.attempt(
        id, Outcome(Ending.FAILED, "exit code 2", 2, spent=spent), printed="x" * 30_000 + f"\ntoken={SECRET}\n"
    )
    page = ann.get(f"/tasks/{id}")
    for told in (
        "make test",
        "failed: exit code 2",
        "12,345",
        "678",
        "0.2500",
        "What attempt 1 has printed",
        "The end of it",
    ):
        assert told in page
    assert SECRET not in page
    assert f"{ann.base}/tasks/{id}" in ann.get(f"/tasks/{parent}")
    ann.get("/tasks/0123456789", 404)


def test_a_person_answers_the_question_that_is_shown(played: Played, ann: Person) -> None:
    id = added(played, title="A deploy")
    played.attempt(id, ASKS)
    page = ann.get("/questions")
    assert "1 task waits for a person" in page
    assert "Bash touch x" in page
    (question,) = re.findall(r'name="question" value="(\w+)"', page)
    assert question in ann.get(f"/tasks/{id}")
    answer = ann.post(f"/tasks/{id}/answer", question=question, answer="allow", note="only once")
    assert answer.headers["location"] == f"{ann.base}/tasks/{id}?told=answered"
    assert state(played, id) == "queued"
    (told,) = played.board.task(id)["questions"]
    assert (told["answer"], told["by"], told["note"]) == ("allow", "ann", "only once")
    assert "ann has answered <b>allow</b>" in ann.get(f"/tasks/{id}?told=answered")
    assert "It is answered." in ann.page
    played.attempt(id, ASKS, number=2)
    late = ann.post(f"/tasks/{id}/answer", 409, question=question, answer="allow")
    assert "asks something else by now" in late.text
    assert state(played, id) == "waiting"
    assert "no_question" in ann.post(f"/tasks/{id}/answer", 409, answer="allow", question="0" * 8).text


@pytest.mark.parametrize(
    "fields", [{}, {"answer": "alow"}, {"answer": "allow"}, {"answer": "allow", "note": "x" * 1_001}]
)
def test_an_answer_names_its_question_and_is_offered(played: Played, ann: Person, fields: dict[str, str]) -> None:
    id = added(played)
    played.attempt(id, ASKS)
    (question,) = re.findall(r'name="question" value="(\w+)"', ann.get("/questions"))
    named = {"question": question} if fields != {"answer": "allow"} else {}
    ann.post(f"/tasks/{id}/answer", 400 if named else 409, **named, **fields)
    assert state(played, id) == "waiting"


def test_a_question_without_choices_takes_a_text(played: Played, ann: Person) -> None:
    id = added(played)
    played.attempt(id, Outcome(Ending.PARKED, "Which one?", question=Question("Which one?")))
    (question,) = re.findall(r'name="question" value="(\w+)"', ann.get(f"/tasks/{id}"))
    ann.post(f"/tasks/{id}/answer", question=question, answer="the second")
    assert played.board.task(id)["questions"][0]["answer"] == "the second"


def test_a_person_speaks_to_an_agent_that_runs(played: Played, ann: Person) -> None:
    played.register()
    id = played.board.add(Spec(("claude",), "/", driver="claude", prompt="tidy up")).id
    assert "Say to the agent" not in ann.get(f"/tasks/{id}")
    assert "not_running" in ann.post(f"/tasks/{id}/steer", 409, text="and sweep").text
    played.begin(id)
    assert "Say to the agent" in ann.get(f"/tasks/{id}")
    assert ann.post(f"/tasks/{id}/steer", text=EVIL).headers["location"] == f"{ann.base}/tasks/{id}?told=told"
    page = ann.get(f"/tasks/{id}?told=told")
    assert "ann has said" in page
    assert "not heard yet" in page
    assert EVIL not in page
    ann.post(f"/tasks/{id}/steer", 400, text="")


def test_tasks_are_cancelled_and_tried_again(played: Played, ann: Person) -> None:
    id = added(played)
    ann.post(f"/tasks/{id}/cancel")
    assert state(played, id) == "cancelled"
    ann.post(f"/tasks/{id}/retry")
    assert state(played, id) == "queued"
    assert "not_over" in ann.post(f"/tasks/{id}/retry", 409).text


def pages_with(played: Played, ann: Person, text: str) -> list[Any]:
    """Every page of tasks, with a text wherever a task, an agent or a person can put one."""
    id = added(played, text, title=text[:200], key=text)
    question = Question(text, (text, "deny"), "d" * 64, text)
    played.attempt(id, Outcome(Ending.PARKED, text, question=question), printed=text)
    shown = [ann.get("/questions"), ann.get(f"/tasks/{id}"), ann.get("/tasks")]
    (asked,) = re.findall(r'name="question" value="(\w+)"', shown[1])
    ann.post(f"/tasks/{id}/answer", question=asked, answer=text, note=text)
    played.attempt(id, Outcome(Ending.FAILED, text, 1), number=2, printed=text)
    shown += [ann.get(f"/tasks/{id}"), ann.get("/tasks"), ann.get(f"/tasks?state={text}", 400)]
    return shown


def test_what_a_task_or_an_agent_writes_stays_text(tmp_path: Path, machine: Machine, make_console: Any) -> None:
    found = {}
    for text in ("plain", EVIL):
        console = make_console(f"sqlite:///{tmp_path / f'{len(text)}.db'}")
        found[text] = pages_with(Played(console.desk.board, tmp_path), console.person(), text)
    assert "onerror" in "".join(found[EVIL])
    assert [tags(page) for page in found[EVIL]] == [tags(page) for page in found["plain"]]


def test_the_page_sends_its_parts_when_they_change(console: Console, played: Played, ann: Person) -> None:
    id = added(played, title="A build")
    visit = Visit("ann", room=ann.base.removeprefix("/r/"))
    call = Call(console.desk, visit, {"id": id}, {}, {})

    async def read() -> list[str]:
        look = tasks._pieces(call, "_task.html", lambda: tasks._whole(call))
        events = live._events(console.desk, visit, look)
        told = [await anext(events), await anext(events)]
        await asyncio.to_thread(played.attempt, id, ASKS)
        told.append(await anext(events))
        visit.is_closed = True
        return told + [each async for each in events]

    opened, first, second = asyncio.run(read())
    assert opened.startswith(":")
    assert 'class="state queued"' in first
    assert 'class="state waiting"' in second
    assert 'value="allow"' in second
    assert all(line.startswith("data: ") for line in second.strip().splitlines())
    assert console.desk.streams == 0


def test_streams_are_few_and_of_tasks_that_there_are(console: Console, played: Played, ann: Person) -> None:
    ann.get("/tasks/0123456789/stream", 404)
    console.desk.streams = live._MOST
    ann.get("/tasks/stream", 503)


def test_a_database_that_cannot_be_opened_is_told(make_console: Any, tmp_path: Path) -> None:
    ann = make_console(f"sqlite:///{tmp_path}").person()
    page = ann.get("/tasks", 503)
    assert "Not done" in page


def test_the_other_pages_need_no_runtime(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra `console` does not bring DBOS."""
    monkeypatch.setitem(sys.modules, "dbos", None)
    assert "pip install &#39;supervisor-guard[runtime]&#39;" in ann.get("/tasks", 503)
    assert "Nothing waits" in ann.get("/queue")
