"""Loads the model. The files are split at once, and each program is decoded when it is first asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from supervisor.evidence.commands.model import Arity, Dialect, Mode, Option, Program, Role, Stdin, Stdout
from supervisor.evidence.reading.tables import decoded, table_beside

_FOLDER = Path(__file__).parent
_ENTRY = re.compile(r"(?m)^(?=[^\s#])")
_ARITIES = {"": Arity.NONE, ":": Arity.ONE, "::": Arity.OPTIONAL, "=": Arity.ONE, "=?": Arity.OPTIONAL}
_LETTER = re.compile(r"([^:;+-])(:{0,2})")
_EXPLAINS = frozenset({"--help", "--usage", "--version"})
_SHELLS_OF_NAME = re.compile(r"(?:\.exe|-?[0-9][0-9.]*)$")  # `python3.12`, `gcc-12`


def program_named(name: str) -> Program | None:
    """What the model knows of a program; None if nothing. A version after the name is ignored: `python3.12`."""
    found = _decoded(name)
    return _decoded(plain) if found is None and (plain := _SHELLS_OF_NAME.sub("", name)) != name else found


@lru_cache(maxsize=1024)
def _decoded(name: str) -> Program | None:
    entry, line = _meanings().get(name), _arities().get(name)
    if entry is None and line is None:
        return None
    dialect, options = _reported(line) if line else (Dialect.GNU, {})
    if entry is None:
        return Program(dialect, options, rehearses=_EXPLAINS & options.keys())
    return _program(decoded(entry), dialect, options)


@cache
def _meanings() -> Mapping[str, str]:
    """The text of each entry by every name of its program."""
    found: dict[str, str] = {}
    for file in sorted((_FOLDER / "programs").glob("*.yaml")):
        for entry in _ENTRY.split(file.read_text(encoding="utf-8")):
            names, colon, rest = entry.partition(":")
            if colon and not entry.startswith("#"):
                found.update(dict.fromkeys(names.replace('"', "").split(), rest))
    return found


@cache
def _arities() -> Mapping[str, str]:
    """The options that each program reports, as `benchmarks/options` writes them."""
    lines = (_FOLDER / "arity.tsv").read_text(encoding="utf-8").splitlines()
    return {name: rest for name, tab, rest in (line.partition("\t") for line in lines) if tab}


def _reported(line: str) -> tuple[Dialect, dict[str, Option]]:
    dialect, letters, *names = line.split("\t")
    known = [(f"-{letter}", _ARITIES[colons]) for letter, colons in _LETTER.findall(letters.replace("W;", ""))]
    for name in names:
        plain = name.rstrip("=?")
        known.append((f"--{plain}", _ARITIES[name[len(plain) :]]))
    stops = letters.startswith("+") or dialect == "getopt"
    read_as = Dialect.SINGLE if dialect == "only" else Dialect.POSIX if stops else Dialect.GNU
    return read_as, {name: Option((name,), arity) for name, arity in known}


def _program(entry: Any, dialect: Dialect, reported: Mapping[str, Option], above: Program | None = None) -> Program:
    if not isinstance(entry, dict):
        entry = {"operands": entry or ""}
    options = dict(reported)
    for option in _options(entry.get("options", {}), str(entry.get("flags", ""))):
        options.update(dict.fromkeys(option.names, option))
    operands = tuple(entry.get("operands", "").split())
    passes = any(word.startswith(("reads", "trees")) for word in operands)
    above = above or Program()
    program = Program(
        dialect=Dialect[entry["dialect"].upper()] if "dialect" in entry else dialect,
        options=options,
        operands=operands,
        modes=(*_modes(entry.get("modes", {})), *above.modes),
        rehearses=frozenset(entry.get("rehearses", "").split()) | above.rehearses | _EXPLAINS,
        stdin=Stdin(entry.get("stdin", "passes" if passes else "unused")),
        stdout=Stdout(entry["stdout"]) if "stdout" in entry else Stdout.CONTENTS if passes else None,
        is_meant=entry.get("is_meant", True),
    )
    verbs: dict[str, Program] = {}
    for names, text in entry.get("verbs", {}).items():
        verb = _program(text, program.dialect, options, program)
        verbs.update(dict.fromkeys(names.split("|"), verb))
    return program._replace(verbs=verbs) if verbs else program


def _options(entry: Mapping[str, str], flags: str) -> Iterator[Option]:
    """`data: -d --data` are options with a value of that role; `text?:` has an optional value, `text!:` replaces the
    first operand. `flags` have no value. A letter and the long name behind it are one option."""
    for role, names in entry.items():
        arity = Arity.OPTIONAL if role.endswith("?") else Arity.ONE
        for each in _together(str(names)):
            yield Option(each, arity, Role(role.strip("!?")), role.endswith("!"))
    yield from (Option(each) for each in _together(flags))


def _together(names: str) -> Iterator[tuple[str, ...]]:
    """The names of each option: a letter with the long name behind it, or one name alone."""
    words = names.split()
    while words:
        first = words.pop(0)
        has_long = len(first) == 2 and words and words[0].startswith("--")
        yield (first, words.pop(0)) if has_long else (first,)


def _modes(entry: Mapping[str, Mapping[str, Any]]) -> Iterator[Mode]:
    for options, change in entry.items():
        yield Mode(
            frozenset(options.split()),
            tuple(change["operands"].split()) if "operands" in change else None,
            {name: Role(role) for role, names in change.get("options", {}).items() for name in names.split()},
            Stdin(change["stdin"]) if "stdin" in change else None,
            Stdout(change["stdout"]) if "stdout" in change else None,
        )


@cache
def variables() -> Mapping[str, Role]:
    """The environment variables whose value runs: CODE is a command line, SCRIPT a file or library."""
    return {name: Role(role) for role, names in _listed().items() if role != "options" for name in names.split()}


@cache
def option_variables() -> Mapping[str, str]:
    """The environment variables that contain more options for a program, each with the program."""
    named = (each.partition(":") for each in _listed()["options"].split())
    return {name: program for program, _, name in named}


def _listed() -> Mapping[str, str]:
    loaded: Mapping[str, str] = table_beside(__file__, "variables.yaml")
    return loaded


def known_programs() -> frozenset[str]:
    """The names of all programs of the model."""
    return frozenset(_meanings()) | frozenset(_arities())
