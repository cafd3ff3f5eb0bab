"""Tombstones: signed records that old segments were removed on purpose, and what they were.

A tombstone names each removed segment with its length and its last digest. It also names the remaining segments that
only removed segments named, and the keys that signed until then, so that the rest verifies without what is gone.
A segment with a tombstone is never pruned itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from supervisor.errors import BadRecord
from supervisor.records.chain import Chain, Problem
from supervisor.records.checkpoint import Checkpoint, checkpoint_of

KIND = "pruned"
_TEXTS = ("time", "before", "by", "why")


@dataclass(frozen=True, slots=True)
class Tombstone:
    """One pruning. `removed` are the removed segments as they were, `kept` the remaining ones that only those named.
    `keys` are the ids of the keys that had signed the journal. `problems` are those that `verify` found before."""

    time: str
    before: str
    by: str
    why: str
    removed: tuple[Checkpoint, ...]
    kept: tuple[Checkpoint, ...] = ()
    keys: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    place: str = ""

    @property
    def segment(self) -> str:
        """The segment that contains it."""
        return self.place.rpartition(".jsonl:")[0]

    @property
    def records(self) -> int:
        """The number of removed records."""
        return sum(each.records for each in self.removed)

    def check(self, expected: Checkpoint) -> tuple[str, str] | None:
        """Code and message of the difference between a removed segment and what another place says of it; None if they
        agree, or if the tombstone itself lists a problem of this segment."""
        name = expected.segment
        removed = next(each for each in self.removed if each.segment == name)
        if any(each.startswith(name) for each in self.problems):
            return None
        if expected.records > removed.records:
            missing = expected.records - removed.records
            return "records_missing", f"{missing} records were gone from segment {name} when it was pruned"
        if expected.records and expected.records == removed.records and expected.digest != removed.digest:
            return "chain_broken", f"segment {name} was not what it had been when it was pruned"
        return None

    def to_json(self) -> dict[str, Any]:
        """The predicate of its record."""
        texts = {name: getattr(self, name) for name in _TEXTS}
        lists = {"keys": list(self.keys), "problems": list(self.problems)}
        segments = {name: [each.to_json() for each in getattr(self, name)] for name in ("removed", "kept")}
        return {**texts, "records": self.records, **segments, **lists}


def tombstone_of(predicate: dict[str, Any], place: str) -> Tombstone:
    """The tombstone in a record's predicate. Raises BadRecord."""
    try:
        removed, kept = (tuple(checkpoint_of(each) for each in predicate[name]) for name in ("removed", "kept"))
        keys, problems = tuple(predicate["keys"]), tuple(predicate["problems"])
        time, before, by, why = (predicate[name] for name in _TEXTS)
    except (KeyError, TypeError):
        raise BadRecord("a tombstone without its parts", place=place, code="bad_tombstone") from None
    if not all(isinstance(each, str) for each in (time, before, by, why, *keys, *problems)):
        raise BadRecord("a tombstone whose parts are no texts", place=place, code="bad_tombstone")
    return Tombstone(time, before, by, why, removed, kept, keys, problems, place)


@dataclass(slots=True)
class Tombstones:
    """Collects a journal's tombstones as its records are read."""

    found: list[Tombstone] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def note(self, place: str, kind: str, predicate: dict[str, Any]) -> None:
        """Adds one verified record."""
        if kind == KIND:
            try:
                self.found.append(tombstone_of(predicate, place))
            except BadRecord as error:
                self.problems.append(Problem(error.place, error.code, error.message))

    def trusted(self, chains: dict[str, Chain], keys: Iterable[str] | None) -> list[Tombstone]:
        """The tombstones that one of these keys signed; none if it is not known which keys count (None): whoever may
        write into the folder may have put one there, and taken the register away."""
        counting = set(keys or ())
        return [each for each in self.found if not chains[each.segment].keys.keys().isdisjoint(counting)]
