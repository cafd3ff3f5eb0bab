"""The real programs, under a model that follows a script, with the guard behind their hooks."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from supervisor.runtime.drivers.driver import Control, Driver, Job
from supervisor.runtime.drivers.guarding import CommandGuard
from supervisor.runtime.drivers.known import drivers_of
from supervisor.runtime.processes.containment import detect
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import new_marker
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.spec import Spec
from tests.conftest import TinyTaxonomy
from tests.hosts.agents import Agent, agent
from tests.hosts.model_server import Call, Model, model
from tests.hosts.test_agents import MCP, SHELL, WRITES

pytestmark = pytest.mark.thorough


@dataclass
class Driven:
    """A real program with a driver."""

    agent: Agent
    driver: Driver
    guard: CommandGuard
    trees: list[Tree]

    def job(self, scripted: Model, number: int = 1, previous: Outcome | None = None, *more: str) -> Job:
        """An attempt at tidying up."""
        name = self.agent.name
        environment, words = _TOLD[name](self.agent, scripted)
        environment = {"HOME": str(self.agent.home), **environment}
        spec = Spec(
            (self.agent.program, *words, *more),
            str(self.agent.work),
            driver=name,
            prompt="please tidy up",
            environment=environment,
        )
        home = self.agent.folder / "worker"
        home.mkdir(exist_ok=True)
        log, plan = self.agent.folder / f"{number}.log", Tree.planned(new_marker(), detect())
        self.trees.append(plan)
        return Job("task", number, spec, plan, self.agent.work, log, home, Control(), previous, self.trees.append)

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


_TOLD: dict[str, Callable[[Agent, Model], tuple[dict[str, str], list[str]]]] = {"claude": _claude, "codex": _codex}


@pytest.fixture(params=list(_TOLD))
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
        _when((driven.agent.work / "began").exists, lambda: job.control.stop(Outcome(Ending.INTERRUPTED, "a stop")))
        assert driven.driver.run(job).ending is Ending.INTERRUPTED
        outcome = driven.driver.run(driven.job(scripted, 2, Outcome(Ending.INTERRUPTED, "a stop")))
    assert outcome.ending is Ending.SUCCEEDED
    assert "You were cut off: a stop." in scripted.heard
    assert "These calls were over, the latest last" in scripted.heard
    assert outcome.spent is not None
    assert outcome.spent.input == 1


def test_a_guard_that_fails_lets_nothing_run(driven: Driven, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: Any) -> None:
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr("supervisor.runtime.drivers.agents.judging.answer", fails)
    with model(tidy=[SHELL[driven.agent.name]("touch right"), "All done."]) as scripted:
        driven.driver.run(driven.job(scripted))
    assert not driven.made() & {"right"}
    assert "guard_failed" in scripted.heard


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
