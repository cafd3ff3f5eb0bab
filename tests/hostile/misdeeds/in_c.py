"""Loops in C, which hold the interpreter's lock and see no signal."""

from __future__ import annotations

import collections
import itertools
import re
import sys
import time
from typing import Any


def match_backtracking(_: Any) -> Any:
    return re.match(r"(a*)*b", "a" * 40)


def sum_in_c(_: Any) -> Any:
    return sum(range(10**12))


def power_in_c(_: Any) -> Any:
    return 7 ** (10**9)


def digits_in_c(_: Any) -> Any:
    sys.set_int_max_str_digits(0)
    return len(str(3**8_000_000))


def search_in_c(_: Any) -> Any:
    return 1 in itertools.repeat(0)


def sort_with_evil(_: Any) -> Any:
    class Evil:
        def __lt__(self, other: object) -> bool:
            time.sleep(0.001)
            return True

    return sorted(Evil() for _ in range(100_000))


def consume_endless_iterator(_: Any) -> Any:
    collections.deque(itertools.repeat(0), maxlen=0)
