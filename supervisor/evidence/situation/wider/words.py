"""Words and patterns of `extent.yaml` and `scopes.yaml`: how much a command is done to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from supervisor.evidence.reading.tables import table_beside
from supervisor.evidence.situation.expressions import any_of


@cache
def extent(name: str) -> re.Pattern[str]:
    """A pattern of `extent.yaml`."""
    return any_of(table_beside(__file__, "extent.yaml")[name])


@cache
def extents(name: str) -> Mapping[str, Any]:
    """A table of `extent.yaml`."""
    found: Mapping[str, Any] = table_beside(__file__, "extent.yaml")[name]
    return found


@cache
def absence(name: str) -> re.Pattern[str]:
    """A pattern of `absent.yaml`."""
    return any_of(table_beside(__file__, "absent.yaml")[name])


@cache
def absences(name: str) -> Any:
    """A table of `absent.yaml`."""
    return table_beside(__file__, "absent.yaml")[name]


@cache
def word_set(name: str) -> frozenset[str]:
    """A set of words of `extent.yaml`."""
    return frozenset(table_beside(__file__, "extent.yaml")[name].split())


@cache
def scope(name: str) -> re.Pattern[str]:
    """A pattern of `scopes.yaml`."""
    return any_of(table_beside(__file__, "scopes.yaml")[name])


@cache
def compiled(text: str) -> re.Pattern[str]:
    """A pattern of a table."""
    return any_of(text)
