"""What a tool that nobody knows does with its arguments: told by their names, the tool's name, and what they look like.

An argument is taken for a command, code, a query or a patch where name, tool and shape together say so (`_LEAST`
points): a support tool's `command` that is a word, a `query` that is a search, a `code` that is a coupon stay what they
are. Tools that move, copy, delete and write files are told by verb and object, and by the pairs that they take. What is
found is written down as the kind and the fields of an action.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from supervisor import file_tools, shapes
from supervisor.pointers import MARK, either, inside, plain, pointer
from supervisor.tools import kind_of, snake, words_of

_LEAST = 4  # points of name, tool and shape together
_MOST = 64  # arguments that are looked at
_MOST_ITEMS = 16  # of a list of objects


class Taken(NamedTuple):
    """What a call is taken for: its kind, the fields of it, and why, as words that people read."""

    kind: str
    fields: Mapping[str, str]
    why: str


class _Argument(NamedTuple):
    """One argument, or a value one level below one. `name` is in snake case; `at` is its JSON Pointer."""

    name: str
    at: str
    value: Any


class _Found(NamedTuple):
    """An argument that may be what runs. `field` says where, `points` how sure, `why` in words."""

    kind: str
    field: str
    points: int
    why: str


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What an argument's name says it holds: 2 points where it can hardly be anything else, 1 where it may be.
_ROLES: dict[str, dict[int, frozenset[str]]] = {
    "shell": {
        2: _names(
            "command cmd commands cmds command_line commandline cmdline cmd_line command_string command_text"
            " shell_command shell_cmd shell_script bash bash_command bash_script sh terminal_command cli_command"
            " full_command command_to_run command_to_execute run_command exec_command powershell ps_command ps_script"
            " powershell_script shell shell_commands remote_command script_block cmd_string cmd_args argv"
        ),
        1: _names(
            "script scripts input stdin text chars keys keystrokes line lines data program executable binary exec"
            " execute run args arguments code snippet entrypoint subcommand instruction job file_path path content"
            " message payload body source invocation string characters value"
        ),
    },
    "python": {
        2: _names("python python_code py_code python_script python_source python_program"),
        1: _names("code source source_code snippet script program cell input cell_source expression content body"),
    },
    "javascript": {
        2: _names("javascript js js_code javascript_code js_script node_code page_function"),
        1: _names("code source source_code snippet script program expression function input body content"),
    },
    "sql": {
        2: _names("sql sql_query sql_statement sql_text raw_sql query_sql sql_string sql_command statement statements"),
        1: _names("query queries q command input text expression body script code"),
    },
    "file_edit": {
        2: _names("patch diff unified_diff patch_text patch_content diff_text diff_content patch_string udiff"),
        1: _names("input content changes edits text body data"),
    },
}
# What the words of a tool's name say of that: points added, or taken off.
_RUNS = _names(
    "run runs runner running exec execute executes executor execution shell bash sh zsh terminal console tty pty tmux"
    " process processes spawn command commands cmd cli ssh powershell pwsh monitor stdin keys keystrokes subprocess"
    " system eval sandbox kubectl docker container job task script invoke launch start test tests build interact"
    " local local_shell session host remote background daemon watch"
)
_CODES = _names("code python py repl notebook jupyter cell interpreter ipython kernel eval run exec execute sandbox")
_BROWSES = _names("javascript js node browser page script evaluate eval console run exec execute code repl deno bun")
_QUERIES = _names(
    "sql db database postgres postgresql pg mysql mariadb sqlite bigquery snowflake redshift clickhouse duckdb query"
    " queries execute exec run warehouse databricks oracle mssql trino presto athena supabase neon cockroach statement"
)
_PATCHES = _names("patch apply diff edit modify update write change files file codex")
_TOOL_WORDS = {"shell": _RUNS, "python": _CODES, "javascript": _BROWSES, "sql": _QUERIES, "file_edit": _PATCHES}
_TALKS = _names(
    "search find lookup ticket tickets message messages comment comments note notes email mail reply post tweet memo"
    " coupon discount promo voucher film movie screenplay song lyrics explain describe summarize translate review"
    " lint parse format validate save store remember memory document docs wiki page issue issues article blog draft"
    " chat answer ask faq support customer loyalty order cart robot light device home music voice game"
    " log report feedback survey course lesson quiz submit display render show preview get list read"
)
_SPEAKS_OF = _names("explain describe summarize translate review lint parse format validate quote teach")
_MAY_TALK, _DOES_TALK = 2, 4  # points off
_TYPE = _names("write send type")
_TYPED_INTO = _names("stdin std input key keys keystrokes terminal process pty tty session")
_PLURALS = _names("commands cmds lines scripts statements queries shell_commands")
_ARGV = _names("args arguments argv params parameters cmd_args arg_list")
_OF_ELEMENTS = _names("selector element xpath locator ref css element_id node_id")
_PLACES = ("cwd", "workdir", "working_directory", "work_dir", "working_dir", "directory", "dir", "current_directory")
_LANGUAGES = _names("language lang runtime interpreter kernel shell_type engine")
_SPOKEN = {
    **dict.fromkeys(("bash", "sh", "shell", "zsh", "powershell", "pwsh", "cmd", "terminal", "ksh"), "shell"),
    **dict.fromkeys(("python", "python3", "py", "ipython", "python2"), "python"),
    **dict.fromkeys(("javascript", "js", "node", "nodejs", "typescript", "ts", "deno", "bun"), "javascript"),
    **dict.fromkeys(("sql", "postgres", "postgresql", "mysql", "sqlite"), "sql"),
}
_MAIN = {"shell": "command", "python": "code", "javascript": "code", "sql": "query", "file_edit": "patch"}
# How each kind's text is run from a command line, for a call of which several arguments may be what runs.
_ON_A_LINE = {
    "shell": "",
    "python": "python3 -c ",
    "javascript": "node -e ",
    "sql": "psql -c ",
    "file_edit": "apply_patch ",
}
# And what a tool does to files, where it runs something as well.
_FILED_ON_A_LINE = {"file_write": "tee -- ", "file_edit": "tee -a -- ", "file_delete": "rm -- "}
_ALSO_RUNS = _names("run exec execute eval launch")
_CLIENTS = _names("git kubectl docker podman helm terraform aws gcloud az gh npm yarn pnpm pip psql redis systemctl")


def taken_for(tool: str, args: Mapping[str, Any], only: frozenset[str] | None = None) -> Taken | None:
    """What a call of a tool without a kind is; None for one that runs nothing and touches no file. `only` are the
    arguments that the tool has."""
    if not args:
        return None
    words = words_of(tool)
    arguments = list(_arguments(args, only))
    filed = file_tools.taken_for(words, {each.name: (each.at, each.value) for each in arguments})
    found = _running(words, arguments, only_sure=filed is not None and words.isdisjoint(_ALSO_RUNS))
    if filed is None:
        return _joined(found, arguments) if found else None
    kind, fields, why = filed
    if not found:
        return Taken(kind, plain(fields), why)
    at = fields.get("command") or fields.get("path") or ""
    line = [_Found("shell", _FILED_ON_A_LINE.get(kind, "") + at[1:], _LEAST, why)] if at else []
    return _joined([*line, *found], arguments)


def shape_of(tool: str, args: Mapping[str, Any]) -> tuple[str, Mapping[str, str]]:
    """The kind of a call of which nobody has said anything, and the fields that are no arguments' usual names."""
    kind = kind_of(tool)
    if kind != "tool":
        return kind, {}
    taken = taken_for(tool, args)
    return (taken.kind, taken.fields) if taken is not None else (kind, {})


