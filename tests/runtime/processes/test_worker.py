"""A worker runs as its command would, and tells how it ended."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from supervisor.runtime.processes import launch
from supervisor.runtime.processes.cgroup import Cgroup
from supervisor.runtime.processes.identity import is_alive
from supervisor.runtime.processes.terminal import hides, put
from supervisor.runtime.processes.tree import MARKER
from supervisor.runtime.processes.worker import OutputCut, Sink, start
from tests.runtime.processes.starting import METHODS, begin, only_linux, plan, python, until

SURROUNDINGS = """
import json, os, signal, sys
own = {signal.SIGPIPE, signal.SIGXFSZ}  # Python itself ignores these
print(json.dumps({
    "arguments": sys.argv[1:],
    "cwd": os.getcwd(),
    "environment": dict(os.environ),
    "session": os.getsid(0) == os.getpid(),
    "ignored": [each for each in signal.valid_signals() - own if signal.getsignal(each) is signal.SIG_IGN],
    "blocked": list(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
    "files": [each for each in range(64) if os.path.exists(f"/dev/fd/{each}")],
}))
"""
ORPHAN = "import os, time\nif os.fork(): os._exit(4)\nos.setsid()\ntime.sleep(60)"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("program", "code"), [("", 0), ("raise SystemExit(7)", 7), ("import os; os.kill(os.getpid(), 9)", -9)]
)
def test_the_exit_code_is_that_of_the_command(method: str, program: str, code: int, tmp_path: Path) -> None:
    with begin(python(program), tmp_path, method) as worker:
        assert (worker.wait(10), worker.poll()) == (code, code)


@pytest.mark.parametrize("method", METHODS)
def test_the_command_has_what_it_was_given_and_nothing_else(method: str, tmp_path: Path) -> None:
    tree = plan(method)
    environment = {"A": "b", "PYTHONPATH": "/nonesuch", "LC_ALL": "C.UTF-8"}
    command = python(SURROUNDINGS, "one", "two three", "--", "")
    with start(command, cwd=tmp_path, env=environment, stdout=Sink(), plan=tree) as worker:
        assert worker.wait(10) == 0
        assert worker.stdout is not None
        assert worker.stdout.finish(5)
        found = json.loads(worker.stdout.content())
    assert found == {
        "arguments": ["one", "two three", "--", ""],
        "cwd": str(tmp_path),
        "environment": {**environment, MARKER: tree.marker},
        "session": True,
        "ignored": [],
        "blocked": [],
        "files": [0, 1, 2],
    }


@only_linux
@pytest.mark.parametrize("method", METHODS)
def test_a_command_that_cannot_run_raises_and_leaves_nothing(method: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no program")
    tree = plan(method)
    for command, error in ((["/nonesuch"], FileNotFoundError), ([str(tmp_path / "text")], PermissionError)):
        with pytest.raises(error):
            start(command, cwd=tmp_path, env={}, plan=tree)
        assert tree.members() == set()
        assert tree.cgroup is None or not tree.cgroup.path.exists()
    with pytest.raises(FileNotFoundError):
        start(python(""), cwd=tmp_path / "nonesuch", env={}, plan=tree)
    with pytest.raises(FileNotFoundError):
        start(python(ORPHAN), cwd=tmp_path, env={}, plan=tree, stdout=Sink(file=tmp_path / "nonesuch" / "out"))
    assert tree.members() == set()


@only_linux
@pytest.mark.parametrize("method", METHODS)
def test_a_launcher_that_does_not_answer_leaves_nothing(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "_START", 0)
    tree, before = plan(method), set(os.listdir("/proc/self/fd"))
    with pytest.raises(TimeoutError):
        start(python("import time; time.sleep(60)"), cwd=tmp_path, env={}, plan=tree)
    assert len(os.listdir("/proc/self/fd")) == len(before)
    assert tree.members() == set()
    assert tree.cgroup is None or not tree.cgroup.path.exists()


@pytest.mark.parametrize("method", METHODS)
def test_a_pipe_to_stdin(method: str, tmp_path: Path) -> None:
    with begin(python("print(input()[::-1])"), tmp_path, method, stdin="pipe", stdout=Sink()) as worker:
        assert worker.stdin is not None
        worker.stdin.write(b"question\n")
        worker.stdin.flush()
        assert worker.wait(10) == 0
        assert worker.stdout is not None
        assert worker.stdout.finish(5)
        assert worker.stdout.content() == b"noitseuq\n"


@pytest.mark.parametrize("method", METHODS)
def test_a_worker_that_is_closed_with_unread_input(method: str, tmp_path: Path) -> None:
    with begin(python("import time; time.sleep(60)"), tmp_path, method, stdin="pipe") as worker:
        assert worker.stdin is not None
        worker.stdin.write(b"never read")


def test_waiting_ends_in_time(tmp_path: Path) -> None:
    with begin(python("import time; time.sleep(60)"), tmp_path) as worker, pytest.raises(TimeoutError):
        worker.wait(0.05)


@only_linux
@pytest.mark.parametrize("method", ["cgroup", "subreaper"])
def test_what_outlives_the_leader_is_still_a_member(method: str, tmp_path: Path) -> None:
    with begin(python(ORPHAN), tmp_path, method) as worker:
        assert worker.wait(10) == 4
        (orphan,) = worker.tree.members()
        assert is_alive(orphan)
    assert not is_alive(orphan)


@only_linux
@pytest.mark.parametrize("method", METHODS)
def test_a_command_starts_with_the_usual_signals_whatever_its_starter_ignores(method: str, tmp_path: Path) -> None:
    starter = f"""
import json, os, signal
from pathlib import Path
from supervisor.runtime.processes.tree import Tree
from supervisor.runtime.processes.worker import start
for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM): signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
tree = Tree.from_json(json.loads({json.dumps(plan(method).to_json())!r}))
with start(["sleep", "60"], cwd=Path.cwd(), env=dict(os.environ), plan=tree) as worker:
    killed = worker.kill(polite=signal.SIGINT, grace=5)
    print(killed.left_by_itself, worker.poll())
