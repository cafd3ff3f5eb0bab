"""Rotations that throw away logs which have to be kept: of audits, of logins, of who read what."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.evidence.configuration.fault import Block, Fact, Fault, Weight, number_of, short, texts

_KEPT = re.compile(
    r"(?i)audit|access|auth|secure|security|login|wtmp|btmp|compliance|gdpr|patient|payment|transaction|billing|sudo"
)
_DELETES = re.compile(
    r"(?:^|[;&|\s])(?:rm|shred|truncate|unlink)\s[^\n;]{0,200}|\bfind\b[^\n;]{0,200}-delete", re.MULTILINE
)


def faults_of_rotations(block: Block) -> Iterator[Fact]:
    """A rotation of such logs that keeps no copy, or whose script deletes them."""
    if block.path[-1:] != ("rotation",):
        return
    values = block.values
    paths = [path for path in texts(values.get("paths")) if _KEPT.search(path)]
    if not paths:
        return
    names = ", ".join(path.rpartition("/")[2] for path in paths)
    if number_of(values.get("rotate")) == 0:
        yield Fact(Fault.SILENT, f"rotate=0 {names}", f"{names}: rotate 0 keeps no copy")
    elif (age := number_of(values.get("maxage"))) is not None and age <= 1:
        yield Fact(Fault.SILENT, f"maxage={age} {names}", f"{names}: maxage {age}")
    script = " ".join(texts(values.get("script")))
    deleted = _DELETES.search(script)
    if deleted and (_KEPT.search(deleted[0]) or ".log" in deleted[0]):
        yield Fact(Fault.SILENT, "script deletes", short(deleted[0]))
    if "shred" in values and number_of(values.get("rotate")) in (0, 1):
        yield Fact(Fault.SILENT, "shred", f"{names}: shred", Weight.SLIGHT)
