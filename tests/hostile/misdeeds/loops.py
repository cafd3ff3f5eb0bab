"""Loops and waits of Python."""

from __future__ import annotations

import threading
import time
from typing import Any

from supervisor.specialist import ok

LINGERS = 20  # seconds


def loop(_: Any) -> Any:
    while True:
        pass


def loop_that_catches(_: Any) -> Any:
    while True:
        try:
            while True:
                pass
        except BaseException:  # noqa: BLE001
            pass


def loop_in_finally(_: Any) -> Any:
    try:
        while True:
            pass
    finally:
        while True:
            pass


def loop_in_generator(_: Any) -> Any:
    return sum(1 for _each in iter(int, 1))


def sleep(_: Any) -> Any:
    time.sleep(LINGERS)


def wait_for_lock(_: Any) -> Any:
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


def sleep_a_little_often(_: Any) -> Any:
    for _each in range(2_000):
        time.sleep(0.01)
    return ok()
