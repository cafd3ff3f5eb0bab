"""The table of processes is right for odd names, and the same by both readers."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from supervisor.runtime.processes import linux_table
from supervisor.runtime.processes.process_table import READER, descendants, snapshot, started_with
from supervisor.runtime.processes.row import Row
from tests.runtime.processes.starting import only_linux, python, until

FIELDS = b"5 7 8 0 -1 4194304 1 1 0 0 100 200 300 400 20 0 1 0 12345 1000 10 18446744073709551615"


@only_linux
@pytest.mark.parametrize("name", [b"sh", b"a b", b") R 1 (", b"(((", b")))", b"", b"\xff\n"])
def test_a_name_may_contain_anything(name: bytes) -> None:
    row = linux_table.parse_stat(b"42 (" + name + b") S " + FIELDS)
    assert row == Row(42, 5, 8, 12345, 1000 / os.sysconf("SC_CLK_TCK"))


@pytest.mark.parametrize("state", [b"Z", b"X"])
def test_a_zombie_has_no_row(state: bytes) -> None:
    assert linux_table.parse_stat(b"42 (sh) " + state + b" " + FIELDS) is None


def test_this_process_and_its_child() -> None:
    with subprocess.Popen(python("input()"), stdin=subprocess.PIPE, env={"MARK": "8"}) as child:
        until(lambda: started_with(snapshot(), "MARK", "8"))
        table = snapshot()
        assert (table[child.pid].parent, table[child.pid].session) == (os.getpid(), os.getsid(0))
        assert descendants(table, [os.getpid()]) >= {os.getpid(), child.pid}
        assert started_with(table, "MARK", "8") == {child.pid}
        assert READER.io_bytes(os.getpid()) > 0 or sys.platform != "linux"


@only_linux
def test_psutil_sees_the_same() -> None:
    pytest.importorskip("psutil", reason="extra `runtime` is not installed")
    from supervisor.runtime.processes import psutil_table

    with subprocess.Popen(python("input()"), stdin=subprocess.PIPE, env={"MARK": "9"}) as child:
        until(lambda: "MARK=9" in psutil_table.environment(child.pid))
        one, other = READER.row_of(child.pid), psutil_table.row_of(child.pid)
        assert one is not None
        assert other is not None
        assert (one.pid, one.parent, one.session) == (other.pid, other.parent, other.session)
        assert psutil_table.row_of(child.pid) == other
        assert child.pid in psutil_table.pids()
    assert (psutil_table.row_of(child.pid), psutil_table.environment(child.pid)) == (None, [])


def test_a_circle_of_parents_ends() -> None:
    table = {pid: Row(pid, parent, 0, 0, 0.0) for pid, parent in ((1, 2), (2, 1), (3, 2), (4, 9))}
    assert descendants(table, [1]) == {1, 2, 3}
    assert descendants(table, [9]) == {4}
    assert descendants(table, []) == set()
