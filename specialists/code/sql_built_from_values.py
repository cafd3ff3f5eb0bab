"""Writes values into the text of an SQL statement instead of passing them as parameters (CWE-89)."""

from collections.abc import Iterator, Sequence

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Module, Value
from supervisor.evidence.python.repairs import Change, shown
from supervisor.evidence.python.rewrites import parameterized
from supervisor.evidence.python.sinks import Sinks, built_texts
from supervisor.evidence.python.statements import inserted
from supervisor.evidence.python.templates import Template, templates_of
from supervisor.evidence.reading.sql_texts import is_statement, is_whole_statement
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_ARGUMENT = (0, "sql", "query", "operation", "statement", "stmt", "command")
_RUNS = Sinks(
    {
        f".{method}": _ARGUMENT
        for method in ("execute", "executemany", "executescript", "execute_sql", "exec_driver_sql")
    }
    | {
        f".{method}": _ARGUMENT
        for method in ("copy_expert", "fetch", "fetchrow", "fetchval", "mogrify", "prepare", "raw")
    }
    | {
        f".{method}": _ARGUMENT
        for method in ("cursor", "run", "query", "read_sql", "read_sql_query", "scalar", "scalars")
    }
    | {f"pandas.{name}": _ARGUMENT for name in ("read_sql", "read_sql_query")}
    | {"sqlalchemy.text": _ARGUMENT, "sqlalchemy.sql.text": _ARGUMENT, "sqlalchemy.sql.expression.text": _ARGUMENT}
)
# Methods that take only a part of a statement.
_PARTS = Sinks(
    {"django.db.models.expressions.RawSQL": _ARGUMENT, ".RawSQL": _ARGUMENT}
    | {
        f".{method}": (0,)
        for method in ("distinct", "filter", "from_statement", "group_by", "having", "order_by", "where")
    }
)
_IN_EXTRA = ("select", "where", "tables", "order_by")


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def sql_built_from_values(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "sql")
    found = next(_open(code), None)
    return _corrected(code, *found, shown(code, _repairs(code), _open)) if found else ok()


def _open(code: Module) -> Iterator[tuple[Value, Value]]:
    """The statements that a value can change, each with that value."""
    for value, template in _statements(code):
        hole = next(inserted(code, template), None)
        if hole is not None:
            yield value, hole


def _repairs(code: Module) -> Iterator[Change | None]:
    """The changes that pass the values of every statement as parameters."""
    faulty = {}
    for call, value in _RUNS.calls(code):
        if any(next(inserted(code, text), None) is not None for text in templates_of(code, value)):
            faulty[call.node.id] = call
    for call in faulty.values():
        changes: Sequence[Change | None] = parameterized(call) or (None,)
        yield from changes


def _statements(code: Module) -> Iterator[tuple[Value, Template]]:
    """The texts that are run as SQL or as a part of it, and those that can be nothing else."""
    for call, value in _RUNS.calls(code):
        surely = call.method.startswith(("execute", "raw", "text"))
        for text in templates_of(code, value):
            if is_statement(text.words) or (surely and _is_whole(text)):
                yield value, text
    for _, value in _PARTS.calls(code):
        yield from ((value, text) for text in templates_of(code, value) if text.words.strip())
    for call in code.calls_of(["extra"]):
        parts = [part for name in _IN_EXTRA if name in call.keywords for part in _elements(call.keywords[name])]
        yield from ((part, text) for part in parts if call.is_new for text in templates_of(code, part))
    for node, text in built_texts(code):
        if is_whole_statement(text.words) and code.is_new(node):
            yield node, text


def _is_whole(text: Template) -> bool:
    """A statement that is one whole value; it counts if a client sends it."""
    return not text.words.strip()


def _elements(node: Value) -> list[Value]:
    return [pair.named_children[-1] if pair.type == "pair" else pair for pair in node.named_children] or [node]


def _corrected(code: Module, value: Value, hole: Value, repair: str) -> Opinion:
    name = code.text(hole)[:60]
    return nudge(
        f"`{name}` becomes part of the text of an SQL statement, so its content can change the statement.",
        correction=f'Put a placeholder into the text and pass a parameter: execute("… WHERE x = ?", ({name},))'
        f" (`%s` for psycopg and MySQL, `$1` for asyncpg, `:x` for SQLAlchemy's text()).{repair}",
        sharper="No value may be formatted, concatenated or quoted by hand into SQL: pass it as a parameter. Only a"
        " table's or column's name cannot be one; choose it from a fixed set in the code.",
        evidence=(code.text(value)[:200],),
    )
