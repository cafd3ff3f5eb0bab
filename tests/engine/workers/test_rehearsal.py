"""What is rehearsed before the first question: it leaves nothing behind that a decision could notice."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from supervisor.action import Action, Context
from supervisor.decision.ask import ask
from supervisor.engine.supervisor import Supervisor
from supervisor.engine.workers.rehearsal import rehearse, scenes
from supervisor.policy import Policy, Records
from supervisor.specialist import Specialist, ok
from supervisor.verdict import Opinion
from tests.engine.waiting import eventually
from tests.engine.workers.deployments import ISOLATIONS, add, decide, supervisor
from tests.engine.workers.hosts import host


def test_every_kind_of_action_that_agents_often_propose_is_rehearsed() -> None:
    assert {scene.action.kind for scene in scenes()} >= {
        *("shell", "python", "javascript", "sql", "file_read", "file_write", "file_edit", "http", "message", "tool")
    }


def test_each_is_asked_about_what_concerns_it_and_its_answer_is_dropped() -> None:
    seen: list[str] = []

    def judge(action: Action, context: Context) -> Opinion:
        seen.append(action.kind)
        raise ValueError("a crash is an answer like others")

    asked = list(rehearse([Specialist("one", frozenset({"shell"}), judge, uses_doors=False)]))
    assert len(asked) == len(seen) == sum(scene.action.kind == "shell" for scene in scenes())
    assert not list(rehearse([Specialist("doors", frozenset({"shell"}), judge, uses_doors=True)]))


def test_a_rehearsal_changes_no_opinion() -> None:
    """Of each shipped specialist on each scene: before, and after everything was rehearsed."""
    with contextlib.closing(Supervisor(Policy(isolation="none", records=Records(None)))) as opened:
        entries = [entry for entry in opened.catalog.entries.values() if not entry.uses_doors]
        loaded = [opened.catalog.specialist(entry.id) for entry in entries]

        def opinions() -> list[Opinion]:
            return [ask(each, action, context, 60) for action, context in scenes() for each in loaded]

        before = opinions()
        for _ in rehearse(loaded):
            pass
        assert opinions() == before
        assert any(each != ok() for each in before)


def test_the_deployments_own_specialists_judge_only_what_agents_propose(tmp_path: Path) -> None:
    file = tmp_path / "asked"
    add(tmp_path, "counts", "a", f"open({str(file)!r}, 'a').write('asked ')")
    with supervisor(tmp_path) as opened:
        decide(opened, "a")
    assert file.read_text() == "asked "


@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_a_worker_that_was_started_in_haste_makes_room_for_one_that_is_prepared(tmp_path: Path, isolation: str) -> None:
    add(tmp_path, "objects")
    with supervisor(tmp_path, isolation=isolation) as opened:
        opened.close()
        assert decide(opened, "forbidden").by == ("objects",)
        (pool,) = opened._dispatch._pools[1:]
        assert eventually(lambda: any(not each.is_makeshift and each.shared.is_ready for each in pool._free))
        assert decide(opened, "forbidden").by == ("objects",)
        assert decide(opened, "forbidden").by == ("objects",)
        assert not any(worker.is_makeshift for worker in pool._workers)


@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_to_start_is_to_wait_for_one_that_is_prepared(tmp_path: Path, isolation: str) -> None:
    add(tmp_path, "objects")
    with supervisor(tmp_path, isolation=isolation) as opened:
        opened.close()
        decide(opened, "forbidden")  # in haste
        opened.start()
        (pool,) = opened._dispatch._pools[1:]
        assert any(not each.is_makeshift and each.shared.is_ready for each in pool._free)


def test_a_worker_may_be_killed_before_it_was_forked(tmp_path: Path) -> None:
    """It waits until everything is prepared."""
    program = """
from supervisor.engine.workers.pool import START_LIMIT
pool = supervisor._dispatch._theirs
first = pool.take(None, START_LIMIT)
pool.discard(first)
say(decide("forbidden"))
supervisor.start()
say(decide("forbidden"))
"""
    with host(program, tmp_path) as running:
        assert [running.line() for _ in range(2)] == ["block"] * 2
        assert running.wait() == 0
