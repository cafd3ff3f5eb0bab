"""Patterns of several alternatives, as the tables of this package write them."""

from __future__ import annotations

import re
from collections.abc import Iterable


def any_of(patterns: str | Iterable[str], flags: int = re.IGNORECASE | re.MULTILINE) -> re.Pattern[str]:
    """One pattern for all of them, or for one alone."""
    alternatives = [patterns] if isinstance(patterns, str) else patterns
    return re.compile("|".join(f"(?:{each})" for each in alternatives), flags)
