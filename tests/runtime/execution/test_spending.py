"""What attempts may spend, with an executor: caps stop a command's next request, and work goes on when a limit ends."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from supervisor.policy import Cap, Price, SpendingPolicy
from supervisor.runtime.drivers.agents.quota import limited
from supervisor.runtime.drivers.driver import Capabilities, Job
from supervisor.runtime.store.changes import answer
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.ledger import spent_by_task
from supervisor.runtime.store.queries import show
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.usage import Spent
from tests.hosts.model_server import Tokens, model
from tests.runtime.execution.running import Tasks, executor
from tests.runtime.processes.starting import only_linux

pytestmark = [only_linux, pytest.mark.thorough]
KEY = "sk-real-0123456789abcdef"
ASKS = """
import json, os, sys, urllib.request
assert os.environ["OPENAI_API_KEY"] != sys.argv[0] and "sk-real" not in str(os.environ)
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
for _ in range(3):
    body = json.dumps({"model": "m", "input": [], "stream": True}).encode()
    headers = {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"], "Content-Type": "application/json"}
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/responses", body, headers)
    try:
        print(len(opener.open(request).read()), flush=True)
    except urllib.error.HTTPError as error:
        print(error.code, error.read().decode(), flush=True)
        sys.exit(1)
"""


def test_a_command_is_stopped_and_goes_on_when_a_person_says_so(store: Store, tmp_path: Path) -> None:
    tasks = Tasks(store, tmp_path)
    policy = SpendingPolicy(task=Cap(dollars=0.002), prices={"m": Price(1.0, 1.0)})
    with model() as scripted, executor(store, tmp_path, spending=policy):
        scripted.tokens = lambda number: Tokens(900, 0, 0, 100)
        environment = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"{scripted.url}/v1"}
        id = tasks.add(ASKS, environment=environment)
        tasks.wait(id, "waiting", "failed", "succeeded")
        assert len(scripted.requests) == 2
        (question,) = show(store, id)["questions"]
        assert question["text"] == (f"task {id} has spent $0.0020, and may spend $0.0020. May it spend as much again?")
        assert "429" in tasks.log(id)
        answer(store, tasks.enqueue, id, "retry", "Ada", time.time())
        tasks.wait(id, "waiting", "failed", "succeeded")
        assert len(scripted.requests) == 4
        answer(store, tasks.enqueue, id, "retry", "Ada", time.time())
        assert tasks.wait(id, "waiting", "failed", "succeeded") in ("waiting", "succeeded")
    assert scripted.keys == {"", f"Bearer {KEY}"}
    assert spent_by_task(store)[id].dollars == pytest.approx(len(scripted.counted) * 0.001)
    assert KEY not in tasks.log(id)


@dataclass
class Limited:
    """A driver whose agent has used up its quota for two seconds, and spends meanwhile what it is told."""

    began: list[float] = field(default_factory=list)
    until: float = 0.0
    capabilities = Capabilities(quota=True)
    guards = True

    def run(self, job: Job) -> Outcome:
        self.began.append(time.time())
        if len(self.began) == 1:
            self.until = time.time() + 2
            return limited("a limit", self.until, time.time())
        assert job.previous is not None
        assert job.previous.ending is Ending.LIMITED
        stopped = job.spend("anthropic", {"m": Spent(10, 0, 1)})
        return stopped or Outcome(Ending.SUCCEEDED)


def test_work_goes_on_by_itself_when_the_limit_ends(store: Store, tmp_path: Path) -> None:
    tasks, driver = Tasks(store, tmp_path), Limited()
    with executor(store, tmp_path, drivers={"claude": driver}):
        id = tasks.add_command(("claude",), driver="claude", prompt="x")
        assert tasks.wait(id, "succeeded", "failed", "waiting") == "succeeded"
    assert len(driver.began) == 2
    assert 0 <= driver.began[1] - driver.until < 60
    assert tasks.endings(id) == ["limited", "succeeded"]
    found = show(store, id)
    assert (found["failures"], found["losses"]) == (0, 0)


def test_an_agent_does_not_start_when_the_day_has_been_spent(store: Store, tmp_path: Path) -> None:
    """It waits for the next day; a command, which may spend nothing at all, does not."""
    tasks, driver = Tasks(store, tmp_path), Limited()
    with executor(store, tmp_path, drivers={"claude": driver}, spending=SpendingPolicy(day=Cap(tokens=0))):
        id = tasks.add_command(("claude",), driver="claude", prompt="x")
        while not tasks.endings(id) or "" in tasks.endings(id):
            time.sleep(0.05)
        found = show(store, id)
    assert (driver.began, tasks.endings(id), found["state"]) == ([], ["limited"], "queued")
    assert found["attempts"][0]["reason"] == "everything today has spent 0 tokens, and may spend 0"
    assert found["not_before"] - time.time() <= 24 * 3600 + 1
    assert os.listdir(tmp_path / "homes") == [id]
