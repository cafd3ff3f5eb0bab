"""One thing that is done to the guard."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class How(StrEnum):
    """What sort of thing it is, by what is to be said of it."""

    CHANGED = "changed"  # a place of the guard's
    STOPPED = "stopped"  # its process
    ANSWERED = "answered"  # for a person, or in a hook's name
    REMOVED = "removed"  # its hooks, its variables, its package
    UNGUARDED = "unguarded"  # an agent is started without it
    PERMITTED = "permitted"  # its host is told to let more run unasked
    BROAD = "broad"  # meant for others, and it takes the guard along
    UNSEEN = "unseen"  # a host's settings are changed in a way that does not show what is left
    READ = "read"  # what only it is to know: its key, its token
    SWEPT = "swept"  # a selection by age, size or owner from far above may take it along
    CLOCK = "clock"  # by which its records tell their times
    STEERED = "steered"  # its interpreters are given somebody's code to load first


class Disarming(NamedTuple):
    """One thing that is done to the guard: how, what was done as the end of the sentence "It …", to what, and where a
    host's settings are concerned their file."""

    how: How
    done: str
    what: str = ""
    file: str = ""
