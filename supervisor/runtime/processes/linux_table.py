"""The processes of a Linux machine, read from /proc (proc_pid_stat(5))."""

from __future__ import annotations

import os
from pathlib import Path

from supervisor.runtime.processes.row import Row

_PROC = Path("/proc")
_GONE = (FileNotFoundError, ProcessLookupError)  # a process that ended while it was read
_UNREADABLE = (*_GONE, PermissionError)  # or that belongs to another user
_NO_CODE = (b"Z", b"X")  # zombies and the dead


def pids() -> list[int]:
    return [int(name) for name in os.listdir(_PROC) if name.isdecimal()]


def row_of(pid: int) -> Row | None:
    try:
        return parse_stat((_PROC / str(pid) / "stat").read_bytes())
    except _GONE:
        return None


def parse_stat(stat: bytes) -> Row | None:
    """The row of /proc/PID/stat; None for a zombie. The name stands in brackets and may itself contain any."""
    head, _, rest = stat.rpartition(b")")
    fields = rest.split()
    if fields[0] in _NO_CODE:
        return None
    cpu = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return Row(int(head.split(b" ", 1)[0]), int(fields[1]), int(fields[3]), int(fields[19]), cpu)


def children(pid: int) -> set[int]:
    try:
        return set(map(int, (_PROC / str(pid) / "task" / str(pid) / "children").read_text().split()))
    except _GONE:  # or the kernel has no such list (CONFIG_PROC_CHILDREN)
        return set()


def environment(pid: int) -> list[str]:
    try:
        content = (_PROC / str(pid) / "environ").read_bytes()
    except _UNREADABLE:
        return []
    return content.decode(errors="replace").split("\0")


def io_bytes(pid: int) -> int:
    try:
        lines = (_PROC / str(pid) / "io").read_text().splitlines()
    except _UNREADABLE:
        return 0
    counts = dict(line.split(": ") for line in lines)
    return int(counts["rchar"]) + int(counts["wchar"])
