"""Code in other languages that a script passes to an interpreter: `python -c`, `node -e`, `psql -c`, here-documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.commands import Command, Script
from supervisor.evidence.shell.inner import word_set


@dataclass(frozen=True, slots=True)
class Code:
    """A piece of code and the command that runs it. `dialect` is sqlglot's name of the SQL dialect, if known."""

    language: str
    text: str
    command: Command
    dialect: str = ""


@dataclass(frozen=True, slots=True)
class _Interpreter:
    """How a program takes code on its command line.

    The value of `options` is code, of `files` a file of code, of `valued` something else; the value of `attached` is in
    the same word. `operand` is the index of the operand that is code, if any; `subcommand` is the only subcommand that
    runs code, if there is one. The operands of a `client` name no file of code.
    """

    language: str
    options: frozenset[str] = frozenset()
    valued: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()
    attached: frozenset[str] = frozenset()
    operand: int | None = None
    dialect: str = ""
    subcommand: str = ""
    client: bool = False


def _interpreter(
    language: str,
    options: str,
    valued: str = "",
    files: str = "",
    attached: str = "",
    *,
    operand: int | None = None,
    subcommand: str = "",
) -> _Interpreter:
    sets = (word_set(options), word_set(valued), word_set(files), word_set(attached))
    return _Interpreter(language, *sets, operand, "", subcommand)


def _client(dialect: str, interpreter: _Interpreter) -> _Interpreter:
    return replace(interpreter, dialect=dialect, client=True)


def _sql(
    dialect: str,
    options: str,
    valued: str = "",
    files: str = "",
    attached: str = "",
    *,
    operand: int | None = None,
    subcommand: str = "",
) -> _Interpreter:
    return _client(
        dialect, _interpreter("sql", options, valued, files, attached, operand=operand, subcommand=subcommand)
    )


_PYTHON = _interpreter("python", "-c", "-W -X --check-hash-based-pycs", "-m")
_NODE = _interpreter(
    "javascript",
    "-e -p --eval --print -pe -ep",
    "-r --require --import --loader -C --conditions --input-type --env-file",
)
_PSQL = _sql(
    "postgres",
    "-c --command",
    "-h -p -U -d -v -o -F -R -T -P -L --host --port --username --dbname --set --variable --output --pset",
    "-f --file",
)
_MYSQL = _sql(
    "mysql",
    "-e --execute --init-command",
    "-h -P -u -D -S --host --port --user --database --socket --defaults-file --protocol --default-character-set",
    attached="-p",
)
_SQLITE_VALUED = "-separator -nullvalue -newline -init"
_MONGO_VALUED = "-u -p --host --port --username --password --authenticationDatabase"
_INTERPRETERS = {
    **dict.fromkeys(("python", "python2", "python3", "pypy", "pypy3", "ipython", "ipython3", "py"), _PYTHON),
    **dict.fromkeys(("node", "nodejs", "bun"), _NODE),
    "deno": _interpreter("javascript", "-e --eval", operand=0, subcommand="eval"),
    "perl": _interpreter("perl", "-e -E", "-I -M -x"),
    "ruby": _interpreter("ruby", "-e", "-I -r"),
    **dict.fromkeys(
        ("rails", "gitlab-rails"), _interpreter("ruby", "", "-e --environment", operand=0, subcommand="runner")
    ),
    "artisan": _interpreter("php", "--execute", "", subcommand="tinker"),
    "manage.py": _interpreter("python", "-c --command", "--settings --pythonpath", subcommand="shell"),
    "php": _interpreter("php", "-r -R -B -E --run", "-d -c", "-f"),
    **dict.fromkeys(("lua", "luajit"), _interpreter("lua", "-e", "-l")),
    "Rscript": _interpreter("r", "-e"),
    "osascript": _interpreter("applescript", "-e", "-l"),
    **dict.fromkeys(("psql", "pgcli"), _PSQL),
    **dict.fromkeys(("mysql", "mariadb", "mycli"), _MYSQL),
    **dict.fromkeys(("sqlite3", "sqlite", "litecli"), _sql("sqlite", "-cmd", _SQLITE_VALUED, operand=1)),
    "cockroach": _sql(
        "postgres", "-e --execute", "--host --port --user --database --url --certs-dir -d -u", "-f --file"
    ),
    "duckdb": _sql("duckdb", "-c -s -cmd", _SQLITE_VALUED, operand=1),
    **dict.fromkeys(
        ("clickhouse-client", "clickhouse"),
        _sql("clickhouse", "-q --query", "-h -u -d --host --port --user --password --database"),
    ),
    "bq": _sql("bigquery", "", "--location --project_id --format -n", operand=0, subcommand="query"),
    "snowsql": _sql("snowflake", "-q --query", "-a -u -d -s -r -w -c -o", "-f --filename"),
    "snow": _sql("snowflake", "-q --query", "-c --connection", "-f --filename"),
    "sqlcmd": _sql("tsql", "-Q -q", "-S -U -P -d -H -l -t -h -s -w -v", "-i"),
    "sqlplus": _sql("oracle", ""),
    **dict.fromkeys(("trino", "presto"), _sql("trino", "--execute", "--server --catalog --schema", "-f --file")),
    **dict.fromkeys(("hive", "beeline", "spark-sql", "impala-shell"), _sql("hive", "-e -q", "-u -n -p -i", "-f")),
    "cqlsh": _sql("", "-e --execute", "-u -p -k", "-f"),
    **dict.fromkeys(
        ("mongosh", "mongo"), _client("", _interpreter("javascript", "--eval", _MONGO_VALUED, "-f --file"))
    ),
    "redis-cli": _client("", _interpreter("redis", "", "-h -p -a -u -n -s --user --pass -r -i", operand=0)),
    "cypher-shell": _client("", _interpreter("cypher", "", "-a -u -p -d --address --username --password", operand=0)),
}
_FRAMEWORKS = frozenset({"artisan", "manage.py"})  # scripts that an interpreter runs, and that take code themselves
_STREAMS = frozenset({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})
_RUNS_FILE = frozenset({"run", "tsx"})  # words that may come before the file: `bun run x.ts`