def parts_missing(kind: str, args: Mapping[str, Any]) -> dict[str, str]:
    """The fields of a call whose kind is known, and whose main argument has none of the names known for it."""
    arguments = list(_arguments(args, None))
    if kind in file_tools.PATHED:
        named = {each.name: (each.at, each.value) for each in arguments}
        return plain(file_tools.fields_of(kind, named))
    role = _ROLES.get(kind, {})
    for sure in (2, 1):
        said = [each for each in arguments if each.name in role.get(sure, ()) and _holds_text(each.value)]
        if said:
            return plain(
                {_MAIN[kind]: either([_field(kind, each, arguments, ()) for each in said]), **_place(arguments)}
            )
    return {}


def _arguments(args: Mapping[str, Any], only: frozenset[str] | None) -> Iterator[_Argument]:
    """The arguments, and what stands one level below them, also where a text holds it as JSON."""
    for name in _looked_at([name for name in args if not only or name in only]):
        value = args[name]
        yield _Argument(snake(name), pointer(name), value)
        within = inside(value)
        if isinstance(within, Mapping):
            for below in _looked_at([*within]):
                yield _Argument(snake(str(below)), pointer(name, str(below)), within[below])
        for number, each in enumerate(within[:_MOST_ITEMS] if isinstance(within, list) else ()):
            if isinstance(each, Mapping):
                yield from (_Argument(snake(str(key)), pointer(name, number, str(key)), each[key]) for key in each)


