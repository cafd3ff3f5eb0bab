"""Coverage: checks that every entry has its specialist and that every case passes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from supervisor.catalog.catalog import examine, load_specialist
from supervisor.catalog.discovery import Pair, find_pairs
from supervisor.catalog.failure_mode import FailureMode, read_entry
from supervisor.errors import BadTaxonomy
from supervisor.policy import Taxonomy
from supervisor.suggestions import did_you_mean


@dataclass(slots=True)
class Row:
    """One failure mode, and its problems."""

    family: str
    id: str
    mode: FailureMode | None = None
    problems: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Coverage:
    """All rows, and the holes: files without their other half."""

    rows: list[Row] = field(default_factory=list)
    holes: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether there is neither a hole nor a problem."""
        return not self.holes and not any(row.problems for row in self.rows)


def cover(policy: Taxonomy, only: frozenset[str] = frozenset(), tell: Callable[[Row], None] | None = None) -> Coverage:
    """Runs every case of every entry (or of those in `only`). `tell` is called with each finished row."""
    pairs, holes = find_pairs(policy)
    coverage = Coverage(holes=[str(hole) for hole in holes])
    there = {pair.id for pair in pairs}
    coverage.holes += [f"no entry {name!r}{did_you_mean(name, there)}" for name in sorted(only - there)]
    for pair in pairs:
        if not only or pair.id in only:
            coverage.rows.append(_row(pair))
            if tell:
                tell(coverage.rows[-1])
    return coverage


def _row(pair: Pair) -> Row:
    row = Row(pair.family, pair.id)
    try:
        row.mode = read_entry(pair.taxonomy)
        if row.mode.id != pair.id:
            row.problems.append(f"{pair.taxonomy}: the id is {row.mode.id!r}, but the file says {pair.id!r}")
        row.problems += examine(row.mode, load_specialist(pair)).problems
    except BadTaxonomy as error:
        row.problems.append(str(error))
    return row
