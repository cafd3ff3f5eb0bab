"""The real programs, under a model that follows a script, with the guard behind their hooks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from supervisor.runtime.drivers.driver import Control, Driver, Job
from supervisor.runtime.drivers.guarding import CommandGuard
from supervisor.runtime.drivers.known import drivers_of
from supervisor.runtime.processes.containment import detect
from supervisor.runtime.processes.killing import kill_tree
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import new_marker
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.question import ALLOW, DENY, Given, Question
from supervisor.runtime.tasks.said import Said
from supervisor.runtime.tasks.spec import Spec
from tests.conftest import TinyTaxonomy
from tests.hosts.agents import Agent, agent
from tests.hosts.model_server import Call, Model, Tokens, model
from tests.hosts.test_agents import MCP, SHELL, WRITES

pytestmark = pytest.mark.thorough


@dataclass
class Driven:
    """A real program with a driver."""

    agent: Agent
    driver: Driver
    guard: CommandGuard
    trees: list[Tree]
    used: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)

    def job(
        self, scripted: Model, number: int = 1, previous: Outcome | None = None, *more: str, given: Given | None = None
    ) -> Job:
        """An attempt at tidying up."""
        name = self.agent.name
        environment, words = _TOLD[name](self.agent, scripted)
        environment = {"HOME": str(self.agent.home), **environment}
        spec = Spec(
            (self.agent.program, *words, *more),
            str(self.agent.work),
            driver="acp" if name == "gemini" else name,
            prompt="please tidy up",
            environment=environment,
        )
        home = self.agent.folder / "worker"
        home.mkdir(exist_ok=True)
        log, plan = self.agent.folder / f"{number}.log", Tree.planned(new_marker(), detect())
        self.trees.append(plan)
        return Job(
            "task",
            number,
            spec,
            plan,
            self.agent.work,
            log,
            home,
            Control(),
            previous,
            self.trees.append,
            given,
            self.use,
        )

    def use(self, answer: str) -> bool:
        """Uses an answer up."""
        first = answer not in self.used
        self.used.append(answer)
        return first

    def made(self) -> set[str]:
        """What stands in the workspace."""
        return set(os.listdir(self.agent.work))


def _claude(driven: Agent, scripted: Model) -> tuple[dict[str, str], list[str]]:
    servers = driven.folder / "mcp.json"
    servers.write_text(json.dumps({"mcpServers": {"runner": {"command": driven.server[0], "args": driven.server[1:]}}}))
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
    return {"ANTHROPIC_BASE_URL": scripted.url, "ANTHROPIC_API_KEY": "none", **quiet}, ["--mcp-config", str(servers)]


def _codex(driven: Agent, scripted: Model) -> tuple[dict[str, str], list[str]]:
    provider = f'{{name = "scripted", base_url = "{scripted.url}/v1", wire_api = "responses", env_key = "NO_KEY"}}'
    settings = {
        "model": '"gpt-5.5"',
        "model_provider": '"scripted"',
        "model_providers.scripted": provider,
        "sandbox_mode": '"danger-full-access"',  # the machine of a test may have no sandbox
        "mcp_servers.runner.command": json.dumps(driven.server[0]),
        "mcp_servers.runner.args": json.dumps(driven.server[1:]),
    }
    return {"NO_KEY": "none"}, [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]


def _gemini(driven: Agent, scripted: Model) -> tuple[dict[str, str], list[str]]:
    told = {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": scripted.url, "GEMINI_CLI_TRUST_WORKSPACE": "true"}
    return told, ["--acp", "-m", "gemini-2.5-pro"]


_TOLD: dict[str, Callable[[Agent, Model], tuple[dict[str, str], list[str]]]] = {
    "claude": _claude,
    "codex": _codex,
    "gemini": _gemini,
}


@pytest.fixture(params=["claude", "codex"])
def driven(request: pytest.FixtureRequest, tmp_path: Path, tiny: TinyTaxonomy) -> Iterator[Driven]:
    found = agent(request.param, tmp_path)
    if found is None:
        pytest.skip(f"{request.param} is not on this machine: SUPERVISOR_AGENTS names the folder of the programs")
    guard, trees = CommandGuard(tiny.policy), list[Tree]()
    yield Driven(found, drivers_of(guard)[request.param], guard, trees)
    guard.close()
    assert [tree.members() for tree in trees if tree.members()] == []


def test_every_action_is_guarded_and_the_agent_hears_why(driven: Driven) -> None:
    shell = SHELL[driven.agent.name]
    words = ("touch block", "touch nudge", "touch right", "ls", "git status", "echo hello > said")
    others = (MCP[driven.agent.name], WRITES[driven.agent.name](driven.agent.work / "written.py"))
    with model(tidy=[*map(shell, words), *others, "All done."]) as scripted:
        outcome = driven.driver.run(driven.job(scripted))
    assert (outcome.ending, outcome.reason) == (Ending.SUCCEEDED, "All done.")
    assert driven.made() >= {"right", "said", "written.py"}
    assert not driven.agent.ran.exists()
    assert not driven.made() & {"block", "nudge"}
    assert "Plan another way to the goal" in scripted.heard
    assert "Leave it out." in scripted.heard
    assert outcome.spent is not None
    assert (outcome.spent.input, outcome.spent.output) == (len(words) + 3, len(words) + 3)


def test_a_session_is_gone_on_with_and_told_that_it_was_cut_off(driven: Driven) -> None:
    shell = SHELL[driven.agent.name]
    with model(tidy=[shell("touch first"), shell("touch began; sleep 60"), "All done."]) as scripted:
        job = driven.job(scripted)
        _when((driven.agent.work / "began").exists, lambda: job.control.stop(Outcome(Ending.PREEMPTED, "a stop")))
        assert driven.driver.run(job).ending is Ending.PREEMPTED
        outcome = driven.driver.run(driven.job(scripted, 2, Outcome(Ending.PREEMPTED, "a stop")))
    assert outcome.ending is Ending.SUCCEEDED
    assert "You were cut off: a stop." in scripted.heard
    assert "These calls were over, the latest last" in scripted.heard
    assert outcome.spent is not None
    assert outcome.spent.input == 1


def test_an_agent_hears_what_a_person_says_while_it_works(driven: Driven) -> None:
    """It is told between two calls, or in a turn more; and the guard takes it as a part of the task."""
    first, second = (Said(str(uuid.uuid4()), f"and sweep the {place}") for place in ("floor", "stairs"))
    with model(tidy=[SHELL[driven.agent.name]("touch began; sleep 0.5"), "All done.", "So is that."]) as scripted:
        job = replace(driven.job(scripted), heard=driven.heard.append)

        def with_the_last_words(number: int) -> Tokens:
            if number == 2:
                job.control.tell(second)
            return Tokens()

        scripted.tokens = with_the_last_words
        _when((driven.agent.work / "began").exists, lambda: job.control.tell(first))
        outcome = driven.driver.run(job)
    assert outcome.ending is Ending.SUCCEEDED
    assert driven.heard == [first.id, second.id]
    assert all(said.text in scripted.heard for said in (first, second))
    assert f"{first.text}\n\n{second.text}" in json.loads((job.home / "guard.json").read_text())["task"]


def test_a_guard_that_fails_lets_nothing_run(driven: Driven, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: Any) -> None:
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr("supervisor.runtime.drivers.agents.judging.answer", fails)
    with model(tidy=[SHELL[driven.agent.name]("touch right"), "All done."]) as scripted:
        driven.driver.run(driven.job(scripted))
    assert not driven.made() & {"right"}
    assert "guard_failed" in scripted.heard


DYING = """
import json, os, sys, time
from pathlib import Path
from supervisor.runtime.drivers.agents import judging
from supervisor.runtime.drivers.driver import Control, Job
from supervisor.runtime.drivers.guarding import CommandGuard
from supervisor.runtime.drivers.known import drivers_of
from supervisor.runtime.processes.containment import detect
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import new_marker
from supervisor.runtime.tasks.said import Said
from supervisor.runtime.tasks.spec import Spec

