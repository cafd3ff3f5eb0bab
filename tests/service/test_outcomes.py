"""What came of an action, where a daemon judges it: for a guard, for a hook, and after a restart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from supervisor.adapters.function.guard import Guard
from supervisor.adapters.function.refusals import Blocked, Nudged
from supervisor.engine.remote.client import Remote
from supervisor.records.read import read_records
from tests.adapters.hooks.test_hooks import command, ran
from tests.catalog import taxonomies
from tests.service.daemons import Daemon


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory, make_taxonomy: Any) -> Iterator[Daemon]:
    folder = tmp_path_factory.mktemp("daemon")
    running = Daemon(folder, make_taxonomy(folder))
    for verdict in ("flag", "nudge", "block"):
        taxonomies.add(running.tiny.folder, f"came_to_{verdict}", verdict=verdict, word=f"a {verdict}", stage="after")
    grants = {"specialists": {"came_to_block": "revert"}}
    running.tiny.set_policy(records={"path": str(folder / "records"), "key": str(folder / "key.pem")}, authority=grants)
    running.start()
    yield running
    assert running.stop() == 0, running.log


@pytest.fixture
def guard(daemon: Daemon) -> Iterator[Guard]:
    remote = Remote(daemon.url)
    yield Guard(remote)
    remote.close()


def records_of(folder: Path, kind: str) -> list[dict[str, Any]]:
    return [record.predicate for record in read_records(folder / "records") if record.kind == kind]


def test_a_guard_hears_of_it_and_has_it_undone(daemon: Daemon, guard: Guard) -> None:
    undone: list[str] = []

    def undo(command: str, outcome: str) -> None:
        undone.append(f"{command}: {outcome}")
        if "stuck" in command:
            raise OSError("no way back")

    @guard(kind="shell", revert=undo)
    def go(command: str) -> str:
        return command.partition(" ")[2]

    with guard.session(agent="coder", task="a task") as session:
        assert go("say a flag") == "a flag"
        with pytest.raises(Nudged, match=r"Leave it out\.") as nudged:
            go("say a nudge")
        with pytest.raises(Blocked, match='"reverted":true'):
            go("say a block")
    assert nudged.value.returned == "a nudge"
    with pytest.raises(Blocked, match="no way back"):  # a call that belongs to no session is judged as well
        go("stuck a block")
    assert undone == ["say a block: a block", "stuck a block: a block"]
    outcomes = records_of(daemon.folder, "outcome")
    assert [each["decision"]["verdict"] for each in outcomes] == ["flag", "nudge", "block", "block"]
    assert [each["session"] for each in outcomes] == [session.id] * 3 + [None]
    assert [each["reverted"] for each in records_of(daemon.folder, "revert")] == [True, False]


def test_a_daemon_that_is_gone_leaves_the_result(
    daemon: Daemon, guard: Guard, caplog: pytest.LogCaptureFixture
) -> None:
    with guard.session():
        decision = guard.check("bash", {"command": "ls"})
        daemon.process.kill()
        daemon.process.wait()
        assert guard.observe(decision, "a block") is None
        assert "will be reported later" in caplog.text
        daemon.start()
        assert guard.observe(guard.check("bash", {"command": "pwd"}), "a block").reverts


@pytest.mark.parametrize("host", ["claude", "codex", "gemini", "cursor"])
def test_a_hook_tells_the_agent(daemon: Daemon, host: str) -> None:
    def told(output: str) -> tuple[int, str, str]:
        if host == "cursor":
            about = {"conversation_id": host, "tool_name": "Shell", "tool_input": {"command": "ls"}}
            name, event = "postToolUse", about | {"tool_output": json.dumps({"stdout": output})}
        elif host == "gemini":
            about = {"session_id": host, "tool_name": "run_shell_command", "tool_input": {"command": "ls"}}
            name, event = "AfterTool", about | {"tool_response": {"llmContent": output}}
        else:
            about = {"session_id": host, "tool_name": "Bash", "tool_input": {"command": "ls"}}
            name, event = "PostToolUse", about | {"tool_response": {"stdout": output}}
        return ran(command(host, name, daemon.socket, "observe"), event | {"hook_event_name": name})

    assert told("all is well") == told("a flag") == (0, "", "")
    code, out, err = told("it came to a nudge")
    if host == "cursor":
        assert (code, err) == (0, "")
        assert "Leave it out." in json.loads(out)["additional_context"]
    else:
        assert (code, out) == (2, "")
        assert err.startswith("Supervisor: {")
        assert json.loads(err.removeprefix("Supervisor: "))["executed"] is True
