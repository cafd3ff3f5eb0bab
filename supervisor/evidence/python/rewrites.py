"""Rewrites of texts that code builds: SQL with parameters instead of inserted values, commands as lists of words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tree_sitter import Node

from supervisor.evidence.python.modules import Call, Module
from supervisor.evidence.python.repairs import Change, instead
from supervisor.evidence.python.templates import Piece, template_of
from supervisor.evidence.python.values import values_of
from supervisor.evidence.reading.sql_texts import stands_for_value

_STYLES = {  # PEP 249's paramstyle, by library
    **dict.fromkeys(("sqlite3", "aiosqlite", "duckdb", "pyodbc"), "?"),
    **dict.fromkeys(("MySQLdb", "django", "mysql", "psycopg", "psycopg2", "pymssql", "pymysql"), "%s"),
}
_SHELL_MEANS = re.compile(r"[|&;<>$`*?()\[\]{}~'\"\\#!\n]")
_FORMATTED = re.compile(r"%[-#0+\d.]*[difxegc]|\{[^{}]*[:!][^{}]*\}|\*\*")
_CALLS = frozenset({"Popen", "call", "check_call", "check_output", "run"})


def parameterized(call: Call) -> list[Change] | None:
    """`execute("… = %s", (value,))` for `execute(f"… = {value}")`, with the placeholder of the imported library.

    None if the library is unknown, or if an inserted expression is not a value.
    """
    style = next((_STYLES[name] for name in _roots(call.code) if name in _STYLES), None)
    if style is None or call.method not in ("execute", "raw") or len(call.positional) != 1 or call.keywords:
        return None
    text = call.positional[0]
    value = _built_text(call.code, text)
    if value is None:
        return None
    pieces = _pieces_of(call.code, value)
    words = _with_placeholders(call.code, pieces, style) if pieces else None
    if words is None:
        return None
    statement, names = words
    values = f"({', '.join(names)}{',' * (len(names) == 1)})"
    if value.id == text.id:
        return [instead(text, f"{statement}, {values}")]
    return [instead(value, statement), instead(text, f"{call.code.text(text)}, {values}")]


def _roots(module: Module) -> set[str]:
    return {origin.partition(".")[0] for origin in module.aliases.values()}


def _built_text(module: Module, node: Node) -> Node | None:
    """The expression that builds a text: the argument itself, or the only value of its name."""
    if node.type != "identifier":
        return node
    values = values_of(module, node)
    return values[0] if values is not None and len(values) == 1 else None


def _pieces_of(module: Module, value: Node) -> Sequence[Piece] | None:
    """The pieces of a text; None if it formats a number, or inserts one value more than once."""
    pieces = template_of(module, value).pieces
    holes = [piece.id for piece in pieces if not isinstance(piece, str)]
    is_simple = len(set(holes)) == len(holes) and not _FORMATTED.search(module.text(value))
    return pieces if is_simple else None


def _with_placeholders(module: Module, pieces: Sequence[Piece], style: str) -> tuple[str, list[str]] | None:
    """The text of a statement, as code, and the values in it."""
    text, names, before = "", list[str](), ""
    for piece in pieces:
        if isinstance(piece, str):
            text += piece
            before += piece
        elif not stands_for_value(before):
            return None
        else:
            text += "\0"
            before += "\0"
            names.append(module.text(piece))
    text = re.sub("'\0'|\"\0\"", "\0", text)
    if not names or "\\" in text or re.search("[%'\"]\0|\0[%'\"]", text) or '"""' in text:
        return None
    mark = '"""' if "\n" in text or '"' in text else '"'
    return f"{mark}{text.replace('%', '%%' if style == '%s' else '%').replace(chr(0), style)}{mark}", names


def listed(call: Call, command: Node) -> Change | None:
    """`subprocess.run(["git", "checkout", branch])` for the same command in a shell; None if it needs the shell."""
    function, name = call.node.child_by_field_name("function"), call.name
    if command.type in ("list", "tuple"):
        words = call.code.text(command) if command == call.argument(0, "args") else None
    else:
        words = _as_list(call.code, command)
    if function is None or words is None or any(child.type == "comment" for child in call.node.children):
        return None
    rest = [call.code.text(value) for value in call.positional[1:]]
    rest += [f"{word}={call.code.text(value)}" for word, value in call.keywords.items() if word not in _DROPPED]
    spelt = call.code.text(function)
    if name == "os.system":
        spelt, rest = "subprocess.call", []
    elif not (name.startswith("subprocess.") and call.method in _CALLS):
        return None
    imports = ("subprocess",) if name == "os.system" else ()
    return Change(call.node.start_byte, call.node.end_byte, f"{spelt}({', '.join([words, *rest])})", imports)


_DROPPED = frozenset({"args", "executable", "shell"})


def _as_list(module: Module, command: Node) -> str | None:
    """A command's text as the list of its words."""
    value = _built_text(module, command)
    pieces = _pieces_of(module, value) if value is not None and value.id == command.id else None
    words: list[list[Piece]] = [[]]
    for piece in pieces or ():
        if not isinstance(piece, str):
            words[-1].append(piece)
        elif _SHELL_MEANS.search(piece):
            return None
        else:
            first, *others = re.split(r"\s+", piece)
            words[-1] += [first] if first else []
            words += [[each] if each else [] for each in others]
    items = [_word(module, word) for word in words if word]
    is_program_known = bool(words[0]) and isinstance(words[0][0], str)
    return f"[{', '.join(filter(None, items))}]" if is_program_known and None not in items else None


def _word(module: Module, pieces: Sequence[Piece]) -> str | None:
    if len(pieces) == 1 and not isinstance(pieces[0], str):
        return f"str({module.text(pieces[0])})" if pieces[0].type == "binary_operator" else module.text(pieces[0])
    if all(isinstance(piece, str) for piece in pieces):
        return f'"{"".join(map(str, pieces))}"'
    inside = "".join(piece if isinstance(piece, str) else f"{{{module.text(piece)}}}" for piece in pieces)
    if '"' in inside and "'" in inside:
        return None
    return f"f'{inside}'" if '"' in inside else f'f"{inside}"'
