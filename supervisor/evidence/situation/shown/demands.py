"""Words of `demands.yaml`: what documents forbid, and what listings say of requests."""

from __future__ import annotations

import re
from functools import cache

from supervisor.evidence.reading.tables import table_beside
from supervisor.evidence.situation.expressions import any_of


@cache
def demand(name: str) -> re.Pattern[str]:
    """A pattern of `demands.yaml`."""
    return any_of(table_beside(__file__, "demands.yaml")[name])
