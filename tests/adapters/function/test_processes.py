"""The guard in processes of its own: forked ones, and one that never closes anything."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FORKS = """
import os, signal, sys
from supervisor.engine.supervisor import Supervisor
from supervisor.adapters.function.guard import Guard
from supervisor.policy import Policy, Records
home = sys.argv[1]
guard = Guard(Supervisor(Policy(records=Records(home + "/records", home + "/key.pem"))))
assert guard.check("bash", {"command": "ls"}).allowed
assert guard.check("refund", {"order": "A-1"}).record, "asks a database, so it goes through the portal"
for leaves in (False, True):
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        if leaves:
            sys.exit(0)
        assert guard.check("refund", {"order": "A-1"}).record
        decision = guard.check("bash", {"command": "rm -rf ~"})
        sys.exit(0 if decision.record and not decision.allowed else 3)
    assert os.waitpid(child, 0)[1] == 0, "a forked child hung or failed"
assert guard.check("bash", {"command": "ls"}).record
"""


@pytest.mark.thorough
def test_a_forked_child_decides_and_ends(tmp_path: Path) -> None:
    """As under gunicorn's preload or multiprocessing: the parent's event loop has no thread in the child."""
    ended = subprocess.run(
        [sys.executable, "-c", FORKS, str(tmp_path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 0, ended.stderr


def test_the_public_guard_opens_lazily_and_a_process_ends_by_itself(tmp_path: Path) -> None:
    """The environment's supervisor, in a fresh process that never closes anything."""
    policy = tmp_path / "policy.yaml"
    policy.write_text(f"records: {{path: {tmp_path}/records, key: {tmp_path}/key.pem}}\n")
    program = """
import supervisor.adapters.function.guard
from supervisor import Blocked, guard

@guard(name="bash")
def run(command): return "ran"

print(run("ls"))
try:
    run("rm -rf /")
except Blocked as error:
    print(error.decision.verdict.label)
"""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "SUPERVISOR_POLICY": str(policy)}
    environment["XDG_CACHE_HOME"] = os.environ["XDG_CACHE_HOME"]
    ended = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.stdout, ended.returncode) == ("ran\nblock\n", 0), ended.stderr
    checkpoint = next((tmp_path / "records").glob("*.checkpoint")).read_text()
    assert checkpoint, "sealed at exit"
