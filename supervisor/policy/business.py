"""How a business calls its things: the words of a policy's `business:`, and what they are where it is silent.

A deployment's tables, columns, tools and arguments have names of their own. The schema maps them onto the few that
specialists ask for; whatever it leaves out is inferred from the names themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

FACT = "business"
IDENTIFIER = r"[A-Za-z_][A-Za-z0-9_]{0,62}(\.[A-Za-z_][A-Za-z0-9_]{0,62})?"  # all of a name that ever enters a query
_STRICT = {"extra": "forbid"}


@dataclass(frozen=True, slots=True)
class Column:
    """Where an amount stands, and whether in whole units of the currency or in hundredths of it."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    column: str
    unit: Literal["units", "cents"] = "units"


@dataclass(frozen=True, slots=True)
class Shape:
    """How one kind of record looks. `table` is its name in the database and in the facts; the rest are its columns."""

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
    """What one tool does: an act such as `cancel`, to which kind of record, from which of its states; and in which unit
    it takes its amount."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    act: str = ""
    record: str = ""
    states: tuple[str, ...] = ()
    unit: Literal["units", "cents"] | None = None


@dataclass(frozen=True, slots=True)
class Schema:
    """Everything that a policy says of its business.

    `records`: kind of record to its shape. `tools`: tool to what it does. `arguments`: what an argument names (a kind
    of record, `customer`, `instrument`, `amount`, `currency`) to the names that it goes by. `customer`: the fact that
    tells whose request it is. `states`: kind of record, act, and the states in which it is allowed.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    records: dict[str, Shape] = field(default_factory=dict)
    tools: dict[str, Tool] = field(default_factory=dict)
    arguments: dict[str, tuple[str, ...]] = field(default_factory=dict)
    customer: str = ""
    states: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)

    def names_in_queries(self) -> list[str]:
        """The names that enter queries as text."""
        shapes = self.records.values()
        columns = [each for shape in shapes for each in (shape.total, shape.paid, shape.refunded, shape.due)]
        plain = [each.column if isinstance(each, Column) else each for each in columns]
        words = [each for s in shapes for each in (s.table, s.id, s.owner, s.state, s.instrument, s.currency)]
        return [name for name in (*words, *plain) if name]
