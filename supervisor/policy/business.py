"""The section `business:` of a policy: what a business calls its records, columns, tools and arguments.

A deployment's tables, columns, tools and arguments have names of their own. The schema maps them onto the few that
specialists use; whatever it leaves out is inferred from the names themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

FACT = "business"
IDENTIFIER = r"[A-Za-z_][A-Za-z0-9_]{0,62}(\.[A-Za-z_][A-Za-z0-9_]{0,62})?"  # the only names that enter a query
_STRICT = {"extra": "forbid"}


@dataclass(frozen=True, slots=True)
class Column:
    """The column of an amount, in whole units of the currency or in hundredths of it."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    column: str
    unit: Literal["units", "cents"] = "units"


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of record. `table` is its name in the database and in the facts; the other fields name its columns."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    table: str = ""
    id: str = ""
    owner: str = ""
    state: str = ""
    total: Column | str = ""
    paid: Column | str = ""
    refunded: Column | str = ""
    due: Column | str = ""
    instrument: str = ""
    currency: str = ""

    def names_in_queries(self) -> dict[str, str]:
        """All names that become part of a query's text, by the keys that give them."""
        columns = {"total": self.total, "paid": self.paid, "refunded": self.refunded, "due": self.due}
        amounts = {key: each.column if isinstance(each, Column) else each for key, each in columns.items()}
        words = {"table": self.table, "id": self.id, "owner": self.owner, "state": self.state}
        every = {**words, **amounts, "instrument": self.instrument, "currency": self.currency}
        return {key: name for key, name in every.items() if name}


@dataclass(frozen=True, slots=True)
class Tool:
    """What one tool does: an act such as `cancel`, on a kind of record in one of `states`. `unit` is that of the tool's
    amount."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    act: str = ""
    record: str = ""
    states: tuple[str, ...] = ()
    unit: Literal["units", "cents"] | None = None


@dataclass(frozen=True, slots=True)
class Schema:
    """The whole business schema of a policy.

    `records`: kind of record → its shape. `tools`: tool → what it does. `arguments`: what an argument is (a kind of
    record, `customer`, `instrument`, `amount`, `currency`) → the names of such arguments. `customer`: the fact that
    contains the customer of the request. `states`: kind of record → act → the states in which the act is allowed.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    records: dict[str, Shape] = field(default_factory=dict)
    tools: dict[str, Tool] = field(default_factory=dict)
    arguments: dict[str, tuple[str, ...]] = field(default_factory=dict)
    customer: str = ""
    states: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
