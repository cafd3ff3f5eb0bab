"""The SQL that an action runs: of a query tool, of a client on the command line, or in code.

Nothing is parsed here, so that an action without SQL does not load the parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tree_sitter import Node

from supervisor.action import Action, Context, strings_in
from supervisor.evidence import javascript, python, reader
from supervisor.evidence.actions import programs
from supervisor.evidence.actions.commands import commands_of_code
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.javascript.texts import text_of
from supervisor.evidence.python import Call, Module
from supervisor.evidence.reading.paths import HOLE, Place, place_of, resolve
from supervisor.evidence.shell import Command, Script, code_in
from supervisor.evidence.shell.inner import values_of, word_set
from supervisor.regexes import compile_later

_EXECUTES = frozenset({"exec_driver_sql", "execute", "executemany", "executescript", "read_sql", "read_sql_query"})
_EXECUTES_JAVASCRIPT = frozenset(
    {
        "$executeRaw",
        "$executeRawUnsafe",
        "$queryRaw",
        "$queryRawUnsafe",
        "all",
        "exec",
        "execute",
        "query",
        "raw",
        "run",
    }
)
_MOST_PARTS = 200  # of one text
_TEXTS = frozenset({"concatenated_string", "identifier", "string"})
_WRAPS = frozenset({"SQL", "sql", "text"})  # sqlalchemy.text("…"), psycopg.sql.SQL("…")
_VERBS = (
    "alter analyze begin call cluster comment commit copy create declare delete deny describe do drop exec execute "
    "explain flush grant handler if insert kill load lock merge optimize pragma purge reindex rename replace reset "
    "revoke rollback select set show shutdown start stop truncate update use vacuum values with"
)
_LOOKS_LIKE_SQL = compile_later(rf"[\s(;]*(?:--[^\n]*\n\s*)*(?:{_VERBS.replace(' ', '|')})\b", re.IGNORECASE)
_COPY = compile_later(r"^\\(?=copy\b)", re.MULTILINE)  # psql's own command, with the syntax of COPY
_META_COMMAND = compile_later(r"^[\\.].*$", re.MULTILINE)  # of psql and sqlite3; no line of SQL starts like this
_LIVE = compile_later(r"(?i)(?<![a-z])(?:prod|production)(?![a-z])")
_NOT_LIVE = compile_later(
    r"(?i)\b(?:(?:non|not|copy of|clone of|snapshot of|like)[- ](?:the )?prod|prod(?:uction)?[- ](?:grade|like|ready))"
)
_PLACES = frozenset({"connection", "database", "database_url", "db", "dsn", "env", "environment", "host", "stage"})


class Query(NamedTuple):
    """SQL that is run. `dialect` is sqlglot's name if the client implies it, `command` the client on a command line.

    `throwaway` means that the database is in memory or a temporary file.
    """

    text: str
    dialect: str = ""
    command: Command | None = None
    throwaway: bool = False


@reader
def queries(action: Action, context: Context) -> tuple[Query, ...]:
    """Every piece of SQL that an action runs, in order. Raises Unreadable as the readers of its kind do."""
    if action.kind == "sql":
        return (Query(action.text("query")),)
    if action.kind == "shell":
        return tuple(_in_script(script(action, context)))
    if action.kind == "python" and (code := programs.module(action, context)):
        return (*in_python(code), *_in_script(commands_of_code(action, context)))
    if action.kind == "javascript" and (program := programs.program(action, context)):
        return (*in_javascript(program), *_in_script(commands_of_code(action, context)))
    return ()


def _in_script(read: Script) -> Iterator[Query]:
    for each in code_in(read):
        if each.command is not None and not _REHEARSES.isdisjoint(each.command.args):
            continue  # the client only checks the text
        if each.language == "sql":
            text = _META_COMMAND.sub("", _COPY.sub("", each.text))
            yield Query(text, each.dialect, each.command, _is_throwaway(each.command))
        elif each.language == "python" and _may_execute(each.text, _EXECUTES):
            yield from (query._replace(command=each.command) for query in in_python(python.read(each.text)))
        elif each.language == "javascript" and _may_execute(each.text, _EXECUTES_JAVASCRIPT):
            yield from (query._replace(command=each.command) for query in in_javascript(javascript.read(each.text)))


_REHEARSES = frozenset({"--dry_run", "--dry-run", "--dryrun", "--dry_run=true", "--dry-run=true"})


def _may_execute(code: str, names: Iterable[str]) -> bool:
    return any(name in code for name in names)


def in_python(code: Module) -> Iterator[Query]:
    """The literals that Python code passes to functions that execute SQL, with a HOLE for each interpolation."""
    connects = [call for call in code.calls if call.name in ("sqlite3.connect", "duckdb.connect")]
    throwaway = bool(connects) and all(map(_connects_to_throwaway, connects))
    for call in code.calls:
        if call.method in _EXECUTES and call.positional:
            text = _text_of(code, call.positional[0])
            if _LOOKS_LIKE_SQL.match(text):
                yield Query(text, "sqlite" if throwaway else "", None, throwaway)


def in_javascript(code: javascript.Program) -> Iterator[Query]:
    """The literals that JavaScript passes to functions that execute SQL, with a HOLE for each interpolation."""
    for call in code.calls:
        if call.method in _EXECUTES_JAVASCRIPT:
            given = call.node.child_by_field_name("arguments")
            is_tagged = given is not None and given.type == "template_string"
            text = text_of(code, given if is_tagged else call.argument(0))
            if _LOOKS_LIKE_SQL.match(text):
                in_memory = b":memory:" in code.source
                yield Query(text, "sqlite" if in_memory else "", None, in_memory)


def _connects_to_throwaway(call: Call) -> bool:
    node = call.argument(0, "database")
    path = _text_of(call.code, node) if node is not None else ":memory:"  # DuckDB's default
    return _is_throwaway_path(path, ".")


def _is_throwaway_path(path: str, cwd: str) -> bool:
    in_memory = path == ":memory:" or "mode=memory" in path
    return in_memory or (bool(path) and place_of(resolve(path, cwd), None) is Place.TEMPORARY)


def _is_throwaway(command: Command) -> bool:
    if command.program not in ("sqlite3", "sqlite", "duckdb"):
        return False
    files = command.operands(frozenset({"-cmd", "-init", "-separator", "-c"}))[:1]
    return not files or _is_throwaway_path(files[0], command.cwd)


def _text_of(code: Module, node: Node) -> str:
    """The text of a literal, also through `text(…)`, a name or an f-string; empty for anything else."""
    for _ in range(3):
        if node.type == "identifier":
            wanted = code.text(node)
            values = [value for target, value in code.assignments if target == wanted]
            if len(values) != 1:
                return ""
            node = values[0]
        elif node.type == "call" and code.name_of(node).rpartition(".")[2].removesuffix("()") in _WRAPS:
            arguments = node.child_by_field_name("arguments")
            if arguments is None or not arguments.named_children:
                return ""
            node = arguments.named_children[0]
    if node.type == "concatenated_string":
        return "".join(_literal(code, each) for each in node.named_children)
    if node.type == "binary_operator" and any(each.type == "+" for each in node.children):
        return "".join(_joined(code, node))
    return _literal(code, node) if node.type == "string" else ""


def _joined(code: Module, node: Node) -> Iterator[str]:
    """The parts of a text joined by `+`, with a HOLE for each part that is not a literal."""
    parts: list[Node] = []
    while node.type == "binary_operator" and len(parts) < _MOST_PARTS:
        right, left = node.child_by_field_name("right"), node.child_by_field_name("left")
        if right is None or left is None:
            break
        parts.append(right)
        node = left
    for each in (node, *reversed(parts)):
        yield (_text_of(code, each) if each.type in _TEXTS else "") or HOLE


def _literal(code: Module, node: Node) -> str:
    parts = (HOLE if each.type == "interpolation" else code.text(each) for each in node.named_children)
    kept = (each for each in parts if each.strip("\"'rRbBfFuU"))
    return "".join(kept).replace("\\n", "\n").replace("\\t", "\t").replace("\\'", "'").replace('\\"', '"')


def is_live(action: Action, context: Context) -> bool:
    """Whether words of the task, the deployment or the client indicate that this database is in production."""
    texts = [context.task or ""]
    texts += [text for name, value in context.facts.items() if name in _PLACES for _, text in strings_in(value)]
    texts += [text for name, text in strings_in(action.args) if name.rpartition(".")[2] in _PLACES]
    clients = [query.command for query in queries(action, context) if query.command is not None]
    texts += [word for client in clients for word in client.args if " " not in word]  # hosts and addresses, no SQL
    return any(_LIVE.search(text[:4096]) and not _NOT_LIVE.search(text[:4096]) for text in texts)


def databases_named(action: Action, context: Context) -> frozenset[str]:
    """The databases that the clients on a command line name; an empty name for a client that uses its settings."""
    clients = [query.command for query in queries(action, context) if query.command is not None]
    return frozenset(map(_database_of, clients))


_DATABASE_OPTIONS = ("-d", "--dbname", "-D", "--database")
_CLIENTS_VALUED = word_set("-h -p -P -U -u -c -e -f -v -o --host --port --username --user --command --execute --file")


def _database_of(command: Command) -> str:
    """`psql -d shop`, `mysql shop`, `psql postgres://host/shop?sslmode=require`, `PGDATABASE=shop psql`."""
    given = next(values_of(command.args, *_DATABASE_OPTIONS), None)
    words = [given] if given is not None else command.operands(_CLIENTS_VALUED)[:1]
    words += [value for name, value in command.environment if name == "PGDATABASE"]
    return words[0].rpartition("/")[2].partition("?")[0] if words else ""
