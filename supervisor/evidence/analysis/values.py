"""What a value in an analysis is known to be: a frame, a column, a figure, a model, and what was done to it before."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Mark(NamedTuple):
    """One thing that was done to the data of a value. `kind` is a word of `tables.py`, `line` counts from 1 in the code
    that was read, `note` says on what: a path, a class, a number of rows, a part."""

    kind: str
    line: int
    note: str = ""


Marks = frozenset[Mark]
NO_MARKS: Marks = frozenset()


@dataclass(slots=True, eq=False)
class Base:
    """One table as it changes: the columns that the code assigns, those that it takes out in place, and those that it
    reads. `parents` are the tables that it was joined from."""

    name: str = ""
    assigned: dict[str, Value] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    parents: tuple[Base, ...] = ()


@dataclass(slots=True, eq=False)
class Model:
    """One estimator or transformer. `fitted` is the data of its first fit, `whole` whether that was not a training
    part."""

    kind: str
    line: int
    fitted: Value | None = None
    target: Value | None = None
    whole: bool = False


@dataclass(slots=True, eq=False)
class Value:
    """A value, as far as the code tells.

    `sort` is "frame", "column", "groups", "columns" (a list of names), "figure" (an aggregate), "model", "indices",
    "generator" (of random numbers), "text" or empty. `base` is the table that the rows come from; the value has its
    columns in `only`, or all but `without`. `column` is the name of a single column. `const` is a literal, `parts` are
    the elements of a tuple or list, `keys` what the rows are grouped by.
    """

    sort: str = ""
    marks: Marks = NO_MARKS
    base: Base | None = None
    only: frozenset[str] | None = None
    without: frozenset[str] = frozenset()
    column: str = ""
    const: Any = None
    parts: tuple[Value, ...] = ()
    keys: tuple[str, ...] = ()
    model: Model | None = None
    name: str = ""

    def but(self, **changes: Any) -> Value:
        """The same value with other fields."""
        made = Value(
            self.sort,
            self.marks,
            self.base,
            self.only,
            self.without,
            self.column,
            self.const,
            self.parts,
            self.keys,
            self.model,
            self.name,
        )
        for field_name, value in changes.items():
            setattr(made, field_name, value)
        return made

    def also(self, *marks: Mark) -> Value:
        """The same value with more marks."""
        return self.but(marks=self.marks | frozenset(marks))

    def has(self, *kinds: str) -> bool:
        """Whether one of these was done to it."""
        return any(mark.kind in kinds for mark in self.marks)

    def mark(self, *kinds: str) -> Mark | None:
        """The first of these that was done to it, by line."""
        return min((mark for mark in self.marks if mark.kind in kinds), key=lambda mark: mark.line, default=None)

    def notes(self, kind: str) -> set[str]:
        """The notes of all marks of a kind."""
        return {mark.note for mark in self.marks if mark.kind == kind}

    def holds(self, column: str) -> bool:
        """Whether a column is surely among those of this value."""
        if self.column or self.base is None:
            return self.column == column
        if column in self.base.removed:
            return False
        return (
            column in self.only if self.only is not None else self.sort in ("frame", "") and column not in self.without
        )


UNKNOWN = Value()


@dataclass(slots=True, eq=False)
class Event:
    """One call. `name` is qualified through the imports, `method` its last part. `receiver` is the value before the
    dot. `loops` are the loops around it, outermost first; `handler` whether it only runs after an error; `target` the
    name that its result is given; `function` the name of the function around it."""

    name: str
    method: str
    node: ast.Call
    receiver: Value
    args: tuple[Value, ...]
    options: dict[str, Value]
    loops: tuple[ast.AST, ...] = ()
    handler: bool = False
    target: str = ""
    function: str = ""
    result: Value = UNKNOWN

    @property
    def line(self) -> int:
        """Where the call ends its name: the line of a method in a long chain."""
        function = self.node.func
        return (function.end_lineno if isinstance(function, ast.Attribute) else self.node.lineno) or self.node.lineno

    @property
    def given(self) -> tuple[Value, ...]:
        """The receiver and all arguments."""
        return (self.receiver, *self.args, *self.options.values())

    def argument(self, place: int, *names: str) -> Value | None:
        """The argument at a position, or by one of its names."""
        if place < len(self.args):
            return self.args[place]
        return next((self.options[name] for name in names if name in self.options), None)

    def const(self, *names: str) -> Any:
        """The literal of the first of these options that is given."""
        return next((self.options[name].const for name in names if name in self.options), None)
