"""Code in other languages that a script has an interpreter run: `python -c`, `node -e`, `psql -c`, here-documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from supervisor.evidence.paths import HOLE
from supervisor.evidence.shell.commands import Command, Script


@dataclass(frozen=True, slots=True)
class Code:
    """A piece of code and what runs it. `dialect` is sqlglot's name for SQL's, where the program tells."""

    language: str
    text: str
    command: Command
    dialect: str = ""


@dataclass(frozen=True, slots=True)
class _Interpreter:
    """The options whose value is code, and those whose value is something else."""

    language: str
    options: tuple[str, ...]
    valued: tuple[str, ...] = ()
    dialect: str = ""


_PYTHON = _Interpreter("python", ("-c",), ("-W", "-X", "-m"))
_INTERPRETERS = {
    **dict.fromkeys(("python", "python2", "python3", "pypy", "pypy3", "ipython"), _PYTHON),
    **dict.fromkeys(("node", "nodejs", "bun", "deno"), _Interpreter("javascript", ("-e", "--eval", "-p", "--print"))),
    "psql": _Interpreter("sql", ("-c", "--command"), ("-h", "-p", "-U", "-d", "-v", "-f"), "postgres"),
    **dict.fromkeys(("mysql", "mariadb"), _Interpreter("sql", ("-e", "--execute"), ("-h", "-P", "-u", "-D"), "mysql")),
}


def code_in(script: Script) -> Iterator[Code]:
    """Every piece of code that the script holds itself and has run; files that it runs are not in the text."""
    for command in script.commands:
        interpreter = _interpreter_of(command.program)
        if interpreter:
            yield from (
                Code(interpreter.language, text, command, interpreter.dialect)
                for text in _given(command, interpreter)
                if text.strip(HOLE).strip()
            )


def may_hold_code(words: Sequence[str]) -> bool:
    """Whether a command may bring code of its own: an interpreter that is given no file or module to run first."""
    interpreter = _interpreter_of(words[0])
    if interpreter is None:
        return False
    if interpreter.language == "sql" or len(words) < 2 or (words[1].startswith("-") and words[1] != "-m"):
        return True
    return any(word.startswith(interpreter.options) for word in words)


def _interpreter_of(program: str) -> _Interpreter | None:
    """`python3.11` is Python as well."""
    return _INTERPRETERS.get(program) or _INTERPRETERS.get(program.rstrip("0123456789."))


def _given(command: Command, interpreter: _Interpreter) -> Iterator[str]:
    """What stands behind an option, or else on standard input where no file is named."""
    words = iter(command.args)
    found = named = False
    for word in words:
        name, equals, value = word.partition("=")
        if word in interpreter.options:
            found = True
            yield next(words, "")
        elif equals and name in interpreter.options:
            found = True
            yield value
        elif word in interpreter.valued:
            named = named or word in ("-m", "-f")
            next(words, None)
        else:
            named = named or not word.startswith("-")
    if command.stdin is not None and not found and (not named or interpreter.language == "sql"):
        yield command.stdin