def _looked_at(names: list[str]) -> list[str]:
    """At most _MOST of these arguments, first those whose names say something: an agent may add others without end."""
    if len(names) > _MOST:
        names.sort(key=lambda name: not _kinds_named(snake(str(name))))
    return names[:_MOST]


def _holds_text(value: object) -> bool:
    if isinstance(value, str):
        return bool(value.strip())
    return isinstance(value, (list, tuple)) and bool(value) and all(isinstance(each, str) for each in value)


def _running(words: frozenset[str], arguments: Sequence[_Argument], *, only_sure: bool = False) -> list[_Found]:
    """The arguments that may be what runs, each as what it most likely is; `only_sure` are those whose names leave no
    doubt, of a tool that also has a file's text."""
    spoken = _spoken(arguments)
    best: list[_Found] = []
    for each in arguments:
        kinds = _kinds_named(each.name)
        if only_sure:
            kinds = tuple((kind, points) for kind, points in kinds if points > 1 and kind != "file_edit")
        if not kinds or not _holds_text(each.value):
            continue
        weighed = [_weighed(kind, points, each, words, spoken, arguments) for kind, points in kinds]
        most = max(weighed, key=lambda found: found.points)
        if most.points >= _LEAST:
            best.append(most)
    return [each for each in best if not any(f"+{each.field}" in other.field for other in best)]


@functools.lru_cache(maxsize=1024)
def _kinds_named(name: str) -> tuple[tuple[str, int], ...]:
    """The kinds whose role an argument's name may play, with their points."""
    return tuple((kind, points) for kind, role in _ROLES.items() for points, names in role.items() if name in names)


def _spoken(arguments: Sequence[_Argument]) -> str:
    """The kind that an argument such as `language` names."""
    told = (each.value for each in arguments if each.name in _LANGUAGES and isinstance(each.value, str))
    return next(
        (_SPOKEN[word] for value in told if (word := value.strip().lower().rstrip("0123456789. ")) in _SPOKEN), ""
    )


def _weighed(
    kind: str, role: int, argument: _Argument, words: frozenset[str], spoken: str, arguments: Sequence[_Argument]
) -> _Found:
    shape = _shape(kind, argument.value)
    if kind == "shell" and (beside := _argv_beside(argument, arguments)):
        role, shape = 2, shapes.of_command([str(argument.value), *_listed(beside.value)])
    elif kind == "shell" and _client(words) and (role == 2 or argument.name in _ARGV):
        role, shape = 2, max(shape, 1)
    tool = 2 if not words.isdisjoint(_TOOL_WORDS[kind]) else 0
    tool -= 0 if words.isdisjoint(_TALKS) else _MAY_TALK if words.isdisjoint(_SPEAKS_OF) else _DOES_TALK
    tool = max(tool, 2) if kind == spoken else tool
    points = role + tool + shape
    if not shape or (spoken and spoken != kind) or (role == 1 and (shape < 2 or tool < (kind != "sql"))):
        points = 0  # an ambiguous name says something only where both others do
    if kind == "shell" and role == 1 and (_types(words) or any(each.name in _OF_ELEMENTS for each in arguments)):
        points = 0  # what is typed into a page, or into a program that runs already
    why = f"`{argument.name}` ({role}), the tool's name ({tool}), what it looks like ({shape})"
    return _Found(kind, _field(kind, argument, arguments, words), points, why)


