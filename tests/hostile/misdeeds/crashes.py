"""Ends of the process, and of its stack."""

from __future__ import annotations

import ctypes
import functools
import os
import signal
import sys
from typing import Any

from supervisor.specialist import ok


def exit_at_once(_: Any) -> Any:
    os._exit(0)


def exit_with_an_error(_: Any) -> Any:
    os._exit(70)


def abort(_: Any) -> Any:
    os.abort()


def read_null(_: Any) -> Any:
    return ctypes.string_at(0)


def kill_itself(_: Any) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


def terminate_itself(_: Any) -> Any:
    os.kill(os.getpid(), signal.SIGTERM)
    return ok()


def exit_politely(_: Any) -> Any:
    sys.exit(3)


def overflow_the_stack(_: Any) -> Any:
    value: Any = ()
    for _each in range(1_000_000):
        value = functools.partial(len, value)
    return repr(value)


def recurse(action: Any) -> Any:
    return recurse(action)


def recurse_without_limit(action: Any) -> Any:
    sys.setrecursionlimit(10**9)
    return recurse(action)


def corrupt_none(_: Any) -> Any:
    ctypes.memset(id(None), 0, 64)
    return ok()
