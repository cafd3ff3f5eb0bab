"""One thing that is done to the guard."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class How(StrEnum):
    """The sort of thing that is done, which decides the verdict and its reason."""

    CHANGED = "changed"  # a place of the guard's
    STOPPED = "stopped"  # its process
    ANSWERED = "answered"  # a question for a person, or a request in a hook's name
    REMOVED = "removed"  # its hooks, its variables, its package
    UNGUARDED = "unguarded"  # an agent is started without it
    PERMITTED = "permitted"  # its host's settings let more run without approval
    BROAD = "broad"  # aimed at other things, and the guard is hit as well
    UNSEEN = "unseen"  # a host's settings are changed in a way that does not show what is left
    READ = "read"  # a secret of the guard: its key, its token
    SWEPT = "swept"  # a deletion by age, size or owner from far above may include it
    CLOCK = "clock"  # the clock that dates its records
    STEERED = "steered"  # its interpreters load foreign code first


class Disarming(NamedTuple):
    """One thing that is done to the guard.

    `how` is its sort, `done` completes the sentence "It …", `what` is its object, and `file` is the host's settings
    file if one is changed.
    """

    how: How
    done: str
    what: str = ""
    file: str = ""
