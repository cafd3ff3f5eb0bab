"""An agent wants its action approved: it answers itself, uses an answer twice, or takes away what tells of a use."""

from __future__ import annotations

import fcntl
import os
import pty
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import pytest

from supervisor.action import Context
from supervisor.adapters.function.guard import Guard
from supervisor.decision.decision import Decision
from supervisor.engine.supervisor import Supervisor
from supervisor.errors import MayNotAnswer, RecordFailed
from supervisor.intake import files
from supervisor.policy import read_policy
from supervisor.records.journal import Journal
from supervisor.records.read import read_records
from supervisor.records.verify import verify
from tests.attack.terminals import SUPERVISOR, terminal
from tests.conftest import TinyTaxonomy

ASK = {"ask": [{"verdicts": ["block"], "families": ["system"]}], "valid_for": 600}
COMMAND = "touch block"


class Deployment:
    """A policy that has a person asked, its records, and engines under it."""

    def __init__(self, folder: Path, policy: Path) -> None:
        self.records, self.policy = folder / "records", policy
        self._open: list[Supervisor] = []

    @property
    def queue(self) -> Path:
        return self.records / "approvals"

    def engine(self) -> Supervisor:
        self._open.append(Supervisor(read_policy(self.policy)))
        return self._open[-1]

    def close(self) -> None:
        for each in self._open:
            each.close()

    def answer_file(self) -> Path:
        (file,) = self.queue.glob("*.answer")
        return file

    def kinds(self) -> list[str]:
        return [each.kind for each in read_records(self.records)]


@pytest.fixture
def deployment(tiny: TinyTaxonomy, tmp_path: Path) -> Iterator[Deployment]:
    records = {"path": str(tmp_path / "records"), "key": str(tmp_path / "key.pem")}
    made = Deployment(tmp_path, tiny.set_policy(records=records, approval=ASK))
    yield made
    made.close()


def propose(engine: Supervisor) -> Decision:
    return engine.decide_from_thread(engine.action("bash", {"command": COMMAND}), Context(agent="bot", session="s"))


def state(decision: Decision) -> str:
    assert decision.approval is not None
    return decision.approval.state


def approve(engine: Supervisor, via: str = "terminal") -> str:
    (question,) = engine.queue.waiting()
    engine.queue.answer(question.approval.name, "approved", "ann", via)
    return question.approval.name


# Who answers


IN_ANOTHER_PROCESS = """
import sys
from supervisor import Supervisor
from supervisor.action import Context
supervisor = Supervisor.from_environment()
supervisor.decide_from_thread(supervisor.action("bash", {"command": "touch block"}), Context(agent="bot", session="s"))
supervisor.answer(sys.argv[1], "approved", by="the agent")
supervisor.close()
"""


def test_an_approval_from_another_process_of_the_agent_lets_nothing_run(deployment: Deployment) -> None:
    engine = deployment.engine()
    asked = propose(engine)
    assert asked.approval
    environment = os.environ | {"SUPERVISOR_POLICY": str(deployment.policy)}
    subprocess.run([sys.executable, "-c", IN_ANOTHER_PROCESS, asked.approval.name], env=environment, check=True)
    for each in (engine, deployment.engine()):
        assert state(propose(each)) == "asked"
    assert len(engine.queue.waiting()) == 1  # and whoever may answer still can
    approve(engine)
    assert state(propose(engine)) == "approved"
    assert verify(deployment.records).problems == []


def test_the_program_that_opened_an_engine_answers_for_it_alone(deployment: Deployment) -> None:
    engine, other = deployment.engine(), deployment.engine()
    asked = propose(engine)
    assert asked.approval
    engine.answer(asked.approval.name, "approved", by="ann")
    assert state(propose(other)) == "asked"
    engine.answer(asked.approval.name, "approved", by="ann")
    assert [state(propose(engine)) for _ in range(2)] == ["approved", "asked"]


def test_nothing_inside_a_guarded_session_or_tool_answers(deployment: Deployment) -> None:
    engine = deployment.engine()
    guard, asked = Guard(engine), propose(engine)
    assert asked.approval
    name = asked.approval.name

    def answering() -> None:
        with pytest.raises(MayNotAnswer):
            engine.answer(name, "approved", by="the agent")

    async def awaiting() -> None:
        answering()

    with guard.session(agent="bot"):
        answering()
        anyio.run(awaiting)
    guard(answering)()
    anyio.run(guard(awaiting))
    assert state(propose(engine)) == "asked"
    engine.answer(name, "approved", by="ann")
    assert state(propose(engine)) == "approved"


