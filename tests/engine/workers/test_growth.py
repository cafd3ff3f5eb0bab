"""A worker that keeps what it was told to keep stays; one in which specialists leave memory behind is replaced."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from supervisor.action import Step
from supervisor.engine.session import Session
from supervisor.engine.supervisor import Supervisor
from supervisor.engine.workers import growth
from supervisor.engine.workers.growth import Growth
from supervisor.engine.workers.history_sync import ReceivedHistories, SentHistories
from supervisor.history import History
from supervisor.policy import Workers
from tests.engine.workers.deployments import add, supervisor

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only the peak of the memory is known")
SESSIONS = 60
KEPT = "context.history.memory.setdefault('read', b'x' * 3_000_000)"
LEFT = "import builtins; builtins.left = [*getattr(builtins, 'left', ()), b'x' * 3_000_000]"


def replaced(opened: Supervisor, sessions: int) -> int:
    """How many workers are replaced while so many sessions ask in turn, twice."""
    histories = [Session() for _ in range(sessions)]
    for number, session in enumerate(histories):
        opened.remember(session, opened.action("bash", {"command": f"ls {number}"}), "nothing")
    read = opened.action("bash", {"command": "read it"})
    opened.decide_from_thread(read, None, histories[0])
    (workers,) = opened._dispatch._pools[1:]
    before = workers._started
    for session in histories * 2:
        opened.decide_from_thread(opened.action("bash", {"command": "read it"}), None, session)
    return workers._started - before


def test_what_is_read_from_histories_costs_no_worker(tmp_path: Path) -> None:
    add(tmp_path, "reads", "read", KEPT)
    with supervisor(tmp_path, workers=Workers(count=1)) as opened:
        assert replaced(opened, SESSIONS) == 0


def test_what_specialists_leave_behind_does(tmp_path: Path) -> None:
    add(tmp_path, "leaves", "read", LEFT)
    with supervisor(tmp_path, workers=Workers(count=1)) as opened:
        assert 2 <= replaced(opened, SESSIONS) <= 2 * SESSIONS // 16


def test_evidence_within_the_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts as a multiple of the JSON that it was read from, up to a share of the address space."""
    histories, sent = ReceivedHistories(), SentHistories()
    monkeypatch.setattr(growth, "_address_space", lambda: growth._SHARE * growth._READ * 10_000)
    monkeypatch.setattr(growth, "_most_resident", lambda: 0)
    counted = Growth(histories)
    for letter in "abcd":
        message = sent.message(History([Step("a", {}, letter * 3_000)]))
        assert message is not None
        histories.history({**message, "steps": [{"tool": "a", "args": {}, "output": "", "kind": "", "failed": False}]})
    assert 12_000 < histories.read < 16_000
    assert not counted.is_too_much()
    assert 9_000 < histories.read < 10_000
    monkeypatch.setattr(growth, "_most_resident", lambda: 1 << 40)
    monkeypatch.setattr(growth, "_resident", lambda: growth._LEFT + growth._READ * 9_000)
    assert not counted.is_too_much()
    assert 9_000 < histories.read < 10_000
    monkeypatch.setattr(growth, "_resident", lambda: growth._LEFT + growth._READ * 20_000)
    assert counted.is_too_much()
    assert 3_000 < histories.read < 4_000
