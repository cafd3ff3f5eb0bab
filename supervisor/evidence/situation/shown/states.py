"""Words of `states.yaml`: how outputs show the state of a thing."""

from __future__ import annotations

import re
from functools import cache

from supervisor.evidence.reading.tables import table_beside
from supervisor.evidence.situation.expressions import any_of


@cache
def state(name: str) -> re.Pattern[str]:
    """The pattern of lines that show a state."""
    return any_of(table_beside(__file__, "states.yaml")[name])