@pytest.mark.parametrize(("verb", "stdin"), [("deny", "a pipe"), ("approve", "a terminal that does not control it")])
def test_without_a_terminal_of_its_own_no_verb_answers(deployment: Deployment, verb: str, stdin: str) -> None:
    engine = deployment.engine()
    asked = propose(engine).approval
    assert asked
    screen, line = pty.openpty()
    os.write(screen, b"yes\nyes\n")
    command = [SUPERVISOR, verb, asked.name, "--policy", str(deployment.policy)]
    given: dict[str, Any] = {"input": b"yes\nyes\n"} if stdin == "a pipe" else {"stdin": line}
    ended = subprocess.run(command, capture_output=True, start_new_session=True, check=False, **given)
    os.close(screen)
    os.close(line)
    assert (ended.returncode, b"[no_terminal]" in ended.stderr) == (2, True)
    assert len(engine.queue.waiting()) == 1


THOROUGH = pytest.mark.thorough
TYPED = {
    "yes": ("yes\n", 0, "approved"),
    "the id": ("{id}\n", 0, "approved"),
    "YES with blanks": pytest.param("  YES \n", 0, "approved", marks=THOROUGH),
    "no": ("no\n", 2, "asked"),
    "nothing": pytest.param("\n", 2, "asked", marks=THOROUGH),
    "the end": ("\x04", 2, "asked"),
    "part of the id": pytest.param("{part}\n", 2, "asked", marks=THOROUGH),
}


@pytest.mark.parametrize(("keys", "code", "becomes"), TYPED.values(), ids=TYPED)
def test_at_a_terminal_it_is_what_a_person_types(deployment: Deployment, keys: str, code: int, becomes: str) -> None:
    engine = deployment.engine()
    asked = propose(engine).approval
    assert asked
    with terminal(SUPERVISOR, "approve", asked.name[:8], "--policy", deployment.policy) as screen:
        screen.wait_for(f"to approve {asked.name[:12]}:")
        assert COMMAND in screen.shown
        screen.type(keys.format(id=asked.name[:12], part=asked.name[:8]))
        assert screen.ends() == code, screen.shown
    assert state(propose(engine)) == becomes


def test_what_was_typed_before_the_question_is_no_answer(deployment: Deployment) -> None:
    engine = deployment.engine()
    asked = propose(engine).approval
    assert asked
    with terminal(SUPERVISOR, "approve", asked.name, "--policy", deployment.policy) as screen:
        screen.type("yes\n")
        screen.wait_for("to approve")
        screen.type("\n")
        assert screen.ends() == 2
    assert state(propose(engine)) == "asked"


def test_in_the_background_of_a_terminal_no_verb_answers(deployment: Deployment) -> None:
    engine = deployment.engine()
    asked = propose(engine).approval
    assert asked
    script = f"set -m; {SUPERVISOR} approve {asked.name} --policy '{deployment.policy}' & wait"
    with terminal("/bin/sh", "-c", script) as screen:
        screen.wait_for("[no_terminal]")
        screen.ends()
    assert state(propose(engine)) == "asked"


# Used means used


def forget(deployment: Deployment, line: bytes, name: str) -> None:
    """The folder is taken away, and what is wanted put into another."""
    questions = {file: file.read_bytes() for file in deployment.queue.glob("*.question")}
    shutil.rmtree(deployment.queue)
    deployment.queue.mkdir(mode=0o700)
    for file, question in questions.items():
        file.write_bytes(question)
    put_back(deployment, line, name)


def put_back(deployment: Deployment, line: bytes, name: str) -> None:
    (deployment.queue / f"{name}.answer").write_bytes(line)


def age(deployment: Deployment, line: bytes, name: str) -> None:
    """The segments look as if nobody had written to them for a day."""
    for segment in deployment.records.glob("*.jsonl"):
        os.utime(segment, (0, 0))
    put_back(deployment, line, name)


