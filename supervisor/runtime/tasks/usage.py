"""What an attempt has spent of a provider's service."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens that the model has read and written, and money in US dollars. Of those that it has read, `cached` came
    from a cache, and `stored` were put into one. None is money that nobody has told."""

    input: int = 0
    cached: int = 0
    output: int = 0
    cost: float | None = None
    stored: int = 0

    def __add__(self, other: Spent) -> Spent:
        both = None if self.cost is None and other.cost is None else (self.cost or 0.0) + (other.cost or 0.0)
        read, cached, stored = self.input + other.input, self.cached + other.cached, self.stored + other.stored
        return Spent(read, cached, self.output + other.output, both, stored)

    def since(self, before: Spent) -> Spent:
        """What was added after `before`."""
        cost = None if self.cost is None else max(0.0, self.cost - (before.cost or 0.0))
        read, cached = max(0, self.input - before.input), max(0, self.cached - before.cached)
        stored = max(0, self.stored - before.stored)
        return Spent(read, cached, max(0, self.output - before.output), cost, stored)

    def greatest(self, other: Spent) -> Spent:
        """The greater of both, number by number: what two readings of one counter come to, in any order."""
        costs = [each for each in (self.cost, other.cost) if each is not None]
        read, cached, stored = (
            max(getattr(self, name), getattr(other, name)) for name in ("input", "cached", "stored")
        )
        return Spent(read, cached, max(self.output, other.output), max(costs, default=None), stored)

    @property
    def tokens(self) -> int:
        """All tokens, read and written."""
        return self.input + self.output

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Spent:
        known = (stored["input"], stored["cached"], stored["output"], stored["cost"])
        return cls(*known, stored.get("stored", 0))


Usage = Mapping[str, Spent]  # by the names of models


def total(usage: Usage) -> Spent:
    """What all models come to."""
    return summed(usage.values())


def summed(each: Iterable[Spent]) -> Spent:
    return sum(each, Spent())


def usage_since(usage: Usage, before: Usage) -> dict[str, Spent]:
    """What was added to each model after `before`."""
    return {model: spent.since(before.get(model, Spent())) for model, spent in usage.items()}


class Meter:
    """Counts requests. Each may be told any number of times, as far as it has come, and in any order."""

    def __init__(self) -> None:
        self._requests: dict[str, tuple[str, Spent]] = {}

    def note(self, request: str, model: str, spent: Spent) -> None:
        """Takes in what a request has come to so far."""
        _, before = self._requests.get(request, (model, Spent()))
        self._requests[request] = (model, before.greatest(spent))

    def clear(self) -> None:
        """Begins anew."""
        self._requests.clear()

    def usage(self) -> dict[str, Spent]:
        """What all requests come to, by model."""
        found: dict[str, Spent] = {}
        for model, spent in self._requests.values():
            found[model] = found.get(model, Spent()) + spent
        return found
