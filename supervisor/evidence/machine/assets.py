"""The words in which an engine tells what belongs to the guard: a thing's place or name, whose it is, and its sort.

Data alone, which an engine needs when it is opened: nothing is imported that parses. What becomes of it is read in
`supervisor.evidence.effects.guard.assets`.
"""

from __future__ import annotations

import hashlib
import re
from enum import StrEnum
from typing import NamedTuple

FACT = "guard_assets"  # under which a context holds them
OURS = re.compile(r"/supervisor/(?:adapters/)?hooks/client\.(?:pl|py)\b")  # in a hook's command
_DIGEST = 8  # hexadecimal digits


class Sort(StrEnum):
    """What sort of thing an asset is."""

    HOME = "home"  # nothing of ours: what `~` stands for
    POLICY = "policy"
    TAXONOMY = "taxonomy"
    HOOKS = "hooks"  # a host's settings file with our entries; `told` holds their digests
    RECORDS = "records"
    KEY = "key"
    CACHE = "cache"
    STATE = "state"
    SOCKET = "socket"
    TOKEN = "token"
    UNIT = "unit"  # what starts the daemon
    CODE = "code"
    LIBRARY = "library"  # where the interpreter finds modules
    INTERPRETER = "interpreter"
    ENVIRONMENT = "environment"  # of the interpreter: only all of it, or what has an entry of its own
    PROCESS = "process"  # the daemon's number
    COMMAND = "command"  # its command line
    PORT = "port"


class Asset(NamedTuple):
    """One thing that belongs to the guard: its place or name, whose it is, and of what sort."""

    place: str
    owner: str
    sort: str
    told: str = ""


def digest_of(command: str) -> str:
    """What a command of ours is known by."""
    return hashlib.sha256(command.encode()).hexdigest()[:_DIGEST]
