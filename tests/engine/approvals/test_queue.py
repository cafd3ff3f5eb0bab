"""What waits for a person, and what was answered: for many at once, and after anything was lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from supervisor.decision.approval import Approval
from supervisor.engine.supervisor import Supervisor
from supervisor.errors import BadInput
from supervisor.policy import Records
from supervisor.records.questions import NotAsked
from supervisor.records.queue import MOST, Queue
from tests.engine.approvals.asking import CATALOG, Opened, answer, decide, state


def test_many_answer_and_the_first_counts(opened: Opened) -> None:
    supervisor = opened()
    asked = decide(supervisor)
    others = [opened() for _ in range(3)]
    for other in others:
        decide(other, "ls")

    def answering(number: int) -> str:
        try:
            answer(others[number % 3], asked, ("approved", "denied")[number % 2])
        except NotAsked as error:
            return error.code
        return "counts"

    with ThreadPoolExecutor(8) as people:
        said = list(people.map(answering, range(16)))
    assert sorted(said) == ["already_answered"] * 15 + ["counts"]


def test_many_propose_and_one_approval_lets_one_run(opened: Opened) -> None:
    engines = [opened() for _ in range(4)]
    answer(engines[0], decide(engines[0]))
    with ThreadPoolExecutor(8) as agents:
        ran = list(agents.map(lambda number: decide(engines[number % 4]).allowed, range(16)))
    assert sum(ran) == 1


def test_an_answer_that_comes_while_the_same_is_asked_again_is_not_lost(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = opened()
    asked, looked, known = decide(engine), [], Queue.reply

    def replied(queue: Queue, name: str, now: datetime) -> Any:
        found = known(queue, name, now)
        looked.append(name)
        if len(looked) == 2:  # to settle the decision, and now to put its question once more
            answer(engine, asked)
        return found

    monkeypatch.setattr(Queue, "reply", replied)
    assert state(decide(engine)) == "asked"
    assert state(decide(engine)) == "approved"


def test_the_queue_is_rebuilt_from_the_journal(opened: Opened, tmp_path: Path) -> None:
    supervisor = opened()
    used, approved, denied, waiting = (f"wipe {each}" for each in ("used", "approved", "denied", "waiting"))
    for command in (used, approved, denied):
        answer(supervisor, decide(supervisor, command), "denied" if command == denied else "approved")
    decide(supervisor, used)
    decide(supervisor, waiting)
    _forget(tmp_path)
    assert [each.decision["action"]["args"]["command"] for each in supervisor.queue.waiting()] == [waiting]
    _forget(tmp_path)
    states = [state(decide(supervisor, command)) for command in (used, approved, denied, waiting)]
    assert states == ["asked", "approved", "denied", "asked"]


def _forget(tmp_path: Path) -> None:
    for each in (tmp_path / "records" / "approvals").iterdir():
        each.unlink()
    (tmp_path / "records" / "approvals").rmdir()


def test_nothing_counts_that_this_deployments_key_has_not_signed(opened: Opened, tmp_path: Path) -> None:
    supervisor = opened()
    asked = decide(supervisor)
    assert asked.approval
    folder = tmp_path / "records" / "approvals"
    answer(supervisor, decide(supervisor, "wipe else"))
    (another,) = folder.glob("*.answer")
    stranger = Supervisor(
        replace(supervisor.policy, records=Records(str(tmp_path / "other"), str(tmp_path / "other.pem"))),
        catalog=CATALOG,
    )
    theirs = decide(stranger).approval
    assert theirs
    stranger.queue.answer(theirs.name, "approved", "mallory", "terminal")
    (forged,) = (tmp_path / "other" / "approvals").glob("*.answer")
    stranger.close()
    whole = another.read_bytes()
    for line in (b"", b"{}", whole, whole[:-1], whole.replace(b"a", b"b", 1), forged.read_bytes()):
        (folder / f"{asked.approval.name}.answer").write_bytes(line)
        assert state(decide(supervisor)) == "asked"
    (folder / f"{'0' * 64}.question").write_bytes((folder / f"{asked.approval.name}.question").read_bytes())
    assert [each.approval.name for each in supervisor.queue.waiting()] == [asked.approval.name]


def test_an_agent_cannot_ask_without_end(opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supervisor.records.queue.MOST", 3)
    supervisor = opened()
    asked = [decide(supervisor, f"wipe {number}") for number in range(5)]
    assert [each.is_asked for each in asked] == [True] * 3 + [False] * 2
    assert [each.allowed for each in asked] == [False] * 5
    assert "wait already" in (asked[-1].record_error or "")
    assert MOST > 3


def test_answers_are_checked(opened: Opened) -> None:
    supervisor = opened()
    asked = decide(supervisor).approval
    assert asked
    for name, word, by in ((asked.name[:5], "approved", "ann"), ("*", "approved", "ann"), ("../../x", "approved", "a")):
        with pytest.raises(NotAsked):
            supervisor.queue.answer(name, word, by, "terminal")
    for word, by in (("yes", "ann"), ("approved", ""), ("approved", "a" * 1001)):
        with pytest.raises(BadInput):
            supervisor.queue.answer(asked.name, word, by, "terminal")
    supervisor.queue.answer(asked.name[:6].upper(), "approved", "ann", "terminal")


def test_an_approval_reads_back_as_what_it_was(opened: Opened) -> None:
    from supervisor.decision.approval import approval_of
    from supervisor.engine.remote.wire import decision_from_wire, decision_to_wire

    decision = decide(opened())
    assert decision.approval
    assert approval_of(decision.approval.to_json()) == decision.approval
    assert decision_from_wire(decision_to_wire(decision)).approval == decision.approval
    for key, value in (("state", "yes"), ("id", "0" * 64), ("binding", {})):
        with pytest.raises((ValueError, TypeError)):
            approval_of(decision.approval.to_json() | {key: value})
    assert isinstance(decision.approval, Approval)
    assert isinstance(Queue, type)


def test_an_answer_that_another_has_replaced_is_left_to_the_next(opened: Opened) -> None:
    supervisor = opened()
    asked = decide(supervisor).approval
    assert asked
    path = next((supervisor.queue._folder).parent.glob(f"*/{asked.name}.question")).with_suffix(".answer")
    stale = supervisor.queue.answer(asked.name, "approved", "ann", "terminal")
    path.unlink()
    fresh = supervisor.queue.answer(asked.name, "denied", "ben", "terminal")
    assert not supervisor.queue.take(stale)
    assert supervisor.queue.reply(asked.name, datetime.now(UTC)) == fresh