"""
    ran = subprocess.run([sys.executable, "-c", starter], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stdout == "True -2\n"


@only_linux
def test_cgroups_below_a_worker_go_with_it(tmp_path: Path) -> None:
    tree = plan("cgroup")
    with start(python("import time; time.sleep(60)"), cwd=tmp_path, env={}, plan=tree) as worker:
        assert tree.cgroup is not None
        below = Cgroup(tree.cgroup.path / "below" / "deep")
        below.path.mkdir(parents=True)
        assert worker.tree.leader is not None
        below.door.write_text(str(worker.tree.leader.pid))
        assert worker.tree.leader in worker.tree.members()
    assert not tree.cgroup.path.exists()


@only_linux
def test_a_process_that_moved_out_of_its_cgroup_is_found(tmp_path: Path) -> None:
    tree = plan("cgroup")
    with start(python("import time; time.sleep(60)"), cwd=tmp_path, env={}, plan=tree) as worker:
        assert tree.parent is not None
        assert worker.tree.leader is not None
        try:
            (tree.parent / "cgroup.procs").write_text(str(worker.tree.leader.pid))
        except PermissionError:
            pytest.skip("this user may not move processes out of a cgroup")
        assert worker.kill(polite=None).survivors == frozenset()
        assert not is_alive(worker.tree.leader)


@pytest.mark.parametrize("method", METHODS)
def test_usage_grows_with_work(method: str, tmp_path: Path) -> None:
    program = "while True: open('file', 'w').write('x' * 1000)"
    with begin(python(program), tmp_path, method) as worker:
        first = worker.tree.usage(1.0)
        until(lambda: worker.tree.usage(2.0).cpu > first.cpu + 0.02)
        if sys.platform == "linux":
            until(lambda: worker.tree.usage(2.0).io > first.io + 100_000)


@only_linux
def test_a_worker_that_cannot_start_leaves_no_file_open(tmp_path: Path) -> None:
    before = os.listdir("/proc/self/fd")
    with pytest.raises(FileNotFoundError):
        begin(python(""), tmp_path, stdin="pipe", stdout=Sink(), stderr=Sink(file=tmp_path / "nonesuch" / "out"))
    with pytest.raises(FileNotFoundError):
        begin(["/nonesuch"], tmp_path, stdin="pipe", stdout=Sink(), stderr=Sink())
    until(lambda: os.listdir("/proc/self/fd") == before)


@only_linux
def test_an_output_that_outlives_its_worker_is_told(tmp_path: Path) -> None:
    """A process group misses a daemon without the marker in its environment."""
    escape = (
        f"import os\nif os.fork(): os._exit(0)\nos.setsid()\nif not os.fork(): os.execve('/bin/sleep', {ESCAPED}, {{}})"
    )
    worker = begin(python(escape), tmp_path, "group", stdout=Sink())
    worker.wait(10)
    until(escaped)
    with pytest.raises(OutputCut):
        worker.close()
    survivor = escaped()
    assert survivor is not None
    os.kill(survivor, signal.SIGKILL)


ESCAPED = ["sleep", f"119.{os.getpid()}"]  # no other test has it


def escaped() -> int | None:
    wanted = "\0".join(ESCAPED).encode() + b"\0"
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended
            if (folder / "cmdline").read_bytes() == wanted:
                return int(folder.name)
    return None


TERMINAL = """
import os, sys
print(os.isatty(0), os.isatty(1), os.isatty(2), *os.get_terminal_size(), flush=True)
with open('/dev/tty', 'r+b', buffering=0) as tty:
    tty.write(b'Continue? ')
    print(tty.readline())
"""


@pytest.mark.parametrize("method", METHODS)
def test_a_terminal_is_the_commands_own(method: str, tmp_path: Path) -> None:
    """What asks at /dev/tty asks there as well; the end of the command is the end of the output."""
    with begin(python(TERMINAL), tmp_path, method, stdin="terminal", stdout=Sink(), stderr="stdout") as worker:
        assert worker.stdout is not None
        assert worker.stdin is not None
        until(lambda: worker.stdout and worker.stdout.content().endswith(b"Continue? "))
        assert not hides(worker.stdin.fileno())
        put(worker.stdin.fileno(), "yes")
        assert worker.wait(10) == 0
        assert worker.stdout.finish(5)
        assert worker.stdout.content() == b"True True True 160 50\nContinue? yes\nb'yes\\n'\n"


def test_a_terminal_is_closed_where_the_command_does_not_exist(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0
    with pytest.raises(FileNotFoundError):
        begin(["/nonesuch"], tmp_path, "group", stdin="terminal", stdout=Sink(), stderr="stdout")
    assert sys.platform != "linux" or len(os.listdir("/proc/self/fd")) == before
