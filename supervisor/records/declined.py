"""The "no" of a host's own user to an action that was let through: what its record says.

It is no label: the person has not said that the decision was wrong, only that this action was not to run. So it is
listed as a miss, and no learner reads it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

KIND = "declined"  # of a record


@dataclass(frozen=True, slots=True)
class Declined:
    """A host's user has said no at the host's prompt. `record` is the address of the decision's record, `host` the
    host's name, `note` what the user said besides."""

    record: str
    session: str
    host: str
    time: datetime
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """The predicate of the record."""
        values = asdict(self) | {"time": self.time.isoformat()}
        return values | {"by": f"the user of {self.host}"}
