"""Adapters whose guard is a daemon: SUPERVISOR_URL changes nothing else."""

from __future__ import annotations

from typing import Any

from supervisor.adapters.calls import Calls
from supervisor.adapters.function.guard import Guard
from supervisor.engine.remote.client import Remote


def test_calls_are_judged_by_a_daemon(daemon: Any) -> None:
    remote = Remote(daemon.url)
    calls = Calls(Guard(remote), task="Tidy up")
    session = calls.session()
    assert "touches_block" in calls.before("bash", {"command": "touch block"}, session).refusal
    ran = calls.before("go", {"command": "touch flag"}, session, kind="shell")
    assert (ran.refusal, ran.decision.verdict.label) == ("", "flag")
    calls.after(ran, "done")
    session.relearn(tools=[{"name": "go", "description": "Goes."}])
    assert not calls.before("bash", {"command": "ls"}, session).refusal
    remote.close()


def test_a_daemon_that_is_gone_lets_nothing_through(tmp_path: Any) -> None:
    calls = Calls(Guard(Remote(f"unix:{tmp_path}/none.sock")))
    assert calls.before("bash", {"command": "ls"}, calls.session()).refusal
