"""A specialist past its deadline has no vote, whatever it is doing, and everybody else keeps theirs."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from itertools import chain, combinations, islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from supervisor.action import Context
from supervisor.decision.decision import Decision
from supervisor.engine.session import Session
from supervisor.engine.supervisor import Supervisor
from supervisor.engine.workers import job, pool
from supervisor.engine.workers.assignment import Assignment
from supervisor.engine.workers.fork_client import Forks
from supervisor.policy import Budgets, Policy, Records, Workers
from supervisor.specialist import ok
from supervisor.verdict import Cause, Opinion, Refusal, Verdict
from tests.engine.workers.deployments import ISOLATIONS, add, decide, ended, supervisor

BUDGET = Budgets(pure_ms=300)  # less than twice of it, and a whole decision ends
LONG_BUDGET = Budgets(pure_ms=4000)  # in the second half of it a new worker starts, also on a busy machine
HANGS = {
    "in Python": "while True: pass",
    "in C, with the lock of the interpreter": "sum(range(10**12))",
    "and catches what is raised in it": "\n".join(
        [
            "while True:",
            "            try:",
            "                while True: pass",
            "            except BaseException: pass",
        ]
    ),
    "and blocks the alarm": "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\n"
    "        while True: pass",
    "asleep": "import time; time.sleep(1000)",
}
DIES = {
    "a null pointer": "import ctypes; ctypes.string_at(0)",
    "an exit": "import os; os._exit(0)",
    "a kill": "import os; os.kill(os.getpid(), 9)",
}


@pytest.mark.parametrize("isolation", ISOLATIONS)
@pytest.mark.parametrize("how", HANGS)
def test_one_that_hangs_has_no_vote_and_the_others_do(tmp_path: Path, isolation: str, how: str) -> None:
    add(tmp_path, "a_before")
    add(tmp_path, "b_hangs", "hang", HANGS[how])
    add(tmp_path, "c_after")
    with supervisor(tmp_path, isolation=isolation, budgets=BUDGET) as opened:
        decision = decide(opened, "hang, forbidden")
        assert ended(decision) == {"b_hangs": "deadline"}
        assert set(decision.by) == {"a_before", "c_after"}
        assert decide(opened, "forbidden").by == ("a_before", "b_hangs", "c_after")


@pytest.mark.parametrize("isolation", ISOLATIONS)
@pytest.mark.parametrize("how", DIES)
def test_one_that_kills_its_process_has_no_vote_and_the_others_do(tmp_path: Path, isolation: str, how: str) -> None:
    add(tmp_path, "a_before")
    add(tmp_path, "b_dies", "die", DIES[how])
    add(tmp_path, "c_after")
    with supervisor(tmp_path, isolation=isolation) as opened:
        decision = decide(opened, "die, forbidden")
        assert ended(decision) == {"b_dies": "crash"}
        assert set(decision.by) == {"a_before", "c_after"}


def test_many_that_hang_do_not_add_up(tmp_path: Path) -> None:
    """If they did, the decision would end before the last of the others had their turn."""
    for number in range(6):
        add(tmp_path, f"hangs_{number}", "hang", "while True: pass")
        add(tmp_path, f"objects_{number}")
    with supervisor(tmp_path, budgets=BUDGET) as opened:
        decision = decide(opened, "hang, forbidden")
        assert set(ended(decision).values()) == {"deadline"}
        assert set(decision.by) == {f"objects_{number}" for number in range(6)}


def starts_one(opened: Supervisor, command: str) -> bool:
    """Whether a worker is started for a decision, when one is at work and the spare one is ready. A thread starts it,
    maybe after the decision."""
    decide(opened, "echo")
    (workers,) = opened._dispatch._pools[1:]
    before = workers._started
    assert "b_after" in decide(opened, command).by
    until = time.monotonic() + 1
    while workers._started == before and time.monotonic() < until:
        time.sleep(0.01)
    return workers._started == before + 1


@pytest.mark.skipif(sys.platform != "linux", reason="only there is another process's processor time known")
def test_a_worker_that_does_not_compute_is_not_overtaken_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine a worker waits for a processor, and more workers would make it wait longer."""
    add(tmp_path, "a_waits", "wait", "import time; time.sleep(0.5)")
    add(tmp_path, "b_after")
    with supervisor(tmp_path, workers=Workers(count=1)) as opened:
        monkeypatch.setattr(job, "_LONGEST_PATIENCE", 60.0)
        assert not starts_one(opened, "wait, forbidden")
        monkeypatch.setattr(job, "_LONGEST_PATIENCE", 0.05)
        assert starts_one(opened, "wait, forbidden")


