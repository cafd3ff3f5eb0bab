"""`supervisor task`: what people hand out and look at."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from supervisor.policy import Cap
from supervisor.runtime.execution.engine import Queue, prepare
from supervisor.runtime.processes.containment import Containment
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import new_marker
from supervisor.runtime.store.attempts import Begun, Executor, begin, settle
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.ledger import Counter, note
from supervisor.runtime.store.rows import read_task
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


def begun(url: str, id: str, log: Path, number: int = 1) -> None:
    """What an executor does first."""
    store = Store(url)
    prepare(store)
    tree = Tree.planned(new_marker(), Containment("group", "a test asks for it"))
    assert isinstance(begin(store, id, number, BLUE, tree, str(log), time.time()), Begun)
    store.close()


def attempted(url: str, id: str, outcome: Outcome, log: Path, number: int = 1) -> None:
    """What an executor would have done."""
    begun(url, id, log, number)
    store = Store(url)
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


def test_only_a_person_speaks_to_an_agent_that_runs(run: Callable[..., Ran], url: str, tmp_path: Path) -> None:
    id, other = added(run, "--driver", "claude", "--prompt", "tidy up"), added(run, "--", "true")
    assert "no_steer" in run("task", "steer", other, "and sweep").err
    assert "not_running" in run("task", "steer", id, "and sweep").err
    begun(url, id, tmp_path / "log")
    command = [sys.executable, "-m", "supervisor", "task", "steer", id, "and sweep", "--by", "Ada"]
    with terminal(*command, cwd=tmp_path, env={**os.environ, "SUPERVISOR_RUNTIME": url}) as screen:
        screen.wait_for("Type yes to tell the agent:")
        screen.type("yes\n")
        assert screen.ends() == 0
    assert [(said["text"], said["by"], said["heard"]) for said in shown(run, id)["messages"]] == [
        ("and sweep", "Ada", None)
    ]
    assert "Ada has said (not heard yet): and sweep" in run("task", "show", id).out


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


def test_the_page_of_the_morning(run: Callable[..., Ran], url: str, tmp_path: Path) -> None:
    """What was finished, what failed, and what is to be decided, which is the same for two tasks."""
    done, failed, *asking, idle = (added(run, "--title", name, "--", "true") for name in "abcde")
    spent = Spent(1200, 0, 34, 0.5)
    attempted(url, done, Outcome(Ending.SUCCEEDED, spent=spent), tmp_path / "log")
    attempted(url, failed, Outcome(Ending.REFUSED, f"no {TOKEN}", spent=spent), tmp_path / "log")
    for id in asking:
        question = Question("May this run? git push", ("allow", "deny"), "d", "git push")
        attempted(url, id, Outcome(Ending.PARKED, "May it?", question=question), tmp_path / "log")
    found = json.loads(run("task", "morning", "--json").out)
    assert [each["id"] for each in found["finished"]] == [done]
    assert [each["id"] for each in found["failed"]] == [failed]
    assert [each["tasks"] for each in found["decisions"]] == [asking]
    assert found["endings"] == {"parked": 2, "refused": 1, "succeeded": 1}
    assert (found["spent"]["input_tokens"], found["spent"]["cost"]) == (2400, 1.0)
    assert found["left"] == {"queued": 1, "waiting": 2}
    text = run("task", "morning", "--since", "1h").out
    assert TOKEN not in text
    assert "To decide: 1" in text
    assert f"`supervisor task answer {asking[0]}` allow or deny; 2 tasks ask the same" in text
    assert "$1.00, 2,400 tokens read, 68 written" in text
    assert idle not in text


def test_a_morning_after_nothing(run: Callable[..., Ran], url: str) -> None:
    assert run("task", "morning").out.splitlines() == [
        "Nothing to decide.",
        "Cost: 0 tokens read, 0 written, 0.0 hours of work",
        "Attempts: none",
        "Left: nothing",
    ]
    assert run("task", "morning", "--since", "soon").code == 2


def spent(url: str, task: str, usage: dict[str, Spent], provider: str = "anthropic") -> None:
    """What an executor would have counted."""
    store = Store(url)
    note(store, Counter(task, 1, "gateway", provider), usage, {}, time.time())
    store.close()


def test_what_was_spent_is_told_everywhere(run: Callable[..., Ran], url: str, tmp_path: Path) -> None:
    id = added(run, "--", "true")
    child = added(run, "--parent", id, "--", "true")
    assert run("task", "cost").out == "nothing was spent\n"
    attempted(url, id, Outcome(Ending.SUCCEEDED, "", 0), tmp_path / "log")
    spent(url, id, {"known": Spent(1000, 0, 200, 1.25)})
    spent(url, child, {"new": Spent(50, 0, 5)}, "openai")
    told = run("task", "show", id).out
    assert "spent $1.25, 1,200 tokens; $1.25, 1,255 tokens, no price of new with all that it has added" in told
    assert "succeeded after 0 s; $1.25, 1,200 tokens" in told
    assert "$1.25, 1,000 tokens read, 200 written" in run("task", "morning").out
    found = shown(run, id)
    assert found["spent"] == {"tokens": 1200, "dollars": 1.25, "unpriced": []}
    assert found["tree_spent"] == {"tokens": 1255, "dollars": 1.25, "unpriced": ["new"]}
    listed = json.loads(run("task", "list", "--json").out)["tasks"]
    assert {each["id"]: each["spent"]["tokens"] for each in listed} == {id: 1200, child: 55}
    policy = tmp_path / "policy.yaml"
    caps = {"day": {"dollars": 5}, "providers": {"openai": {"tokens": 1000}}}
    policy.write_text(json.dumps({"spending": caps}))
    text = run("task", "cost", "--policy", str(policy)).out
    assert "55 tokens, no price of new" in text
    assert "everything today: $1.25 of $5.00" in text
    assert "openai today: 55 tokens of 1,000 tokens" in text
    plain = json.loads(run("task", "cost", "--json", "--days", "2", "--policy", str(policy)).out)
    assert [(each["provider"], each["model"], each["tokens"]) for each in plain["spent"]] == [
        ("anthropic", "known", 1200),
        ("openai", "new", 55),
    ]
    assert plain["caps"][0] == {"of": "everything", "unit": "dollars", "cap": 5.0, "spent": 1.25}


def test_caps_are_set_with_a_task(run: Callable[..., Ran], url: str) -> None:
    words = ("--max-cost", "2.5", "--max-tokens", "1000", "--max-tree-cost", "10", "--max-tree-tokens", "9")
    id = added(run, *words, "--", "true")
    store = Store(url)
    with store.reading() as connection:
        spec = read_task(connection, id).spec
    store.close()
    assert (spec.cap, spec.tree_cap) == (Cap(2.5, 1000), Cap(10.0, 9))
    assert run("task", "add", "--max-cost", "-1", "--", "true").code == 2
    assert run("task", "add", "--max-cost", "nan", "--", "true").code == 2
