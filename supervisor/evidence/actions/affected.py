"""The number of rows that a statement changed, from the database's output, and the number that its condition names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import re2
from sqlglot import exp

from supervisor.action import Action, Context, Step
from supervisor.errors import Unreadable
from supervisor.evidence import reader
from supervisor.evidence.actions.results import returned, text_of, values_named
from supervisor.evidence.sql import Statement, read
from supervisor.evidence.sql.conditions import is_key
from supervisor.evidence.sql.tree import conjuncts

_COUNTS = frozenset(
    {
        *("rowcount", "rowsaffected", "affectedrows", "numaffectedrows", "numdmlaffectedrows", "numrowsaffected"),
        *("numberofrecordsupdated", "rowsupdated", "updatedrows", "rowsdeleted", "deletedrows", "changes"),
        *("affected", "deletedcount", "modifiedcount", "updatedcount"),
    }
)
_REPORTS = (
    re2.compile(r"(?m)^(?:UPDATE|DELETE) (\d{1,12})\s*$"),  # PostgreSQL
    re2.compile(r"(?i)\b(\d{1,12}) rows? (?:were |was )?(?:affected|updated|deleted|changed|modified|removed)\b"),
    re2.compile(r"(?i)\b(?:rows? (?:affected|updated|deleted|changed)|affected rows|row ?count)\s*[:=]\s*(\d{1,12})\b"),
)
_LINES = 8  # of a client's table around one number
_CHANGES = ("update", "delete")


@reader
def rows_changed(action: Action, context: Context) -> int | None:
    """The most rows that a statement of this action changed, from its output; None if the output reports no count."""
    counts = [count for _, count in values_named(returned(action, context), _COUNTS) if type(count) is int]
    counts += [int(found[1]) for pattern in _REPORTS for found in pattern.finditer(text_of(context))]
    return max(counts, default=None)


def rows_named(each: Statement) -> int | None:
    """The most rows that the condition of an UPDATE or DELETE can match, by the keys in it; None if it has no keys."""
    if each.verb not in _CHANGES or each.condition is None or len(each.writes) != 1:
        return None
    named = [_keys_in(part, each.writes) for part in _parts(each.condition)]
    return min((count for count in named if count), default=None)


def rows_counted(each: Statement, past: Sequence[Step]) -> int | None:
    """The rows that the session's last SELECT count(*) with the same condition returned; None if there was none."""
    if each.verb not in _CHANGES or each.condition is None:
        return None
    sought = each.writes, frozenset(conjuncts(each.condition))
    for step in reversed(past[-64:]):
        if step.kind == "sql" and not step.failed and (count := _counted(step, sought)) is not None:
            return count
    return None


def _parts(condition: Any) -> Iterator[Any]:
    tree = condition.unnest()
    yield from (part.unnest() for part in (tree.flatten() if isinstance(tree, exp.And) else (tree,)))


def _keys_in(part: Any, tables: Sequence[str]) -> int:
    """The number of keys in `key = value` or `key IN (values)`; 0 for anything else."""
    if isinstance(part, exp.EQ):
        sides = part.left.unnest(), part.right.unnest()
        return int(any(is_key(one, tables) and _is_value(other) for one, other in (sides, sides[::-1])))
    if isinstance(part, exp.In) and is_key(part.this, tables) and not part.args.get("query"):
        values = part.expressions
        return len(values) if all(isinstance(value, exp.Literal) for value in values) else 0
    return 0


def _is_value(node: Any) -> bool:
    """Whether a node is a literal, or a parameter for one value (`$1` is parsed as a column)."""
    while isinstance(node, (exp.Cast, exp.Neg)):
        node = node.this
    is_numbered = isinstance(node, exp.Column) and node.name.startswith("$")
    return is_numbered or isinstance(node, (exp.Literal, exp.Parameter, exp.Placeholder))


def _counted(step: Step, sought: tuple[Sequence[str], frozenset[str]]) -> int | None:
    query = next((value for value in step.args.values() if isinstance(value, str)), "")
    if "count" not in query.lower():
        return None
    try:
        (statement,) = read(query)
    except (Unreadable, ValueError):
        return None
    if not _is_count(statement.tree) or (statement.reads, frozenset(conjuncts(statement.condition))) != sought:
        return None
    return _number_in(step.output)


def _is_count(tree: Any) -> bool:
    """Whether a tree is an ungrouped SELECT of one count."""
    if not isinstance(tree, exp.Select) or tree.args.get("group") or len(tree.selects) != 1:
        return False
    return isinstance(tree.selects[0].unalias(), exp.Count)


def _number_in(output: Any) -> int | None:
    """The one number in the output of a count: as a value, in one row of one column, or in a client's table."""
    while isinstance(output, (list, tuple, dict)) and len(output) == 1:
        output = next(iter(output.values())) if isinstance(output, dict) else output[0]
    if isinstance(output, str):
        cells = [line.strip(" |\t") for line in output[:1024].splitlines()]
        numbers = [cell for cell in cells if cell.isdecimal()]
        return int(numbers[0]) if len(numbers) == 1 and len(cells) <= _LINES else None
    return output if type(output) is int else None
