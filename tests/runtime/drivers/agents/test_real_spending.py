"""The real programs spend under a model that counts: the ledger has what it has counted, and caps stop them."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from supervisor.policy import Cap, Price, SpendingPolicy
from supervisor.runtime.drivers.driver import Control, Driver, Job
from supervisor.runtime.drivers.guarding import CommandGuard
from supervisor.runtime.drivers.known import drivers_of
from supervisor.runtime.execution.purse import Purse
from supervisor.runtime.processes.containment import detect
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import new_marker
from supervisor.runtime.store.adding import add
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.ledger import spent_by_attempt, spent_by_task
from supervisor.runtime.store.schema import spending, tasks
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.spec import Spec
from tests.conftest import TinyTaxonomy
from tests.hosts.agents import Agent, agent
from tests.hosts.model_server import Call, Model, Tokens, model
from tests.hosts.test_agents import SHELL

pytestmark = pytest.mark.thorough
KEY = "sk-real-0123456789abcdef"
PRICES = {"claude-*": Price(3.0, 15.0, cached=0.3, stored=3.75), "gpt-*": Price(2.0, 8.0, cached=0.2)}
QUIET = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
MODEL = ("-c", 'model="gpt-5.5"', "-c", 'sandbox_mode="danger-full-access"')


def costs(number: int) -> Tokens:
    """What a request costs: no two the same."""
    return Tokens(1000 + 7 * number, 300, 0, 20 + number)


@dataclass
class Worker:
    """A real program that does a task, with a wallet, in one attempt after the other."""

    agent: Agent
    driver: Driver
    store: Store
    trees: list[Tree]
    through_gateway: bool

    def spec(self, scripted: Model, **more: Any) -> Spec:
        words: tuple[str, ...]
        if self.agent.name == "claude":
            told, words = {"ANTHROPIC_BASE_URL": scripted.url, "ANTHROPIC_API_KEY": KEY, **QUIET}, ()
        elif self.through_gateway:
            told, words = {"OPENAI_BASE_URL": f"{scripted.url}/v1", "OPENAI_API_KEY": KEY}, MODEL
        else:
            own = f'{{name="scripted",base_url="{scripted.url}/v1",wire_api="responses",env_key="NO_KEY"}}'
            chosen = ("-c", 'model_provider="scripted"', "-c", f"model_providers.scripted={own}")
            told, words = {"NO_KEY": KEY}, (*MODEL, *chosen)
        environment = {"HOME": str(self.agent.home), **told}
        command, driver = (self.agent.program, *words), self.agent.name
        prompt: Any = {"driver": driver, "prompt": "please tidy up", "environment": environment}
        return Spec(command, str(self.agent.work), **prompt, **more)

    def added(self, scripted: Model, **more: Any) -> tuple[str, Spec]:
        spec = self.spec(scripted, **more)
        return add(self.store, lambda *_: None, spec, time.time()).id, spec

    def attempt(self, task: str, spec: Spec, number: int = 1, previous: Outcome | None = None, **caps: Any) -> Outcome:
        policy = SpendingPolicy(prices=PRICES, gateway=self.through_gateway, **caps)
        purse, plan = Purse(self.store, policy, lambda step: step()), Tree.planned(new_marker(), detect())
        home, log = self.agent.folder / "worker", self.agent.folder / f"{number}.log"
        home.mkdir(exist_ok=True)
        self.trees.append(plan)
        with contextlib.closing(purse.gateway), purse.opened(task, number, spec) as wallet:
            places = (self.agent.work, log, home)
            job = Job(task, number, spec, plan, *places, Control(), previous, self.trees.append)
            job = replace(job, routes=wallet.routes, spend=wallet.spend)
            return wallet.instead_of(self.driver.run(job))


@pytest.fixture(params=["claude", "codex"])
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Agent:
    found = agent(request.param, tmp_path)
    if found is None:
        pytest.skip(f"{request.param} is not on this machine: SUPERVISOR_AGENTS names the folder of the programs")
    return found


@pytest.fixture(params=["gateway", "events"])
def worker(request: pytest.FixtureRequest, program: Agent, tmp_path: Path, tiny: TinyTaxonomy) -> Iterator[Worker]:
    store, trees = Store(f"sqlite:///{tmp_path / 'runtime.db'}"), list[Tree]()
    with contextlib.closing(CommandGuard(tiny.policy)) as guard, contextlib.closing(store):
        yield Worker(program, drivers_of(guard)[program.name], store, trees, request.param == "gateway")
    assert [tree.members() for tree in trees if tree.members()] == []


def counted(scripted: Model) -> int:
    return sum(each.input + each.output for each in scripted.counted)


def check_ledger(worker: Worker, scripted: Model, task: str) -> None:
    """The ledger is what the model has counted, to the token, and priced."""
    found = spent_by_task(worker.store)[task]
    assert (found.tokens, found.unpriced) == (counted(scripted), ())
    price = PRICES["claude-*" if worker.agent.name == "claude" else "gpt-*"]
    each = [price.of(one.input, one.cached, one.stored, one.output) for one in scripted.counted]
    assert found.dollars == pytest.approx(sum(each))
    with worker.store.reading() as connection:
        (source,) = {row.source for row in connection.execute(spending.select())}
    assert source == ("gateway" if worker.through_gateway else "agent")


def test_the_ledger_has_what_the_model_has_counted(worker: Worker) -> None:
    """Sub-agents included, where the program has them."""
    shell = SHELL[worker.agent.name]
    helper = Call("Task", {"description": "a", "prompt": "look around", "subagent_type": "general-purpose"})
    helped = [helper] if worker.agent.name == "claude" else []
    script = [shell("touch first"), *helped, shell("env > environment"), "All done."]
    with model(look=[shell("touch helped"), "It is fine."], tidy=script) as scripted:
        scripted.tokens = costs
        task, spec = worker.added(scripted)
        outcome = worker.attempt(task, spec)
        assert (outcome.ending, outcome.reason) == (Ending.SUCCEEDED, "All done."), outcome
        check_ledger(worker, scripted, task)
        assert scripted.keys <= {"", KEY, f"Bearer {KEY}"}
    told = (worker.agent.work / "environment").read_text()
    if worker.through_gateway:
        assert KEY not in told
    assert KEY not in "".join(each.read_text() for each in worker.agent.folder.glob("*.log"))


def resumed(worker: Worker, *rest: Call | str) -> list[Call | str]:
    """What the model says after a session is gone on with: Claude Code puts an answer of its own before it."""
    return ["Claude Code has said so.", *rest] if worker.agent.name == "claude" else list(rest)


def test_a_limit_is_waited_for_and_the_turn_goes_on_without_a_second_one(worker: Worker) -> None:
    """Totals are cumulative across the resumption, and count once."""
    shell = SHELL[worker.agent.name]
    done = [shell("echo x >> first"), shell("echo x >> second")]
    with model(tidy=[*done, *resumed(worker, "All done.")]) as scripted:
        scripted.tokens = costs
        scripted.limited = {3: {"retry-after": "90"} if worker.through_gateway else {"x-should-retry": "false"}}
        task, spec = worker.added(scripted)
        limited = worker.attempt(task, spec)
        assert limited.ending is Ending.LIMITED, limited
        assert 44 < limited.wait < 92
        outcome = worker.attempt(task, spec, 2, limited)
        assert (outcome.ending, outcome.reason) == (Ending.SUCCEEDED, "All done."), outcome
        check_ledger(worker, scripted, task)
        assert (len(scripted.requests), len(scripted.counted)) == (4, 3)
    for name in ("first", "second"):
        assert (worker.agent.work / name).read_text() == "x\n"
    assert json.dumps(scripted.requests[-1]).count("please tidy up") == 1
    assert "You were stopped by a limit" in json.dumps(scripted.requests[-1])
    assert set(spent_by_attempt(worker.store, task)) == {1, 2}


def test_a_cap_stops_the_next_request_and_a_person_lets_it_go_on(worker: Worker) -> None:
    shell, cap = SHELL[worker.agent.name], 2000
    # Codex tells what a call has cost while it makes the next one, which is cut and may be lost: it is asked twice.
    is_late = worker.agent.name == "codex" and not worker.through_gateway
    done, rest = [shell("touch first"), shell("touch second")], [shell("touch third")] * (1 + is_late)
    with model(tidy=[*done, *resumed(worker, *rest, "All done.")]) as scripted:
        scripted.tokens = costs
        task, spec = worker.added(scripted, cap=Cap(tokens=cap))
        parked = worker.attempt(task, spec)
        assert parked.ending is Ending.PARKED, parked
        assert parked.question is not None
        assert parked.question.raises == "task"
        assert f"may spend {cap:,}. May it spend as much again?" in parked.question.text
        # Two are together above the cap.
        assert 2 <= len(scripted.requests) <= (3 if is_late else 2)
        assert counted(scripted) - spent_by_task(worker.store)[task].tokens <= (1200 if is_late else 0)
        with worker.store.writing() as connection:
            connection.execute(tasks.update().values(grants=9))
        outcome = worker.attempt(task, spec, 2, parked)
        assert (outcome.ending, outcome.reason) == (Ending.SUCCEEDED, "All done."), outcome
        if not is_late:
            check_ledger(worker, scripted, task)
    assert {"first", "third"} <= {each.name for each in worker.agent.work.iterdir()}


def test_a_cap_of_the_day_waits_for_the_next_one(worker: Worker) -> None:
    shell: Callable[[str], Call] = SHELL[worker.agent.name]
    provider = "anthropic" if worker.agent.name == "claude" else "openai"
    with model(tidy=[shell("touch first"), shell("touch second"), "All done."]) as scripted:
        scripted.tokens = costs
        task, spec = worker.added(scripted)
        limited = worker.attempt(task, spec, providers={provider: Cap(dollars=0.0001)})
        assert limited.ending is Ending.LIMITED, limited
        assert f"{provider} today has spent $" in limited.reason
        assert 0 < limited.wait <= 24 * 3600 + 1
        assert len(scripted.requests) <= 2
