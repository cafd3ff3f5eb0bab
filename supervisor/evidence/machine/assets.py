"""The vocabulary for what belongs to the guard: an asset's place or name, its owner, and its sort.

This module is only data, which an engine needs at start: it imports no parsers. The effects on assets are read in
`supervisor.evidence.effects.guard.assets`.
"""

from __future__ import annotations

import hashlib
import re
from enum import StrEnum
from typing import NamedTuple

FACT = "guard_assets"  # the name of the fact in a context
OURS = re.compile(r"/supervisor/(?:adapters/)?hooks/client\.(?:pl|py)\b")  # in a hook's command
_DIGEST = 8  # hexadecimal digits


class Sort(StrEnum):
    """The sort of an asset."""

    HOME = "home"  # not an asset itself: the value of `~`
    POLICY = "policy"
    TAXONOMY = "taxonomy"
    HOOKS = "hooks"  # a host's settings file with our entries; `told` holds their digests
    RECORDS = "records"
    KEY = "key"
    CACHE = "cache"
    STATE = "state"
    SOCKET = "socket"
    TOKEN = "token"
    UNIT = "unit"  # the service unit that starts the daemon
    CODE = "code"
    LIBRARY = "library"  # a directory in which the interpreter finds modules
    INTERPRETER = "interpreter"
    ENVIRONMENT = "environment"  # of the interpreter: only as a whole; parts have entries of their own
    PROCESS = "process"  # the daemon's process id
    COMMAND = "command"  # its command line
    PORT = "port"


class Asset(NamedTuple):
    """One thing that belongs to the guard: its place or name, its owner, and its sort."""

    place: str
    owner: str
    sort: str
    digests: str = ""  # of the hook commands installed there, separated by spaces


def digest_of(command: str) -> str:
    """The digest that identifies a hook command of Supervisor."""
    return hashlib.sha256(command.encode()).hexdigest()[:_DIGEST]
