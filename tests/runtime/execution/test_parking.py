"""A question waits without a process, through any number of executors, and its answer is used once."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from supervisor.runtime.drivers.driver import Capabilities, Job
from supervisor.runtime.store.changes import answer
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.queries import show
from supervisor.runtime.tasks.outcome import Ending, Outcome
from supervisor.runtime.tasks.question import ALLOW, DENY, Question
from tests.runtime.execution.running import Tasks, executor, until
from tests.runtime.processes.starting import only_linux

pytestmark = [only_linux, pytest.mark.thorough]


@dataclass
class Asks:
    """A driver whose worker asks before it does anything. It dies once after it has used the answer, if it is to."""

    ran: list[str]
    capabilities = Capabilities(park=True)
    guards = False

    def run(self, job: Job) -> Outcome:
        if job.given is None or not job.use(job.given.id):
            return Outcome(Ending.PARKED, "May it?", question=Question("May it?", (ALLOW, DENY), "d", "the call"))
        assert not job.use(job.given.id)
        self.ran.append(f"{job.given.answer} by {job.given.by}: {job.given.note}")
        (job.home / "ran").touch()
        return Outcome(Ending.SUCCEEDED)


def test_an_answer_is_used_once_after_any_number_of_restarts(store: Store, tmp_path: Path) -> None:
    tasks, asks = Tasks(store, tmp_path), Asks([])
    more = {"drivers": {"shell": asks}}
    id = tasks.add("pass")
    with executor(store, tmp_path, **more):
        tasks.wait(id, "waiting")
        assert (tmp_path / "homes" / id).is_dir()
    with executor(store, tmp_path, **more):
        pass
    answer(store, tasks.enqueue, id, ALLOW, "Ada", time.time(), note="go on")
    with executor(store, tmp_path, **more):
        assert tasks.wait(id, "succeeded", "failed") == "succeeded"
        until(lambda: not (tmp_path / "homes" / id).exists())
    assert asks.ran == ["allow by Ada: go on"]
    assert tasks.endings(id) == ["parked", "succeeded"]
    found = show(store, id)
    assert (found["failures"], found["losses"]) == (0, 0)
    assert found["questions"][0]["used"] is not None


def test_an_answer_finds_another_worker_if_the_one_that_asked_is_gone(store: Store, tmp_path: Path) -> None:
    tasks, asks = Tasks(store, tmp_path), Asks([])
    id = tasks.add("pass")
    with executor(store, tmp_path, "blue", drivers={"shell": asks}):
        tasks.wait(id, "waiting")
    answer(store, tasks.enqueue, id, DENY, "Ada", time.time())
    assert show(store, id)["target"] == "blue"
    with executor(store, tmp_path, "green", drivers={"shell": asks}):
        assert tasks.wait(id, "succeeded", "failed") == "succeeded"
    assert asks.ran == ["deny by Ada: "]


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_command_that_asks_at_its_terminal_waits_without_a_process(store: Store, tmp_path: Path) -> None:
    tasks = Tasks(store, tmp_path)
    deletes = tasks.add("print(input('Delete all? [y/N] '))", pty=True)
    secret = tasks.add("import getpass; getpass.getpass('Password: ')", pty=True)
    with executor(store, tmp_path):
        for id, given in ((deletes, "no"), (secret, "give-up")):
            tasks.wait(id, "waiting")
            answer(store, tasks.enqueue, id, given, "Ada", time.time())
        assert tasks.wait(deletes, "succeeded", "failed") == "succeeded"
        assert tasks.log(deletes) == "Delete all? [y/N] n\nn\n"
    assert (tasks.endings(deletes), tasks.endings(secret)) == (["parked", "succeeded"], ["parked"])
    found = show(store, secret)
    assert (found["state"], found["reason"]) == ("failed", "given up by Ada")
