"""Which worker is asked."""

from __future__ import annotations

from pathlib import Path

from supervisor.engine.session import Session
from supervisor.engine.supervisor import Supervisor
from supervisor.engine.workers.pool import Pool, WorkerHandle
from supervisor.history import History
from supervisor.policy import Workers
from tests.engine.waiting import eventually
from tests.engine.workers.deployments import add, supervisor


def ready(pool: Pool) -> WorkerHandle:
    """A free worker that has started."""
    worker = pool.take(None, 60)
    assert worker is not None
    assert eventually(lambda: worker.shared.is_ready)
    return worker


def begun(opened: Supervisor, command: str) -> Session:
    """A session of one step."""
    session = Session()
    opened.remember(session, opened.action("bash", {"command": command}), "nothing")
    return session


def test_a_session_goes_on_with_the_worker_that_knows_it(tmp_path: Path) -> None:
    add(tmp_path, "objects")
    with supervisor(tmp_path, workers=Workers(count=2)) as opened:
        (pool,) = opened._dispatch._pools[1:]
        first, session = ready(pool), begun(opened, "ls")
        pool.give_back(ready(pool))
        asked = opened.action("bash", {"command": "forbidden"})
        opened.decide_from_thread(asked, None, session)  # another worker receives it
        pool.give_back(first)  # now this one is used last
        opened.remember(session, asked, "nothing")
        opened.decide_from_thread(asked, None, session)
        history = History.of(session.context().history)
        assert not first.sent.knows(history)
        assert pool._free[-1].sent.knows(history)
        other = begun(opened, "pwd")
        opened.decide_from_thread(asked, None, other)
        assert sum(worker.sent.knows(History.of(other.context().history)) for worker in pool._free) == 1


def test_the_worker_that_has_read_most_stays(tmp_path: Path) -> None:
    """One that was overtaken comes back, and a fresh one goes."""
    add(tmp_path, "objects")
    with supervisor(tmp_path, workers=Workers(count=1)) as opened:
        (pool,) = opened._dispatch._pools[1:]
        opened.decide_from_thread(opened.action("bash", {"command": "forbidden"}), None, begun(opened, "ls"))
        known = ready(pool)
        assert known.sent.size
        known.is_stuck = True
        others = [ready(pool), ready(pool)]
        pool.give_back(others[0])
        pool.give_back(known)
        assert pool._free == [known]
