"""What a person says to an agent while it works."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Said:
    """A message to a running agent. `id` is a UUID, by which the agent's program names it as well."""

    id: str
    text: str
