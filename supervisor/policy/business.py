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

    def names_in_queries(self) -> list[str]:
        """All names that become part of a query's text."""
        shapes = self.records.values()
        columns = [each for shape in shapes for each in (shape.total, shape.paid, shape.refunded, shape.due)]
        plain = [each.column if isinstance(each, Column) else each for each in columns]
        words = [each for s in shapes for each in (s.table, s.id, s.owner, s.state, s.instrument, s.currency)]
        return [name for name in (*words, *plain) if name]
