"""One executor does what the policies of its tasks say, on either database."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest
from sqlalchemy import text

from supervisor.runtime.drivers.driver import Capabilities, Job
from supervisor.runtime.drivers.guarding import CommandGuard
from supervisor.runtime.drivers.shell import ShellDriver
from supervisor.runtime.drivers.worktree import git
from supervisor.runtime.execution import liveness
from supervisor.runtime.execution.lease import Timing
from supervisor.runtime.processes.states import State
from supervisor.runtime.processes.verdict import Limit, Limits
from supervisor.runtime.store.adding import add
from supervisor.runtime.store.changes import answer, cancel, retry
from supervisor.runtime.store.database import Store
from supervisor.runtime.store.queries import counts, list_executors, show
from supervisor.runtime.tasks.outcome import Outcome
from supervisor.runtime.tasks.policy import FailurePolicy, remedies_of
from supervisor.runtime.tasks.spec import Spec
from tests.conftest import TinyTaxonomy
from tests.runtime.execution.running import QUICK, Tasks, executor, until
from tests.runtime.processes.starting import only_linux

SLEEP = "import time; open('began', 'w'); time.sleep(60)"
FAILS = "raise SystemExit(3)"
FAILS_ONCE = "import os\nif not os.path.exists('tried'): open('tried', 'w'); raise SystemExit(3)"
pytestmark = [only_linux, pytest.mark.thorough]  # each start of an executor takes seconds


@pytest.fixture
def tasks(store: Store, tmp_path: Path) -> Tasks:
    return Tasks(store, tmp_path)


def test_tasks_are_done(tasks: Tasks, tmp_path: Path) -> None:
    """One run that shows most of what an executor does, since each start of one takes a second."""
    good = tasks.add("print('done')")
    again = tasks.add(FAILS_ONCE, "retry")
    bad = tasks.add(FAILS, "retry")
    missing = tasks.add_command(("/nonesuch",), policy=FailurePolicy(()))
    asks = tasks.add(FAILS, "escalate")
    slow = tasks.add("import time; time.sleep(60)", timeout=0.3)
    late = tasks.add("import time; time.sleep(60)", deadline=time.time() + 4)
    first = tasks.add("import time; time.sleep(0.2); open('first', 'w')")
    second = tasks.add("assert open('first')", after=(first, good))
    never = tasks.add("pass", after=(bad,))
    with executor(tasks.store, tmp_path):
        assert tasks.wait(good, "succeeded", "failed") == "succeeded"
        assert tasks.log(good) == "done\n"
        assert tasks.wait(again, "succeeded", "failed") == "succeeded"
        assert tasks.endings(again) == ["failed", "succeeded"]
        assert tasks.wait(bad, "failed") == "failed"
        assert [each["exit_code"] for each in show(tasks.store, bad)["attempts"]] == [3, 3]
        assert tasks.wait(missing, "failed") == "failed"
        assert show(tasks.store, missing)["reason"] == "/nonesuch: No such file or directory"
        assert tasks.wait(slow, "failed") == "failed"
        assert tasks.endings(slow) == ["timed_out"]
        assert tasks.wait(asks, "waiting") == "waiting"
        answer(tasks.store, tasks.enqueue, asks, "retry", "somebody", time.time())
        assert tasks.wait(asks, "failed") == "failed"
        assert tasks.endings(asks) == ["failed", "failed"]
        assert tasks.wait(second, "succeeded", "failed") == "succeeded"
        assert tasks.wait(late, "failed") == "failed"
        assert show(tasks.store, late)["reason"] == "the deadline has passed"
        assert tasks.state(never) == "blocked"
        retry(tasks.store, tasks.enqueue, bad, time.time())
        until(lambda: len(tasks.endings(bad)) == 4 and tasks.state(bad) == "failed")
        assert counts(tasks.store) == {"succeeded": 4, "failed": 5, "blocked": 1}
    assert list_executors(tasks.store) == []


def test_a_running_task_is_cancelled_with_its_whole_tree(tasks: Tasks, tmp_path: Path) -> None:
    child = "import subprocess, sys, time\nsubprocess.Popen(['sleep', '61'], start_new_session=True)\n" + SLEEP
    id = tasks.add(child)
    with executor(tasks.store, tmp_path):
        until((tmp_path / "began").exists)
        assert cancel(tasks.store, id, time.time()) == [id]
        assert tasks.wait(id, "cancelled") == "cancelled"
        assert tasks.endings(id) == ["cancelled"]
        assert not running_in(tmp_path)


def test_more_urgent_tasks_come_first(tasks: Tasks, tmp_path: Path) -> None:
    added = [tasks.add("pass", priority=priority) for priority in (9, 5, 0, 5)]
    with executor(tasks.store, tmp_path, slots=1):
        for id in added:
            tasks.wait(id, "succeeded")
    started = {id: show(tasks.store, id)["attempts"][0]["started"] for id in added}
    least, usual, most, later = added
    assert sorted(added, key=started.__getitem__) == [most, usual, later, least]


GIVES_WAY = """
import os, signal, sys, time
signal.signal(signal.SIGINT, lambda *_: (open('asked', 'w'), sys.exit(1)))
if not os.path.exists('asked'):
    open('began', 'w')
    time.sleep(60)
