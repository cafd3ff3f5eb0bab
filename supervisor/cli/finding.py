"""What a check of the installation has found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check. `level` is `ok`, `note` (works with less) or `wrong` (does not guard)."""

    what: str
    level: str
    told: str
