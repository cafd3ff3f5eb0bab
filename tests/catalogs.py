"""Catalogues made in a test, of specialists written in that test."""

from __future__ import annotations

from pathlib import Path

from supervisor.catalog import Catalog
from supervisor.pairs import Pair
from supervisor.specialist import Specialist
from supervisor.verified import Entry


def catalog_of(*specialists: Specialist, **verdicts: str) -> Catalog:
    """A catalogue of these specialists; `verdicts` gives an entry's default where it is not block."""
    made = [(_pair(each.id), _entry(each, verdicts.get(each.id, "block"))) for each in specialists]
    catalog = Catalog(made)
    catalog._loaded = {each.id: each for each in specialists}
    return catalog


def _pair(name: str) -> Pair:
    return Pair("conduct", name, Path(f"{name}.yaml"), Path(f"{name}.py"), f"digest of {name}")


def _entry(specialist: Specialist, verdict: str) -> Entry:
    about = ("name", "description", "high", verdict, "deterministic", "before", "stable")
    kinds, doors = tuple(sorted(specialist.kinds)), specialist.uses_doors
    # No other process could import them, so they count as bounded, and are asked in this one.
    return Entry(specialist.id, "conduct", f"digest of {specialist.id}", *about, ("coding",), kinds, doors, True)
