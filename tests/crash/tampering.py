"""The tamper matrix: each kind of change that somebody without the key may make, with `verify`'s answer to it.

A kind is one function that changes a scene, named after what it does. It is found by `verify` alone, with the owner's
key (`--key`), or only by who has kept an earlier report (`--since`); or it is harmless, changes no record and is no
problem.
"""

from __future__ import annotations

import itertools
import os
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from supervisor.errors import BadRecord
from supervisor.records.verify import verify
from tests.crash import edits, files, lines, notes, others, spoiled
from tests.crash.kinds import KINDS, Change
from tests.crash.scene import Scene, scene

_LONG_AGO = 1_000_000_000  # seconds since 1970
WHERE = (lines, spoiled, files, edits, notes, others)  # each puts its kinds among KINDS


@dataclass
class Kind:
    """One kind of tampering: in how many trials it was found, and the seeds of those that came out otherwise."""

    name: str
    expected: str
    tried: int = 0
    found: int = 0
    wrong: list[int] = field(default_factory=list)


def tamper(seeds: int, processes: int = 1, first: int = 0) -> list[Kind]:
    """Every kind with so many seeds."""
    asked = [(expected, name, first, seeds) for expected, kinds in KINDS.items() for name in kinds]
    if processes == 1:
        return [_tried(*each) for each in asked]
    with ProcessPoolExecutor(processes) as pool:
        return list(pool.map(_tried, *zip(*asked, strict=True)))


def _tried(expected: str, name: str, first: int, seeds: int) -> Kind:
    kind = Kind(name, expected)
    for seed, seals in itertools.product(range(first, first + seeds), (False, True)):
        with tempfile.TemporaryDirectory(prefix="supervisor-tampering-") as home:
            is_found, is_right = _one(expected, KINDS[expected][name], Path(home), seed, seals=seals)
        kind.tried += 1
        kind.found += is_found
        if not is_right:
            kind.wrong.append(seed)
    return kind


def _one(expected: str, change: Change, home: Path, seed: int, *, seals: bool) -> tuple[bool, bool]:
    """Whether it was found, and whether that is as expected: what is said to be hidden from `verify` alone, is. It is
    asked with the signing key; what is found with it is found without it, too."""
    made = scene(home, seed, seals=seals)
    change(made)
    _grow_old(made)
    alone = _has_problems(made)
    if expected == "found":
        return alone, alone and _has_problems(made, without_key=True)
    if expected == "harmless":
        return alone, not alone
    if expected == "found with --key":
        found = _has_problems(made, trusted=made.trusted)
        return found, found and not alone
    found = _has_problems(made, trusted=made.trusted, since=True)
    return found, found and not alone


def _grow_old(made: Scene) -> None:
    """Its writers are dead; `verify` would wait for one that may be at work."""
    for each in made.folder.glob("*.jsonl"):
        if each.is_file() and not each.is_symlink():
            os.utime(each, (_LONG_AGO, _LONG_AGO))


def _has_problems(made: Scene, *, trusted: Path | None = None, since: bool = False, without_key: bool = False) -> bool:
    """Whether `verify` reports something, or refuses the folder as none of a journal. Nothing else may be raised."""
    try:
        signer = None if without_key else made.owner
        return bool(verify(made.folder, trusted, made.reported if since else None, signer).problems)
    except BadRecord:
        return True
