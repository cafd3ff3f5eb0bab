"""What an attempt has spent of a provider's service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens that the model has read (`cached` of them from a cache) and written, and money in US dollars. None is
    money that the agent does not tell."""

    input: int = 0
    cached: int = 0
    output: int = 0
    cost: float | None = None

    def __add__(self, other: Spent) -> Spent:
        both = None if self.cost is None and other.cost is None else (self.cost or 0.0) + (other.cost or 0.0)
        return Spent(self.input + other.input, self.cached + other.cached, self.output + other.output, both)

    def since(self, before: Spent) -> Spent:
        """What was added after `before`."""
        cost = None if self.cost is None else max(0.0, self.cost - (before.cost or 0.0))
        read, cached = max(0, self.input - before.input), max(0, self.cached - before.cached)
        return Spent(read, cached, max(0, self.output - before.output), cost)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Spent:
        return cls(stored["input"], stored["cached"], stored["output"], stored["cost"])
