"""What tasks may spend of providers' services, and what models cost. Only the runtime reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

_STRICT = {"extra": "forbid"}
_ANY = "*"  # at the end of a model's name
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Cap:
    """What may be spent: `dollars`, and `tokens` that models read and write. None is no cap."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    dollars: float | None = None
    tokens: int | None = None

    def least(self, other: Cap) -> Cap:
        """The stricter of both."""
        return Cap(_least(self.dollars, other.dollars), _least(self.tokens, other.tokens))


def _least(one: Any, other: Any) -> Any:
    return other if one is None else one if other is None else min(one, other)


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens: those that a model reads and writes, those among the former that come from a
    cache (`cached`), and those that are put into one (`stored`). What is left out costs as much as `input`."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    input: float
    output: float
    cached: float | None = None
    stored: float | None = None

    def of(self, input: int, cached: int, stored: int, output: int) -> float:
        """The dollars for tokens. `input` counts all that were read, `cached` and `stored` among them."""
        plain = (input - cached - stored) * self.input
        from_cache = cached * (self.input if self.cached is None else self.cached)
        into_cache = stored * (self.input if self.stored is None else self.stored)
        return (plain + from_cache + into_cache + output * self.output) / _MILLION


@dataclass(frozen=True, slots=True)
class SpendingPolicy:
    """The caps of the runtime, which stop an agent's next request, and the prices of models.

    `task` is for each task, `tree` for each task that no other one has added, with all that it adds. `day` is for
    everything on a day (UTC), and `providers` for each provider on a day: `anthropic`, `openai`, `google`. `prices` are
    by the name of a model; a name that ends with `*` stands for all that begin like it. Where API keys are in the
    environment of a worker, a `gateway` on loopback stands before the provider; without it, only what agents tell
    counts.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    task: Cap = field(default_factory=Cap)
    tree: Cap = field(default_factory=Cap)
    day: Cap = field(default_factory=Cap)
    providers: dict[str, Cap] = field(default_factory=dict)
    prices: dict[str, Price] = field(default_factory=dict)
    gateway: bool = True

    def price_of(self, model: str) -> Price | None:
        """The price of a model: that of its name, else of the longest beginning; None if there is none."""
        return price_in(self.prices, model)

    def numbers(self) -> list[tuple[tuple[str, ...], float]]:
        """All caps and prices that are given, each with its place in the section. None may be below 0."""
        caps: dict[tuple[str, ...], Cap] = {("task",): self.task, ("tree",): self.tree, ("day",): self.day}
        caps |= {("providers", name): cap for name, cap in self.providers.items()}
        found: list[tuple[tuple[str, ...], float | None]] = []
        for place, cap in caps.items():
            found += [((*place, "dollars"), cap.dollars), ((*place, "tokens"), cap.tokens)]
        for model, price in self.prices.items():
            names = ("input", "output", "cached", "stored")
            found += [(("prices", model, name), getattr(price, name)) for name in names]
        return [(place, number) for place, number in found if number is not None]


def price_in(prices: Mapping[str, Price], model: str) -> Price | None:
    """The price of a model in a table; see `SpendingPolicy.price_of`."""
    if model in prices:
        return prices[model]
    fitting = [name for name in prices if name.endswith(_ANY) and model.startswith(name.removesuffix(_ANY))]
    return prices[max(fitting, key=len)] if fitting else None
