"""Catalogues made in a test, of specialists written in that test."""

from __future__ import annotations

from collections.abc import Sequence

from supervisor.catalog.catalog import Catalog
from supervisor.catalog.discovery import Pair
from supervisor.catalog.manifest import Entry
from supervisor.specialist import Specialist


def catalog_of(*specialists: Specialist, after: Sequence[Specialist] = (), **verdicts: str) -> Catalog:
    """A catalogue of these specialists, and of those that judge `after` an action ran; `verdicts` gives an entry's
    default where it is not block."""
    staged = [*((each, "before") for each in specialists), *((each, "after") for each in after)]
    made = [(_pair(each.id), _entry(each, verdicts.get(each.id, "block"), stage)) for each, stage in staged]
    catalog = Catalog(made)
    catalog._loaded = {each.id: each for each, _ in staged}
    return catalog


def _pair(name: str) -> Pair:
    return Pair("conduct", name, f"{name}.yaml", f"{name}.py", f"digest of {name}")


def _entry(specialist: Specialist, verdict: str, stage: str) -> Entry:
    about = ("name", "description", "high", verdict, "deterministic", stage, "stable")
    kinds, doors = tuple(sorted(specialist.kinds)), specialist.uses_doors
    # No other process could import them, so they count as bounded, and are asked in this one.
    known = ("coding",), kinds, doors, True
    marks = tuple(specialist.marks)
    return Entry(specialist.id, "conduct", f"digest of {specialist.id}", *about, *known, marks=marks)
