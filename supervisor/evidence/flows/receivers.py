"""What a call of a common name is made on: a database, a statement that is prepared already, or anything else."""

from __future__ import annotations

import re

from supervisor.evidence.flows.expressions import Expr, dotted
from supervisor.evidence.flows.patterns import type_of
from supervisor.evidence.flows.program import words_of
from supervisor.evidence.flows.table import shared
from supervisor.evidence.flows.values import Values

MAX_MADE = 200  # characters of what an object is made by

_PREPARED = re.compile(r"(?i)prepare")
_KINDS = re.compile(r"(?i)prepared|Stmt$")
_STATEMENTS = frozenset({"prepared", "pstmt", "statement", "stmt"})


def takes_statements(values: Values, call: Expr) -> bool:
    """Whether a call runs a text that it is given alone as a statement of SQL. `db.get(text)` does; `cache.get(key)`
    does not, and neither does `statement.get(value)`, whose text was fixed when it was prepared."""
    owner, name = call.object, call.text.replace("_", "").lower()
    if owner is None or name not in shared("generic"):
        return True
    first = values.bound(owner)
    made = values.program.text(first.node)[:MAX_MADE] if first is not None else ""
    kind = type_of(values.program, owner)
    if _KINDS.search(kind) or _PREPARED.search(made):
        return False
    own = (*words_of(dotted(owner)), *words_of(kind), *words_of(made))
    if not kind and not made and not _STATEMENTS.isdisjoint(words_of(owner.text)):
        return False
    known = shared("databases") if name in shared("fetching") else (*shared("databases"), *shared("connections"))
    return not set(known).isdisjoint(own)