told = json.loads(sys.argv[1])
folder = Path(told["folder"])
before = judging.answer

async def killed(host, event, *rest):
    if event.moment == told["moment"]:
        (folder / "asked").touch()
        os.kill(os.getpid(), 9)
    return await before(host, event, *rest)

judging.answer = killed
spec = Spec.from_json(told["spec"])
plan = Tree.planned(new_marker(), detect())
job = Job("task", 1, spec, plan, Path(spec.folder), folder / "log", folder / "worker", Control(), None,
          lambda tree: (folder / "tree").write_text(json.dumps(tree.to_json())))
drivers_of(CommandGuard(Path(told["policy"])))[spec.driver].run(job)
"""


@pytest.mark.parametrize("moment", ["before", "after", "finish"])
def test_when_the_executor_is_killed_nothing_runs_unguarded(moment: str, driven: Driven, tiny: TinyTaxonomy) -> None:
    """It dies in the middle of an answer. The agent ends by itself, or can do nothing until it is killed."""
    shell, folder = SHELL[driven.agent.name], driven.agent.folder
    before = [] if moment == "before" else [shell("touch first")]
    after = [] if moment == "finish" else [shell("touch second")]
    with model(tidy=[*before, *after, "All done."]) as scripted:
        spec = driven.job(scripted).spec.to_json()
        told = {"folder": str(folder), "moment": moment, "spec": spec, "policy": str(tiny.policy)}
        run = subprocess.run([sys.executable, "-c", DYING, json.dumps(told)], cwd=folder, timeout=90, check=False)
        assert run.returncode == -9
        assert (folder / "asked").exists()
        tree = Tree.from_json(json.loads((folder / "tree").read_text()))
        end = time.monotonic() + 5
        while tree.members() and time.monotonic() < end:
            time.sleep(0.1)
        assert not driven.made() & {"second"}
        assert not kill_tree(tree, polite=None).survivors
    assert driven.made() == ({"first"} if before else set())


@pytest.fixture
def asking(driven: Driven, tiny: TinyTaxonomy) -> Iterator[Driven]:
    """A program under a policy that has a person asked about what is blocked."""
    records = {"path": str(driven.agent.folder / "records"), "key": str(driven.agent.folder / "key.pem")}
    guard = CommandGuard(tiny.set_policy(records=records, approval={"ask": [{"families": ["system"]}]}))
    yield Driven(driven.agent, drivers_of(guard)[driven.agent.name], guard, driven.trees)
    guard.close()


def _answer(outcome: Outcome, word: str, note: str = "") -> Given:
    question = outcome.question
    assert isinstance(question, Question)
    return Given("q1", question.digest, question.about, word, "Ada", note, is_text=not question.choices)


def _parking(asking: Driven) -> list[Call | str]:
    """Codex has to make the call again."""
    block = SHELL[asking.agent.name]("touch block")
    return [block, "It waits.", block, "All done."] if asking.agent.name == "codex" else [block, "All done."]


@pytest.mark.parametrize("word", [ALLOW, DENY])
def test_a_question_is_parked_and_its_answer_is_used_once(asking: Driven, word: str) -> None:
    script = _parking(asking)
    with model(tidy=script) as scripted:
        parked = asking.driver.run(asking.job(scripted))
        assert parked.ending is Ending.PARKED, parked
        assert parked.question is not None
        assert parked.question.choices == (ALLOW, DENY)
        assert "touch block" in parked.question.text
        assert not asking.made() & {"block"}
        assert not any(tree.members() for tree in asking.trees)
        given = _answer(parked, word, "because of the tests")
        outcome = asking.driver.run(asking.job(scripted, 2, parked, given=given))
        assert (outcome.ending, outcome.reason) == (Ending.SUCCEEDED, "All done."), outcome
    assert asking.used == ["q1"]
    assert ("block" in asking.made()) is (word == ALLOW)
    assert ("because of the tests" in scripted.heard) is (word == DENY or asking.agent.name == "codex")
    assert outcome.spent is not None
    assert outcome.spent.output == len(script) - (2 if asking.agent.name == "codex" else 1)


def test_an_answer_that_was_used_is_asked_for_again(asking: Driven) -> None:
    """The process was killed after the answer was taken: nobody knows whether the call has run."""
    with model(tidy=_parking(asking)) as scripted:
        parked = asking.driver.run(asking.job(scripted))
        given = _answer(parked, ALLOW)
        asking.used.append(given.id)
        outcome = asking.driver.run(asking.job(scripted, 2, parked, given=given))
    assert outcome.ending is Ending.PARKED
    assert not asking.made() & {"block"}


def test_an_answer_for_another_call_allows_nothing(asking: Driven) -> None:
    with model(tidy=_parking(asking)) as scripted:
        parked = asking.driver.run(asking.job(scripted))
        other = replace(_answer(parked, ALLOW), digest="0" * 64)
        outcome = asking.driver.run(asking.job(scripted, 2, parked, given=other))
    assert outcome.ending is Ending.PARKED
    assert asking.used == []
    assert not asking.made() & {"block"}


def test_claudes_own_question_is_answered_by_a_person(tmp_path: Path, tiny: TinyTaxonomy) -> None:
    found = agent("claude", tmp_path)
    if found is None:
        pytest.skip("claude is not on this machine: SUPERVISOR_AGENTS names the folder of the programs")
    guard = CommandGuard(tiny.policy)
    driven = Driven(found, drivers_of(guard)["claude"], guard, [])
    options = [{"label": "red", "description": "warm"}, {"label": "blue", "description": "cold"}]
    question = {"question": "Which colour?", "header": "Colour", "options": options, "multiSelect": False}
    with model(tidy=[Call("AskUserQuestion", {"questions": [question]}), "All done."]) as scripted:
        parked = driven.driver.run(driven.job(scripted))
        assert parked.question is not None
        assert parked.question.text == "Which colour?\n- red: warm\n- blue: cold"
        outcome = driven.driver.run(driven.job(scripted, 2, parked, given=_answer(parked, "green")))
    assert outcome.ending is Ending.SUCCEEDED
    assert "green" in scripted.heard
    guard.close()


@pytest.fixture
def gated(driven: Driven, tiny: TinyTaxonomy) -> Iterator[Driven]:
    """A program under the shipped taxonomy."""
    tiny.policy.write_text(json.dumps({"records": {"path": None}}))
    guard = CommandGuard(tiny.policy)
    yield Driven(driven.agent, drivers_of(guard)[driven.agent.name], guard, driven.trees)
    guard.close()


def test_a_needless_question_is_answered_and_a_risky_one_is_a_persons(gated: Driven) -> None:
    shell = SHELL[gated.agent.name]
    script = ["One is done. Want me to continue?", shell("touch right"), "Should I delete the production database?"]
    with model(tidy=[*script, "All done."]) as scripted:
        parked = gated.driver.run(gated.job(scripted))
        assert parked.ending is Ending.PARKED, parked
        assert parked.question is not None
        assert parked.question.text == "Should I delete the production database?"
        assert gated.made() >= {"right"}
        assert "Go on with the task without asking." in scripted.heard
        outcome = gated.driver.run(gated.job(scripted, 2, parked, given=_answer(parked, "No, leave it.")))
    assert (outcome.ending, outcome.reason) == (Ending.SUCCEEDED, "All done.")
    assert "Ada has answered your question (Should I delete the production database?): No, leave it." in scripted.heard


@pytest.fixture
def gemini(tmp_path: Path) -> Agent:
    found = agent("gemini", tmp_path)
    if found is None:
        pytest.skip("gemini is not on this machine: SUPERVISOR_AGENTS names the folder of the programs")
    settings = found.home / ".gemini" / "settings.json"
    settings.parent.mkdir()
    quiet = {"privacy": {"usageStatisticsEnabled": False}, "general": {"enableAutoUpdate": False}}
    settings.write_text(json.dumps({"security": {"auth": {"selectedType": "gemini-api-key"}}, **quiet}))
    return found


def test_an_agent_that_speaks_acp_is_judged_where_it_asks(gemini: Agent, tiny: TinyTaxonomy) -> None:
    """Its tools have no hooks in this mode. What is blocked waits for a person here, and is made again."""
    records = {"path": str(gemini.folder / "records"), "key": str(gemini.folder / "key.pem")}
    policy = tiny.set_policy(records=records, approval={"ask": [{"families": ["system"]}]})
    shell = SHELL["gemini"]
    script = [shell("touch nudge"), shell("touch right"), shell("touch block"), "It waits.", shell("touch block")]
    for allows_unhooked in (False, True):
        guard = CommandGuard(policy, allows_unhooked=allows_unhooked)
        driven = Driven(gemini, drivers_of(guard)["acp"], guard, [])
        with model(tidy=[*script, "All done."]) as scripted:
            parked = driven.driver.run(driven.job(scripted))
            if not allows_unhooked:
                assert (parked.ending, scripted.requests) == (Ending.REFUSED, [])
                continue
            assert parked.ending is Ending.PARKED, parked
            assert driven.made() == {"right"}
        with model(tidy=[shell("touch block"), "All done."]) as scripted:  # this agent cannot load its session
            outcome = driven.driver.run(driven.job(scripted, 2, parked, given=_answer(parked, ALLOW)))
        assert (outcome.ending, outcome.reason) == (Ending.SUCCEEDED, "All done.")
        assert driven.made() == {"right", "block"}
        assert "Ada has allowed this, once" in scripted.heard
        guard.close()


def _when(condition: Callable[[], bool], act: Callable[[], None]) -> None:
    """Acts, in a thread, as soon as something holds."""

    def wait() -> None:
        while not condition():
            time.sleep(0.02)
        act()

    threading.Thread(target=wait, daemon=True).start()


def test_claude_without_hooks_does_not_start(tmp_path: Path, tiny: TinyTaxonomy) -> None:
    """`--bare` switches all hooks off."""
    found = agent("claude", tmp_path)
    if found is None:
        pytest.skip("claude is not on this machine: SUPERVISOR_AGENTS names the folder of the programs")
    for allows_unhooked, ending in ((False, Ending.REFUSED), (True, Ending.SUCCEEDED)):
        guard = CommandGuard(tiny.policy, allows_unhooked=allows_unhooked)
        driven = Driven(found, drivers_of(guard)["claude"], guard, [])
        with model(tidy=[Call("Bash", {"command": "ls"}), "All done."]) as scripted:
            outcome = driven.driver.run(driven.job(scripted, 1, None, "--bare"))
        assert outcome.ending is ending
        assert ("please tidy up" in scripted.heard) is allows_unhooked
        guard.close()
