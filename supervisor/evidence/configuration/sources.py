"""Where a deployment takes its manifests from, when a change points it at a repository of somebody else."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.evidence.configuration.fault import Block, Fact, Fault, scalar

_KEYS = ("repourl", "giturl", "gitrepository")
_OWNED = re.compile(r"(?:https?://|git@|ssh://(?:git@)?)(?P<host>[\w.-]{3,80})[/:](?P<owner>[\w.-]{1,80})/")
_OPEN_TO_ALL = frozenset({"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"})  # where anybody has a place
MOVED = "moved to "


def moved_sources(before: tuple[Block, ...], after: tuple[Block, ...]) -> Iterator[Fact]:
    """The sources that belong to another owner from now on, at a host where anybody may have a repository. The key of
    a fact ends with the owner."""
    known = {owner for owner, _ in _owners(before)}
    for owner, text in _owners(after) if known else ():
        if owner not in known and owner[0] in _OPEN_TO_ALL:
            yield Fact(Fault.UNVERIFIED, f"{MOVED}{owner[1]}", text)


def _owners(blocks: tuple[Block, ...]) -> Iterator[tuple[tuple[str, str], str]]:
    for block in blocks:
        for key in _KEYS:
            if found := _OWNED.match(scalar(block.values.get(key))):
                yield (found["host"].lower(), found["owner"].lower()), block.shown(key)