"""


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_an_urgent_task_takes_the_slot_of_one_that_gives_way(tasks: Tasks, tmp_path: Path) -> None:
    """It is asked politely, costs no attempt, and goes on when the urgent one is done. Others keep their slots."""
    keeps = tasks.add("import os, time\nwhile not os.path.exists('asked'): time.sleep(0.05)", priority=9)
    gives = tasks.add(GIVES_WAY, priority=8, preemptible=True)
    with executor(tasks.store, tmp_path, timing=Timing(2.0)):
        until((tmp_path / "began").exists)
        urgent = tasks.add("pass", priority=1)
        tasks.wait(urgent, "succeeded")
        assert tasks.wait(gives, "succeeded", "failed") == "succeeded"
        assert tasks.wait(keeps, "succeeded", "failed") == "succeeded"
    assert tasks.endings(gives) == ["preempted", "succeeded"]
    assert tasks.endings(keeps) == ["succeeded"]
    found = show(tasks.store, gives)
    assert (found["failures"], found["losses"], (tmp_path / "asked").exists()) == (0, 0, True)
    assert found["attempts"][0]["reason"] == f"the more urgent task {urgent} needs its slot"


def test_an_executor_that_leaves_gives_its_tasks_back(tasks: Tasks, tmp_path: Path) -> None:
    id = tasks.add(SLEEP)
    with executor(tasks.store, tmp_path):
        until((tmp_path / "began").exists)
    assert not running_in(tmp_path)
    found = show(tasks.store, id)
    assert (found["state"], found["failures"], found["losses"]) == ("queued", 0, 0)
    assert tasks.endings(id) == ["interrupted"]


def test_failover_needs_another_worker(tasks: Tasks, tmp_path: Path) -> None:
    id = tasks.add(FAILS, "failover escalate")
    with executor(tasks.store, tmp_path):
        tasks.wait(id, "waiting")
    assert show(tasks.store, id)["questions"][0]["text"] == (
        "It has failed once, at last because exit code 3; no other worker is left. Try again?"
    )
    assert show(tasks.store, id)["excluded"] == ["blue"]


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_silent_hang_is_killed_and_a_silent_build_is_not(tasks: Tasks, tmp_path: Path) -> None:
    limits = Limits({state: Limit(interrupt=0.6, kill=0.8, work_counts=True) for state in State})
    hang = tasks.add("import time; time.sleep(60)")
    build = tasks.add("import time\nend = time.monotonic() + 1.5\nwhile time.monotonic() < end: pass")
    talk = tasks.add("import time\nfor _ in range(10): print('on', flush=True); time.sleep(0.15)")
    with executor(tasks.store, tmp_path, slots=3, drivers={"shell": ShellDriver(limits, every=0.1)}):
        assert tasks.wait(hang, "failed") == "failed"
        assert tasks.wait(build, "succeeded", "failed") == "succeeded"
        assert tasks.wait(talk, "succeeded", "failed") == "succeeded"
    assert tasks.endings(hang) == ["hung"]
    assert show(tasks.store, hang)["reason"] == "no sign of life while tool_running"


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_command_knows_its_task_and_nothing_private(
    tasks: Tasks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUPERVISOR_RUNTIME", "postgresql://user:secret@host/db")
    program = "import os; print(*(os.environ.get(name) for name in ('SUPERVISOR_TASK', 'SUPERVISOR_RUNTIME', 'OWN')))"
    id = tasks.add(program, environment={"OWN": "value"})
    with executor(tasks.store, tmp_path):
        tasks.wait(id, "succeeded")
    assert tasks.log(id) == f"{id} None value\n"
    assert os.stat(show(tasks.store, id)["attempts"][0]["log"]).st_mode & 0o777 == 0o600


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_parent_fails_with_a_task_that_it_has_added(tasks: Tasks, tmp_path: Path) -> None:
    parent = tasks.add(SLEEP)
    with executor(tasks.store, tmp_path):
        until((tmp_path / "began").exists)
        child = tasks.add(FAILS, "fail_parent", parent=parent)
        assert tasks.wait(parent, "failed", "succeeded") == "failed"
        assert (tasks.endings(parent), show(tasks.store, parent)["reason"]) == (
            ["abandoned"],
            f"its task {child} has failed",
        )


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_each_attempt_is_kept_as_a_commit_and_the_worktree_goes_with_the_task(tasks: Tasks, tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    for words in (("init", "--quiet"), ("commit", "--quiet", "--allow-empty", "-m", "first")):
        git(repository, *words)
    policy = FailurePolicy(remedies_of("retry escalate"), QUICK)
    program = "import os; n = len(os.listdir()); open(f'work-{n}', 'w'); raise SystemExit(n < 3)"
    command = (sys.executable, "-I", "-S", "-c", program)
    spec = Spec(command, str(repository), worktree=True, policy=policy)
    id = add(tasks.store, tasks.enqueue, spec, time.time()).id
    with executor(tasks.store, tmp_path):
        tasks.wait(id, "waiting")
        root = tmp_path / "worktrees" / id
        assert (root / "work-1").exists()
        answer(tasks.store, tasks.enqueue, id, "retry", "somebody", time.time())
        tasks.wait(id, "succeeded", "failed")
        until(lambda: not root.exists())
    kept = [each["kept"] for each in show(tasks.store, id)["attempts"]]
    told = [git(repository, "log", "-1", "--format=%s", commit) for commit in kept]
    endings = ("failed", "failed", "succeeded")
    assert told == [f"Task {id}, attempt {number}: {ending}" for number, ending in enumerate(endings, 1)]
    assert git(repository, "ls-tree", "--name-only", f"supervisor/{id}").split() == ["work-1", "work-2", "work-3"]


class Broken:
    """A driver with a fault of its own."""

    capabilities = Capabilities()
    guards = False

    def run(self, job: Job) -> Outcome:
        raise ZeroDivisionError("a fault")


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_fault_of_the_supervisor_is_a_failure_at_once(tasks: Tasks, tmp_path: Path) -> None:
    """The engine would take an exception as the end of the attempt, and the task would wait for ever."""
    id = tasks.add("pass", "retry")
    with executor(tasks.store, tmp_path, drivers={"shell": Broken()}):
        assert tasks.wait(id, "failed", seconds=20) == "failed"
    assert tasks.endings(id) == ["broken", "broken"]
    assert show(tasks.store, id)["reason"] == "ZeroDivisionError: a fault"


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_what_the_engine_has_dropped_is_noticed(tasks: Tasks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody has deleted a workflow behind the runtime's back."""
    monkeypatch.setattr(liveness, "_UNCHANGED", 0.5)
    monkeypatch.setattr(liveness, "_MENDED_EVERY", 0.1)
    id = tasks.add("pass", "retry")
    with tasks.store.writing() as connection:
        connection.execute(text("DELETE FROM workflow_status"))
    with executor(tasks.store, tmp_path):
        assert tasks.wait(id, "succeeded", "failed", seconds=20) == "succeeded"
    assert (tasks.endings(id), show(tasks.store, id)["failures"]) == (["succeeded"], 1)


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_what_the_guard_stops_is_not_run_and_not_retried(tasks: Tasks, tiny: TinyTaxonomy, tmp_path: Path) -> None:
    policy = FailurePolicy(remedies_of("retry*3"), QUICK)
    id = tasks.add_command(("touch", "block"), policy=policy)
    fine = tasks.add_command(("touch", "right"))
    with executor(tasks.store, tmp_path, guard=CommandGuard(tiny.policy)):
        assert tasks.wait(id, "failed") == "failed"
        assert tasks.wait(fine, "succeeded", "failed") == "succeeded"
    assert tasks.endings(id) == ["refused"]
    assert show(tasks.store, id)["reason"].startswith("the guard says block (touches_block)")
    assert (tmp_path / "right").exists()
    assert not (tmp_path / "block").exists()


def running_in(folder: Path) -> list[int]:
    """The processes whose working directory is this folder, without this one."""
    found = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if link.readlink() == folder and int(link.parent.name) != os.getpid():
                found.append(int(link.parent.name))
        except OSError:
            continue
    return found