@pytest.mark.skipif(sys.platform != "linux", reason="only there is another process's processor time known")
def test_a_worker_that_computes_is_overtaken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    computes = "import time; until = time.process_time() + 0.3\n        while time.process_time() < until: pass"
    add(tmp_path, "a_computes", "compute", computes)
    add(tmp_path, "b_after")
    monkeypatch.setattr(job, "_LONGEST_PATIENCE", 60.0)
    with supervisor(tmp_path, workers=Workers(count=1)) as opened:
        assert starts_one(opened, "compute, forbidden")


def test_one_that_wants_all_memory_is_refused_it(tmp_path: Path) -> None:
    add(tmp_path, "a_takes_all", "take", "return [bytes(10**9) for _ in range(64)]")
    add(tmp_path, "b_after")
    with supervisor(tmp_path, workers=Workers(memory_mb=600)) as opened:
        decision = decide(opened, "take, forbidden")
        assert ended(decision) == {"a_takes_all": "memory"}
        assert decision.by == ("b_after",)


def reads(evidence: str) -> str:
    """The source of a specialist that reads evidence which never comes."""
    return "\n".join(
        [
            "from supervisor.evidence import READERS, reader",
            f"        def {evidence}(action, context):",
            "            while True: pass",
            f"        number = next((n for n, each in READERS.items() if each.__name__ == {evidence!r}), None)",
            f"        return (READERS[number] if number else reader({evidence}))(action, context)",
        ]
    )


def test_evidence_that_hangs_is_read_once_and_a_specialist_that_does_not_need_it_votes(tmp_path: Path) -> None:
    """Three that need the same evidence would otherwise take three budgets."""
    for number in range(3):
        add(tmp_path, f"needs_{number}", "hang", reads("endless"))
    add(tmp_path, "without")
    with supervisor(tmp_path, budgets=LONG_BUDGET) as opened:
        decision = decide(opened, "hang, forbidden")
        assert ended(decision) == {f"needs_{number}": "deadline" for number in range(3)}
        assert decision.by == ("without",)


def test_a_decision_ends_whoever_has_not_had_a_turn(tmp_path: Path) -> None:
    """Each needs other evidence, so that nobody goes on with the rest meanwhile."""
    for number in range(3):
        add(tmp_path, f"needs_{number}", "hang", reads(f"endless_{number}"))
    with supervisor(tmp_path, budgets=BUDGET) as opened:
        refusals = dict(decide(opened, "hang").refusals)
        assert {refusal.ended for refusal in refusals.values()} == {"deadline"}
        assert "its turn did not come" in refusals["needs_2"].reason


def test_what_a_specialist_leaves_behind_is_gone_with_its_worker(tmp_path: Path) -> None:
    leaves = (
        "import builtins, threading, time; builtins.left = 1\n"
        "        threading.Thread(target=time.sleep, args=(99,)).start()"
    )
    add(tmp_path, "leaves", "leave", leaves)
    add(
        tmp_path,
        "looks",
        "look",
        "import builtins; return block('It is there.') if hasattr(builtins, 'left') else ok()",
    )
    with supervisor(tmp_path, workers=Workers(count=1)) as opened:
        assert decide(opened, "leave").verdict is Verdict.OK
        assert [decide(opened, "look").verdict for _ in range(5)] == [Verdict.OK] * 5


