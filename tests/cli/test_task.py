"""`supervisor task`: what people hand out and look at."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from supervisor.runtime.execution.engine import Queue, prepare
from supervisor.runtime.processes.containment import Containment
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import new_marker
from supervisor.runtime.store.attempts import Begun, Executor, begin, settle
from supervisor.runtime.store.database import Store
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.question import Question
from supervisor.runtime.tasks.usage import Spent
from tests.attack.terminals import terminal
from tests.conftest import Ran

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"  # of no account
BLUE = Executor("blue-1", "blue", "here")


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    made = f"sqlite:///{tmp_path / 'runtime.db'}"
    monkeypatch.setenv("SUPERVISOR_RUNTIME", made)
    monkeypatch.delenv("SUPERVISOR_TASK", raising=False)
    return made


def added(run: Callable[..., Ran], *words: str) -> str:
    ran = run("task", "add", "--json", *words)
    assert (ran.code, ran.err) == (0, "")
    return str(json.loads(ran.out)["id"])


def shown(run: Callable[..., Ran], id: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(run("task", "show", "--json", id).out)
    return found


def attempted(url: str, id: str, outcome: Outcome, log: Path, number: int = 1) -> None:
    """What an executor would have done."""
    store = Store(url)
    prepare(store)
    tree = Tree.planned(new_marker(), Containment("group", "a test asks for it"))
    assert isinstance(begin(store, id, number, BLUE, tree, str(log), time.time()), Begun)
    settle(store, Queue(store), id, number, outcome, time.time())
    store.close()


def test_a_task_is_added_listed_and_shown(run: Callable[..., Ran], url: str, tmp_path: Path) -> None:
    first = added(run, "--title", "The first", "--priority", "1", "--", "make", "--silent", "test")
    second = added(run, "--after", first[:6], "--timeout", "90s", "--env", "A=b=c", "-C", str(tmp_path), "--", "true")
    listed = json.loads(run("task", "list", "--json").out)
    assert {each["id"]: each["state"] for each in listed["tasks"]} == {first: "queued", second: "blocked"}
    assert (listed["counts"], listed["executors"]) == ({"queued": 1, "blocked": 1}, [])
    found = shown(run, second)
    assert (found["after"], found["timeout"], found["folder"]) == (
        [{"id": first, "state": "queued"}],
        90.0,
        str(tmp_path),
    )
    assert shown(run, first)["command"] == ["make", "--silent", "test"]
    text = run("task", "list").out
    assert "The first" in text
    assert "1 blocked, 1 queued; no executor: `supervisor up` runs one" in text
    assert json.loads(run("task", "list", "--state", "blocked", "--json").out)["tasks"][0]["id"] == second


def test_a_key_is_used_once(run: Callable[..., Ran], url: str) -> None:
    first = added(run, "--key", "nightly", "--", "true")
    assert run("task", "add", "--key", "nightly", "--", "true").out == f"there is {first}\n"
    assert run("task", "cancel", first).out == f"cancelled {first}\n"
    assert added(run, "--key", "nightly", "--", "true") != first
    assert "key_in_use" in run("task", "retry", first).err


def test_a_task_that_runs_is_the_parent_of_what_it_adds(
    run: Callable[..., Ran], url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parent = added(run, "--", "true")
    monkeypatch.setenv("SUPERVISOR_TASK", parent)
    child = added(run, "--", "true")
    assert (shown(run, child)["parent"], shown(run, parent)["children"]) == (parent, [child])
    assert run("task", "cancel", parent).out == f"cancelled {parent}, {child}\n"


def test_secrets_are_masked_in_commands_and_logs(run: Callable[..., Ran], url: str, tmp_path: Path) -> None:
    id = added(run, "--", "curl", "-H", f"Authorization: token {TOKEN}", "https://api.github.com")
    log = tmp_path / "log"
    log.write_text(f"HTTP 200\ntoken={TOKEN}\n")
    attempted(url, id, Outcome(Ending.SUCCEEDED, "", 0), log)
    for line in (["show", id], ["show", id, "--json"], ["list"], ["logs", id]):
        ran = run("task", *line)
        assert (ran.code, TOKEN in ran.out) == (0, False), ran.out
    assert run("task", "logs", id).out.startswith("HTTP 200\n")


def test_a_dead_letter_is_retried(run: Callable[..., Ran], url: str, tmp_path: Path) -> None:
    id = added(run, "--on-failure", "", "--", "false")
    assert "is queued: only what has failed or was cancelled is retried" in run("task", "retry", id).err
    attempted(url, id, Outcome(Ending.FAILED, "exit code 1", 1), tmp_path / "log")
    told = run("task", "show", id).out
    assert "on blue  failed after 0 s: exit code 1" in told
    assert "is not on this machine, or nothing was started" in run("task", "logs", id).err
    assert "has no such attempt" in run("task", "logs", id, "--attempt", "2").err
    assert run("task", "retry", id[:6]).out == f"queued {id}\n"
    assert shown(run, id)["state"] == "queued"


def test_only_a_person_answers(run: Callable[..., Ran], url: str, tmp_path: Path) -> None:
    id = added(run, "--on-failure", "escalate", "--", "false")
    assert "asks nothing" in run("task", "answer", id, "retry").err
    attempted(url, id, Outcome(Ending.FAILED, "exit code 1", 1), tmp_path / "log")
    assert "`supervisor task answer" in run("task", "show", id).out
    command = [sys.executable, "-m", "supervisor", "task", "answer", id]
    environment = {**os.environ, "SUPERVISOR_RUNTIME": url}
    with terminal(*command, "retry", cwd=tmp_path, env=environment) as screen:
        screen.wait_for("Type yes to answer retry:")
        assert "It has failed once, at last because exit code 1. Try again?" in screen.shown
        screen.type("no\n")
        assert screen.ends() == 2
    assert shown(run, id)["state"] == "waiting"
    with terminal(*command, "give-up", "--by", "Ada", cwd=tmp_path, env=environment) as screen:
        screen.wait_for("Type yes to answer give-up:")
        screen.type("yes\n")
        assert screen.ends() == 0
    assert (shown(run, id)["state"], shown(run, id)["reason"]) == ("failed", "given up by Ada")


def test_an_agent_is_given_a_prompt(run: Callable[..., Ran], url: str) -> None:
    id = added(run, "--driver", "claude", "--prompt", "Make the tests pass")
    found = shown(run, id)
    assert (found["driver"], found["command"], found["title"]) == ("claude", ["claude"], "Make the tests pass")
    assert "Make the tests pass" in run("task", "show", id).out
    for words in (("--driver", "claude"), ("--prompt", "x", "--", "true"), ("--driver", "acp", "--prompt", "x")):
        ran = run("task", "add", *words)
        assert (ran.code, ran.out) == (2, ""), words
    assert "is none of shell, claude, codex, acp" in run("task", "add", "--driver", "x", "--prompt", "y", "--", "z").err


def test_what_drivers_can_do_is_shown(run: Callable[..., Ran]) -> None:
    can = json.loads(run("task", "drivers", "--json").out)
    assert can["claude"]["cost"]
    assert not can["codex"]["cost"]
    assert not any(can["shell"].values())
    assert "reason_on_deny" in run("task", "drivers").out


def test_what_an_attempt_has_spent_is_shown(run: Callable[..., Ran], url: str, tmp_path: Path) -> None:
    id = added(run, "--driver", "claude", "--prompt", "x")
    outcome = Outcome(Ending.SUCCEEDED, "Done.", 0, spent=Spent(12_345, 10, 678, 0.25))
    attempted(url, id, outcome, tmp_path / "log")
    assert "Done.; 12,345 tokens read, 678 written, $0.2500" in run("task", "show", id).out


def test_an_agents_question_is_answered(run: Callable[..., Ran], url: str, tmp_path: Path) -> None:
    id = added(run, "--driver", "claude", "--prompt", "x")
    question = Question("May this run? Bash touch x", ("allow", "deny"), "d" * 64, "Bash touch x")
    attempted(url, id, Outcome(Ending.PARKED, question.text, question=question), tmp_path / "log")
    assert f"`supervisor task answer {id}` allow or deny" in run("task", "show", id).out
    assert "no answer 'alow'; did you mean 'allow'?" in run("task", "answer", id, "alow").err
    command = [sys.executable, "-m", "supervisor", "task", "answer", id, "deny", "--note", "not now", "--by", "Ada"]
    with terminal(*command, cwd=tmp_path, env={**os.environ, "SUPERVISOR_RUNTIME": url}) as screen:
        screen.wait_for("Type yes to answer deny:")
        assert "May this run? Bash touch x" in screen.shown
        screen.type("yes\n")
        assert screen.ends() == 0
    found = shown(run, id)
    assert (found["state"], found["target"]) == ("queued", "blue")
    assert found["questions"][0]["note"] == "not now"
