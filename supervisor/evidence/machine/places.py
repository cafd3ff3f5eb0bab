"""The table of places (`places.yaml`): what belongs to whom, and how much each act on it matters.

The table is decoded when it is first asked for. Callers ask only about paths outside the workspace.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from typing import Any, NamedTuple

from supervisor.evidence.reading.tables import table_beside

_LONGEST = 4096  # characters; PATH_MAX of Linux
_HOME = r"(?:~[^/]*|/root|/(?:home|Users)/[^/]+)"
_AT_HOME = re.compile(_HOME + r"(?=/|$)")
_GLOB = frozenset("*?[")
_PRIVATE = re.compile(r"/private(?=/(?:etc|var)/)")  # macOS keeps /etc and /var there


class Deed(StrEnum):
    """What is done to a place: the columns of the table."""

    READ = "read"
    WRITE = "write"
    OVERWRITE = "overwrite"
    MOVE = "move"
    DELETE = "delete"
    PERMISSION = "permission"
    OWN = "own"


class Judgement(StrEnum):
    """How much a deed matters if no task asks for it. STOP: the action is corrected or blocked."""

    HARMLESS = "harmless"
    FLAG = "flag"
    STOP = "stop"


class KnownPlace(NamedTuple):
    """One line of the table. `accounts` are those to which what is there may be given; `for_everyone`: every account
    must be able to enter it."""

    name: str
    kind: str
    owner: str
    patterns: tuple[str, ...]
    sample: str
    judgements: Mapping[Deed, Judgement]
    accounts: frozenset[str] = frozenset()
    for_everyone: bool = False

    def stops(self, deed: Deed) -> bool:
        return self.judgements[deed] is Judgement.STOP


@lru_cache(maxsize=1024)
def place_at(path: str) -> KnownPlace | None:
    """The place that a resolved absolute path belongs to; None if the table has no line for it."""
    if not path.startswith(("/", "~")) or len(path) > _LONGEST:
        return None
    path = _PRIVATE.sub("", path, 1)
    if _GLOB.isdisjoint(path):
        found = _pattern().fullmatch(path)
        return known_places()[int((found.lastgroup or "")[1:])] if found else None
    return _matched(_AT_HOME.sub("~", path, 1).split("/"))


def kind_at(path: str) -> str:
    """The kind of the place of a resolved path; empty if the table has no line for it."""
    found = place_at(path)
    return found.kind if found else ""


def _matched(names: list[str]) -> KnownPlace | None:
    """The first place with a path that a pattern of names matches: `/us?`, `~/.ss*`."""
    for place in known_places():
        for pattern in place.patterns:
            known = pattern.rstrip("/").split("/")
            below = len(names) > len(known) > 1 and pattern.endswith("/")
            if (len(names) == len(known) or below) and all(map(_fits, known, names)):
                return place
    return None


def _fits(known: str, name: str) -> bool:
    """Whether a name of a path may be the known one, where either is a pattern."""
    return fnmatchcase(known, name) or ("*" in known and fnmatchcase(name, known))


@cache
def known_places() -> tuple[KnownPlace, ...]:
    """The lines of the table in order. Raises KeyError for a line without a judgement on each deed."""
    return tuple(_place(entry) for entry in _loaded()["places"])


@cache
def changes() -> Mapping[str, tuple[str, str, str]]:
    """The act, the verb and the pattern of what a change of a path brings, by the path without a trailing slash."""
    found = {}
    for meaning, names in _loaded()["changes"].items():
        act, verb = meaning.split()
        found.update({name.rstrip("/"): (act, verb, name) for name in names.split()})
    return found


def credential_patterns() -> Mapping[str, str]:
    """The patterns of files with credentials, by their sort."""
    patterns: Mapping[str, str] = _loaded()["credentials"]
    return patterns


def _loaded() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = table_beside(__file__, "places.yaml")
    return loaded


def _place(entry: Mapping[str, Any]) -> KnownPlace:
    judgements = {deed: Judgement(entry["acts"][deed.value]) for deed in Deed}
    accounts = frozenset(str(entry.get("accounts", "")).split())
    patterns = tuple(shlex.split(entry["at"]))
    line = (entry["name"], entry["kind"], entry["owner"], patterns, entry["sample"], judgements)
    return KnownPlace(*line, accounts, entry.get("for_everyone", False))


@cache
def _pattern() -> re.Pattern[str]:
    """All places as one pattern with a group for each."""
    lines = enumerate(known_places())
    return re.compile("|".join(f"(?P<p{number}>{'|'.join(map(_translated, each.patterns))})" for number, each in lines))


def _translated(pattern: str) -> str:
    below = r"(?:/.*)?" if pattern.endswith("/") and pattern != "/" else ""
    bare = pattern.rstrip("/") or "/"
    home, rest = (_HOME, bare[1:]) if bare.startswith("~") else ("", bare)
    return home + r"[^/]*".join(map(re.escape, rest.split("*"))) + below