def test_what_prints_or_speaks_to_the_channel_disturbs_nobody(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    add(tmp_path, "a_prints", "print", "print('something')")
    add(
        tmp_path,
        "b_writes",
        "write",
        "import os\n        for file in range(3, 64):\n            try: os.write(file, b'x' * 99)\n"
        "            except OSError: pass",
    )
    with supervisor(tmp_path, budgets=BUDGET) as opened:
        assert set(decide(opened, "print, write, forbidden").by) >= {"a_prints"}
        assert decide(opened, "forbidden").by == ("a_prints", "b_writes")
    assert capfd.readouterr().out == ""


def test_where_no_worker_can_be_had_the_policy_says_what_that_means(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(tmp_path, "objects")
    with supervisor(tmp_path) as opened:
        opened._dispatch.close()
        monkeypatch.setattr("sys.executable", "/nowhere/python")
        decision = decide(opened, "echo")
        assert (decision.verdict, decision.by) == (Verdict.BLOCK, ())
        assert "no worker" in (decision.unjudged or "")
        assert "not_judged" in decision.message()
    with supervisor(tmp_path, workers=Workers(on_failure="flag"), isolation="none") as opened:
        assert decide(opened, "forbidden").verdict is Verdict.BLOCK


def test_workers_are_to_be_had_again_when_what_hindered_them_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(tmp_path, "objects")
    with supervisor(tmp_path, budgets=BUDGET) as opened:
        opened._dispatch.close()
        monkeypatch.setattr("sys.executable", "/bin/false")
        assert "worker" in (decide(opened, "echo").unjudged or "")
        monkeypatch.undo()
        monkeypatch.setattr(pool, "_PAUSE_AFTER_FAILURES", 0.0)
        assert decide(opened, "forbidden").by == ("objects",)


def test_a_large_question_is_judged_and_one_that_is_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(tmp_path, "objects")
    with supervisor(tmp_path) as opened:
        assert decide(opened, "forbidden " + "x" * 3_000_000).by == ("objects",)
        monkeypatch.setattr(job, "QUESTION_BYTES", 1000)
        decision = decide(opened, "forbidden " + "x" * 2000)
        assert decision.verdict is Verdict.BLOCK
        assert "too much to look at" in decision.reason
        monkeypatch.undo()
        assert decide(opened, "forbidden").by == ("objects",)


def test_a_long_history_takes_no_votes(tmp_path: Path) -> None:
    """Reading it is not the specialists' time, however often a worker has to be told all of it again."""
    add(tmp_path, "a_hangs", "hang", "while True: pass")
    add(tmp_path, "objects")
    session = Session()
    with supervisor(tmp_path, budgets=BUDGET) as opened:
        for number in range(20):
            opened.observe(session, opened.action("bash", {"command": f"cat {number}"}), f"{number} " * 400_000)
        for command in ("forbidden", "hang, forbidden", "forbidden"):
            decision = opened.decide_from_thread(opened.action("bash", {"command": command}), None, session)
            assert "objects" in decision.by


def test_workers_that_are_killed_from_outside_take_no_votes(tmp_path: Path) -> None:
    add(tmp_path, "objects", "sleep", "import time; time.sleep(1)")
    with supervisor(tmp_path) as opened:
        decided: list[Decision] = []
        asking = threading.Thread(target=lambda: decided.append(decide(opened, "sleep, forbidden")))
        asking.start()
        time.sleep(0.3)
        for pool_of in opened._dispatch._pools:
            if isinstance(pool_of._origin, Forks):
                pool_of._origin._process.kill()
        asking.join()
        assert decided[0].by == ("objects",)


def test_what_is_remembered_of_sorts_of_actions_is_bounded() -> None:
    with contextlib.closing(Supervisor(Policy(isolation="none", records=Records(None)))) as opened:
        dispatch, action = opened._dispatch, opened.action("bash", {"command": "ls"})
        for named in islice(chain.from_iterable(combinations(sorted(dispatch._facts), n) for n in (1, 2, 3)), 2_000):
            dispatch.concern(action, Context(facts=dict.fromkeys(named, "x")))
            assert len(dispatch._known) <= 512


def test_what_a_worker_scribbles_is_no_opinion() -> None:
    told = [
        [0, {"verdict": "block", "confidence": "high"}],
        [1, {"cause": "input", "reason": ["x"]}],
        [2, {"cause": "input", "reason": "late", "ended": "deadline"}],
        [3],
        ["4"],
    ]
    found: list[Opinion | None] = [None] * 5
    worker = SimpleNamespace(shared=SimpleNamespace(process=0, found=lambda: told))
    assert not Assignment(cast(Any, None), cast(Any, worker), 0, 5, 5).collect(found)
    assert found == [None, None, Refusal("late", Cause.INPUT, "deadline"), ok(), None]


def test_what_a_worker_must_read_first_is_not_held_against_a_specialist() -> None:
    """Another worker would have to read it as well."""
    told = SimpleNamespace(sent=0)
    assignment = cast(Any, SimpleNamespace(worker=SimpleNamespace(sent=told), computed=lambda: 0.02))
    assert job._is_slow(assignment, 0.02)
    told.sent = 100_000
    assert not job._is_slow(assignment, 0.02)
    assert job._is_slow(assignment, 1.0)
