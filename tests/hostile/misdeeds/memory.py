"""Memory without end."""

from __future__ import annotations

import gc
import os
import time
from typing import Any

from supervisor.specialist import ok

HOARD: list[Any] = []


def allocate_at_once(_: Any) -> Any:
    return len(bytes(10**10))


def allocate_without_end(_: Any) -> Any:
    kept = []
    while True:
        kept.append(bytearray(os.urandom(16)) * 500_000)


def allocate_small_things(_: Any) -> Any:
    return [[number] for number in iter(int, 1)]


def grow_each_time(_: Any) -> Any:
    HOARD.append(bytearray(b"x") * 24_000_000)
    return ok()


def catch_the_end_of_memory(_: Any) -> Any:
    kept = []
    while True:
        try:
            kept.append(bytearray(b"x") * 8_000_000)
        except MemoryError:
            time.sleep(0.001)


def switch_the_collector_off(_: Any) -> Any:
    gc.disable()
    for _each in range(20_000):
        ring: list[Any] = []
        ring.append(ring)
    return ok()


def multiply_text(_: Any) -> Any:
    return ("x" * 1_000_000) * 900 + ("y" * 1_000_000) * 900
