"""The processes of a machine without Linux's /proc, read by psutil (extra `runtime`)."""

from __future__ import annotations

import os

import psutil

from supervisor.runtime.processes.row import Row

_UNREADABLE = (psutil.NoSuchProcess, psutil.AccessDenied, ProcessLookupError, PermissionError)


def pids() -> list[int]:
    return list(psutil.pids())


def row_of(pid: int) -> Row | None:
    try:
        process = psutil.Process(pid)
        with process.oneshot():
            if process.status() == psutil.STATUS_ZOMBIE:
                return None
            started = round(process.create_time() * 1e6)
            return Row(pid, process.ppid(), os.getsid(pid), started, sum(process.cpu_times()[:4]))
    except _UNREADABLE:
        return None


def children(pid: int) -> set[int]:
    """Empty: to find them, psutil would read all processes. Nothing asks where there are no subreapers."""
    return set()


def environment(pid: int) -> list[str]:
    try:
        return [f"{name}={value}" for name, value in psutil.Process(pid).environ().items()]
    except _UNREADABLE:
        return []


def io_bytes(pid: int) -> int:
    """0: macOS does not tell. CPU time remains as a sign of life."""
    return 0