def code_in(script: Script) -> Iterator[Code]:
    """Every piece of code that the script contains and runs; files that it only names are not in its text."""
    for command in map(_of_framework, script.commands):
        interpreter = _interpreter_of(command.program)
        if interpreter:
            yield from (
                Code(interpreter.language, text, command, interpreter.dialect)
                for text in _code_texts(command, interpreter)
                if text.strip(HOLE).strip()
            )


def _of_framework(command: Command) -> Command:
    """`python manage.py shell -c …` without the interpreter: the options belong to the framework's own script."""
    if command.args and command.args[0].rpartition("/")[2] in _FRAMEWORKS and not command.wraps:
        return replace(command, argv=command.args)
    return command


def code_of(command: Command) -> str:
    """The code that one command contains; all its words, if its program is not a known interpreter."""
    interpreter = _interpreter_of(command.program)
    return "\n".join(_code_texts(command, interpreter) if interpreter else (*command.args, command.stdin or ""))


def may_hold_code(words: Sequence[str]) -> bool:
    """Whether a command may contain code: an interpreter that is not given a file or module to run."""
    if words[1:] and words[1].rpartition("/")[2] in _FRAMEWORKS:
        words = (words[1].rpartition("/")[2], *words[2:])
    interpreter = _interpreter_of(words[0])
    if interpreter is None:
        return False
    options, operands, named = _parsed_args(tuple(words[1:]), interpreter)
    if interpreter.subcommand:
        return interpreter.subcommand in operands or bool(options)
    return interpreter.client or bool(options) or not (named or operands) or operands[:1] == ["-"]


def file_of_code(command: Command) -> str:
    """The path of the file of code that an interpreter runs or reads on standard input; empty if there is none.

    `python -m pack.mod` runs `pack/mod.py`.
    """
    interpreter = _interpreter_of(command.program)
    if interpreter is None or interpreter.subcommand:
        return ""
    options, operands, named = _parsed_args(command.args, interpreter)
    if options or "" in named:
        return ""
    if named:
        return command.path(named[0])
    if operands[:1] and operands[0] in _RUNS_FILE and interpreter.language == "javascript":
        del operands[0], operands[1:]
        operands += [word for word in command.args[1:] if not word.startswith("-")][:1]
    if operands and not interpreter.client:
        return "" if operands[0] in _STREAMS else command.path(operands[0])
    read = [each.target for each in command.redirects if each.operator == "<"]
    return command.path(read[-1]) if read and command.stdin is None else ""


def _interpreter_of(program: str) -> _Interpreter | None:
    """The interpreter that a program is, with or without a version: `python3.11` is Python."""
    found = _INTERPRETERS.get(program)
    if found is None and program[-1:].isdigit():
        return _INTERPRETERS.get(program.rstrip("0123456789."))
    return found


def _code_texts(command: Command, interpreter: _Interpreter) -> Iterator[str]:
    """The code in options or an operand; else on standard input, if no file is named."""
    options, operands, named = _parsed_args(command.args, interpreter)
    if interpreter.subcommand:
        if interpreter.subcommand in operands:
            del operands[: operands.index(interpreter.subcommand) + 1]
        elif not options:
            return
    yield from options
    if command.file_text is not None and not options:
        yield command.file_text
        return
    given, place = bool(options), interpreter.operand
    if place is not None and len(operands) > place and not given:
        given = True
        yield " ".join(operands[place:]) if interpreter.language == "redis" else operands[place]
    is_named = bool(named) or (place is None and bool(operands) and operands[0] not in _STREAMS)
    if command.stdin is not None and not given and (not is_named or interpreter.client):
        yield command.stdin


def _parsed_args(args: tuple[str, ...], interpreter: _Interpreter) -> tuple[list[str], list[str], list[str]]:
    """The code in options, the operands, and the files that options name."""
    options: list[str] = []
    operands: list[str] = []
    named: list[str] = []
    words = iter(args)
    for word in words:
        if not word.startswith("-") or word == "-":
            operands.append(word)
            if not interpreter.client and not interpreter.subcommand:  # its file of code, then the arguments of that
                break
            continue
        if word == "--":
            operands += words
            break
        name, value = _option(word, interpreter)
        if name in interpreter.options:
            options.append(next(words, "") if value is None else value)
            if interpreter.language == "python":
                break
        elif name in interpreter.files or name in interpreter.valued:
            value = next(words, "") if value is None else value
            if name in interpreter.files:
                named.append(f"{value.replace('.', '/')}.py" if name == "-m" and value else value)
            if name == "-m":
                break
    return options, operands, named


def _option(word: str, interpreter: _Interpreter) -> tuple[str, str | None]:
    """An option's name and the value in the same word: `--eval=x`, `-cx`. The name of `-uc` is `-c`."""
    name, equals, value = word.partition("=")
    if word.startswith("--") or word in interpreter.options | interpreter.valued | interpreter.files:
        return name, value if equals else None
    for at, letter in enumerate(word[1:], 1):
        if f"-{letter}" in interpreter.attached:
            break
        if (short := f"-{letter}") in interpreter.options | interpreter.valued | interpreter.files:
            return short, word[at + 1 :] or None
    return name, value if equals else None
