"""Whether a script may set what protects, or name a place that others read: one search each, for every action."""

from __future__ import annotations

from functools import cache
from typing import Any

import re2

from supervisor.evidence.reading.tables import table_beside

_LONGEST = 16 * 1024  # characters of a script


def may_weaken(script: str) -> bool:
    """Whether a text may set a setting that protects."""
    text = script[:_LONGEST]
    return hint("sets").search(text) is not None and hint("protects").search(text) is not None


def may_disclose(script: str) -> bool:
    """Whether a text names a place that others read."""
    text = script[:_LONGEST]
    return hint("places").search(text) is not None or hint("open_places").search(text) is not None


@cache
def hint(name: str) -> Any:
    """A pattern of `hints.yaml`."""
    return compiled(_loaded()[name])


def compiled(patterns: list[str]) -> Any:
    """The alternatives as one pattern of linear time, without regard to case."""
    options = re2.Options()
    options.case_sensitive = False
    return re2.compile("|".join(f"(?:{each})" for each in patterns), options)


def _loaded() -> dict[str, list[str]]:
    loaded: dict[str, list[str]] = table_beside(__file__, "hints.yaml")
    return loaded