@pytest.mark.parametrize("again", [put_back, forget, age])
@pytest.mark.parametrize("is_restarted", [False, True])
def test_a_used_answer_that_comes_back_is_not_used_again(
    deployment: Deployment, again: Callable[[Deployment, bytes, str], None], is_restarted: bool
) -> None:
    engine = deployment.engine()
    propose(engine)
    name = approve(engine)
    line = deployment.answer_file().read_bytes()
    assert state(propose(engine)) == "approved"
    if is_restarted:
        engine.close()
        engine = deployment.engine()
    for _ in range(3):
        again(deployment, line, name)
        assert state(propose(engine)) == "asked"
    again(deployment, line, name)
    approve(deployment.engine())  # a person may say yes to the next one, whatever lies there
    assert [state(propose(engine)) for _ in range(2)] == ["approved", "asked"]
    assert deployment.kinds().count("use") == 2
    assert verify(deployment.records).problems == []


def test_an_answer_that_is_not_in_the_journal_is_none(deployment: Deployment) -> None:
    """It was signed here once; what tells whether it has been used is gone."""
    engine = deployment.engine()
    propose(engine)
    name = approve(engine)
    line = deployment.answer_file().read_bytes()
    engine.close()
    shutil.rmtree(deployment.records)
    engine = deployment.engine()
    propose(engine)
    put_back(deployment, line, name)
    assert state(propose(engine)) == "asked"


PROPOSING = """
import sys
from supervisor.engine.supervisor import Supervisor
from supervisor.policy import read_policy
from tests.attack.test_approvals import propose, state
engine = Supervisor(read_policy(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
print(state(propose(engine)))
engine.close()
"""


def test_of_processes_that_propose_at_once_one_runs(deployment: Deployment) -> None:
    engine = deployment.engine()
    propose(engine)
    approve(engine)
    command = [sys.executable, "-c", PROPOSING, str(deployment.policy)]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    agents: list[Any] = [subprocess.Popen(command, **streams) for _ in range(2)]  # type: ignore[call-overload]
    for agent in agents:
        assert agent.stdout.readline() == "ready\n"
    for agent in agents:
        agent.stdin.write("\n")
        agent.stdin.flush()
    assert sorted(agent.communicate()[0].strip() for agent in agents) == ["approved", "asked"]
    assert deployment.kinds().count("use") == 1


def test_of_threads_that_put_an_answer_back_all_the_time_one_runs(deployment: Deployment) -> None:
    engines = [deployment.engine() for _ in range(3)]
    propose(engines[0])
    name = approve(engines[0])
    line = deployment.answer_file().read_bytes()

    def proposing(number: int) -> str:
        put_back(deployment, line, name)
        return state(propose(engines[number % 3]))

    with ThreadPoolExecutor(6) as agents:
        assert list(agents.map(proposing, range(18))).count("approved") == 1


DYING = """
import os, sys
from supervisor.records.ledger import Ledger
from supervisor.engine.supervisor import Supervisor
from supervisor.policy import read_policy
from tests.attack.test_approvals import propose
Ledger.record = lambda *_, **__: os._exit(9)
propose(Supervisor(read_policy(sys.argv[1])))
"""


def test_who_dies_between_the_use_and_the_decision_has_used_it(deployment: Deployment) -> None:
    engine = deployment.engine()
    propose(engine)
    approve(engine)
    ended = subprocess.run([sys.executable, "-c", DYING, str(deployment.policy)], check=False)
    assert ended.returncode == 9
    assert deployment.kinds().count("use") == 1
    assert state(propose(engine)) == "asked"  # and a person hears of it again: nothing is lost
    assert len(engine.queue.waiting()) == 1
    assert verify(deployment.records).problems == []


def test_a_use_that_cannot_be_recorded_is_none(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, known = deployment.engine(), Journal.append
    propose(engine)
    approve(engine)

    def full(journal: Journal, kind: str, *rest: Any, **named: Any) -> bytes:
        if kind == "use":
            raise RecordFailed("the disk is full")
        return known(journal, kind, *rest, **named)

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "append", full)
        assert state(propose(engine)) == "asked"
    assert state(propose(engine)) == "approved"


def test_who_holds_the_lock_gets_nothing_approved_and_hangs_nobody(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "PATIENCE", 0.05)
    engine = deployment.engine()
    propose(engine)
    approve(engine)
    held = os.open(deployment.records, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    assert state(propose(engine)) == "asked"
    with pytest.raises(RecordFailed):
        engine.queue.answer("000000", "approved", "ann", "terminal")
    os.close(held)
    assert state(propose(engine)) == "approved"
