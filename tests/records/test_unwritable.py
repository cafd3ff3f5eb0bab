"""Records that cannot be written: the supervisor goes on, says so once, and decides as the policy wants it."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

COMMANDS = ["ls", "touch flag", "touch nudge", "touch block"]


def lines_of(count: int) -> str:
    actions = (COMMANDS[number % 4] for number in range(count))
    return "\n".join(json.dumps({"id": n, "tool": "bash", "args": {"command": each}}) for n, each in enumerate(actions))


@pytest.fixture(params=["a file in its place", "below a file", "where no folder can be", "a key that cannot be"])
def unwritable(request, tiny, tmp_path):
    """What `records` says in a policy whose records cannot be written."""
    (tmp_path / "file").write_text("in the way")
    return {
        "a file in its place": {"path": str(tmp_path / "file")},
        "below a file": {"path": str(tmp_path / "file" / "records")},
        "where no folder can be": {"path": "/proc/nonesuch/records"},
        "a key that cannot be": {"path": str(tmp_path / "records"), "key": "/proc/nonesuch/key.pem"},
    }[request.param]


@pytest.mark.parametrize(
    ("on_failure", "verdicts"),
    [
        ("ok", ["ok", "flag", "nudge", "block"]),
        ("flag", ["flag", "flag", "nudge", "block"]),
        ("block", ["block", "block", "block", "block"]),
        (None, ["block", "block", "block", "block"]),
    ],
)
def test_every_line_is_decided_and_stderr_says_it_once(run, tiny, unwritable, on_failure, verdicts):
    tiny.set_policy(records={**unwritable, "on_failure": on_failure} if on_failure else unwritable)
    ran = run("check", "--jsonl", "--policy", tiny.policy, stdin=lines_of(8))
    told = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 0
    assert [each["verdict"] for each in told] == verdicts * 2
    assert all(each["record_error"] and "record" not in each for each in told)
    assert ran.err.count("\n") == 1
    assert ran.err.endswith(" [record_failed]\n")


def test_what_was_found_is_still_told(run, tiny, unwritable):
    tiny.set_policy(records=unwritable)
    ran = run("check", "--policy", tiny.policy, stdin=lines_of(2).splitlines()[1])
    told = json.loads(ran.out)
    assert (ran.code, told["verdict"], told["by"]) == (1, "block", [])
    assert [each["specialist"] for each in told["findings"]] == ["touches_flag"]
    assert ran.err.count("\n") == 1


def test_a_key_that_is_gone_is_said_where_a_person_would_be_asked_too(run, tiny, tmp_path):
    """The queue is made anew from the records, which takes the key."""
    records = {"path": str(tmp_path / "records"), "key": str(tmp_path / "key.pem")}
    tiny.set_policy(records=records, approval={"ask": [{"verdicts": ["nudge"]}]})
    asked = run("check", "--policy", tiny.policy, stdin=lines_of(3).splitlines()[2])
    assert json.loads(asked.out)["approval"]["state"] == "asked"
    shutil.rmtree(tmp_path / "records" / "approvals")
    (tmp_path / "key.pem").unlink()
    (tmp_path / "key.pem").mkdir()
    ran = run("check", "--policy", tiny.policy, stdin=lines_of(3).splitlines()[2])
    assert (ran.code, json.loads(ran.out)["verdict"]) == (1, "block")
    assert "the signing key" in json.loads(ran.out)["record_error"]


def test_the_records_option_is_as_good_as_a_policy(run, tiny, tmp_path):
    (tmp_path / "file").write_text("in the way")
    ran = run("check", "--jsonl", "--policy", tiny.policy, "--records", tmp_path / "file", stdin=lines_of(4))
    assert all(json.loads(line)["verdict"] == "block" for line in ran.out.splitlines())


def limited_environment(home: Path) -> dict[str, str]:
    """For a process whose files may not grow. Its home is its own, because a record names what other tests have
    installed in theirs. It writes no bytecode: Python 3.11 leaves a part of a file there, which others would load."""
    return {**os.environ, "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"}


def test_a_disk_that_fills_up_while_working(tiny, tmp_path):
    """The limit on a file's size stands for the full disk. After it, whatever can be written is whole."""
    folder = tmp_path / "records"
    tiny.set_policy(records={"path": str(folder), "on_failure": "flag"})
    command = [sys.executable, "-m", "supervisor", "check", "--jsonl", "--policy", str(tiny.policy)]
    limit = 20_000

    def fill_the_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    ran = subprocess.run(
        command,
        input=lines_of(40),
        env=limited_environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=fill_the_disk,
    )
    told = [json.loads(line) for line in ran.stdout.splitlines()]
    assert (ran.returncode, len(told)) == (0, 40)
    failed = [each for each in told if "record_error" in each]
    assert 0 < len(failed) < 40
    assert all(("record" in each) != ("record_error" in each) for each in told)
    assert {each["verdict"] for each in failed[::4]} <= {"flag", "nudge", "block"}
    assert ran.stderr.count("[record_failed]") == 1


def test_failing_again_and_again_costs_nothing(tiny, tmp_path):
    """No open file is left behind by a decision that could not be recorded, and the folder does not fill up."""
    folder = tmp_path / "records"
    tiny.set_policy(records={"path": str(folder), "on_failure": "ok"})
    command = [sys.executable, "-m", "supervisor", "check", "--jsonl", "--policy", str(tiny.policy)]

    def allow_little() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))

    ran = subprocess.run(
        command,
        input=lines_of(100),
        env=limited_environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=allow_little,
    )
    errors = {json.loads(line)["record_error"] for line in ran.stdout.splitlines()}
    assert ran.stdout.count("\n") == 100
    assert not [each for each in errors if "Too many open files" in each]


def test_a_record_that_could_be_written_later_is(run, tiny, tmp_path):
    (tmp_path / "records").write_text("in the way")
    engine_policy = tiny.set_policy(records={"path": str(tmp_path / "records"), "on_failure": "ok"})
    from supervisor.engine.supervisor import Supervisor
    from supervisor.policy import read_policy

    supervisor = Supervisor(read_policy(engine_policy))
    action = supervisor.action("bash", {"command": "ls"})
    try:
        assert supervisor.portal.call(supervisor.decide, action).record_error
        Path(tmp_path / "records").unlink()
        assert supervisor.portal.call(supervisor.decide, action).record
    finally:
        supervisor.close()
    assert run("verify", tmp_path / "records").code == 0


@pytest.mark.parametrize("path", ["~nobody_by_this_name/records", "a\0b"])
def test_a_path_that_is_none_is_said_like_any_other(run, tiny, path):
    tiny.set_policy(records={"path": path})
    ran = run("check", "--jsonl", "--policy", tiny.policy, stdin=lines_of(2))
    if ran.code == 2:
        assert ran.err.endswith(" [bad_policy]\n")
    else:
        assert all("record_error" in json.loads(line) for line in ran.out.splitlines())
    assert ran.err.count("\n") == 1
    assert not os.path.exists(path.replace("\0", ""))
