"""The types of the values of facts that are no plain values or lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import Field

_STRICT = {"extra": "forbid"}
Number = float | str  # also as text: "1,200.50"
Texts = str | list[str]
People = list[str | dict[str, Any]]


@dataclass(frozen=True, slots=True)
class RefundTable:
    """The table of the refunds: its name, the names of its columns, and the status of a refund that was paid."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    table: str = "refunds"
    order: str = "order_id"
    status: str = "status"
    issued_at: str = "issued_at"
    completed: str = "completed"


@dataclass(frozen=True, slots=True)
class Spending:
    """An amount, the part of it that was spent before this session, and the currency."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    amount: Number
    spent: Number = 0
    currency: str = ""


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `most` in `minutes`, counted in a table with a column of times, or else in this session."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    most: int
    minutes: int = 1_440
    table: str | None = None
    at: str | None = None


@dataclass(frozen=True, slots=True)
class QuietHours:
    """The hours without messages. `from` and `to` are times such as `21:00`; `channels` are those concerned."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    start: Annotated[str, Field(alias="from")]
    end: Annotated[str, Field(alias="to")]
    zone: str = ""
    channels: list[str] | None = None


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount in a currency."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    amount: Number
    currency: str = ""