def _types(words: frozenset[str]) -> bool:
    """Whether a tool types into a terminal: its text may be an answer, and whoever judges it knows that."""
    return not words.isdisjoint(_TYPE) and not words.isdisjoint(_TYPED_INTO)


def _argv_beside(argument: _Argument, arguments: Sequence[_Argument]) -> _Argument | None:
    """The argument that holds the words behind a program's name: `{"program": "rm", "args": ["-rf", "~"]}`."""
    if not isinstance(argument.value, str) or len(argument.value.split()) != 1 or argument.name in _ARGV:
        return None
    level = argument.at.rpartition("/")[0]
    fitting = (each for each in arguments if each.name in _ARGV and each.at.rpartition("/")[0] == level)
    return next((each for each in fitting if _holds_text(each.value)), None)


def _listed(value: object) -> list[str]:
    return value.split() if isinstance(value, str) else [str(each) for each in value] if isinstance(value, list) else []


def _shape(kind: str, value: object) -> int:
    if kind == "shell":
        return shapes.of_command(value)
    text = "\n".join(value) if isinstance(value, (list, tuple)) else str(value)
    if kind == "file_edit":
        return 3 if _PATCH.search(text) else 0
    return {"python": shapes.of_python, "javascript": shapes.of_javascript, "sql": shapes.of_sql}[kind](text)


_PATCH = re.compile(
    r"^[ \t]*\*\*\* (?:Begin Patch|(?:Add|Delete|Update) File: )|^diff --git |^--- [^\n]+\r?\n\+\+\+ |^<{5,} ?SEARCH",
    re.MULTILINE,
)


def _client(words: frozenset[str]) -> str:
    """The program after which a tool is named, so that its command is what stands behind that name."""
    return next(iter(sorted(words & _CLIENTS)), "")


def _field(
    kind: str, argument: _Argument, arguments: Sequence[_Argument], words: Sequence[str] | frozenset[str]
) -> str:
    """Where what runs stands, as a field without its mark."""
    at, value = argument.at, argument.value
    if kind != "shell" or not isinstance(value, (str, list, tuple)):
        return at if not isinstance(value, (list, tuple)) else f";{at}"
    if isinstance(value, (list, tuple)):
        if client := _client(frozenset(words)) if argument.name in _ARGV else "":
            return f"{client} +{at}"
        return f";{at}" if argument.name in _PLURALS or (value and " " in str(value[0])) else at
    if beside := _argv_beside(argument, arguments):
        return f"{at} +{beside.at}"
    client = _client(frozenset(words))
    if client and value.split()[0] != client and not shapes.is_known_program(value.split()[0]):
        return f"{client} +{at}"
    host = next((each.at for each in arguments if each.name in ("host", "hostname", "server", "target_host")), "")
    if "ssh" in words:
        return f"ssh {host or 'remote'} {at}"
    return at


def _place(arguments: Sequence[_Argument]) -> dict[str, str]:
    """The directory in which it runs, where an argument names one."""
    told = {each.name: each.at for each in arguments if each.name in _PLACES and shapes.is_path(each.value)}
    at = next((told[name] for name in _PLACES if name in told), "")
    return {"cwd": MARK + at} if at else {}


def _joined(found: Sequence[_Found], arguments: Sequence[_Argument]) -> Taken:
    """One action of all that may run: of one kind where there is one thing, else command lines."""
    why = "; ".join(each.why for each in found)
    if len(found) == 1 or {each.kind for each in found} == {"shell"}:
        kind = found[0].kind
        place = _place(arguments) if kind == "shell" else {}
        return Taken(kind, plain({_MAIN[kind]: either([each.field for each in found]), **place}), why)
    fields = either([_ON_A_LINE[each.kind] + each.field for each in found])
    return Taken("shell", {"command": fields, **_place(arguments)}, why)
