"""Reads a command line by the model: every spelling of the same options gives the same typed arguments.

Joined letters (`-xzf`), values in the same word (`-ofile`, `--output=file`), abbreviated long options, options after
operands, and `--` are resolved as the program's dialect does (getopt(3), getopt_long(3)).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from supervisor.evidence.commands.model import Arity, Dialect, Mode, Option, Program, Role, Stdin, Stdout
from supervisor.evidence.commands.store import program_named

_LONGEST_VERB = 3  # words


class Argument(NamedTuple):
    """One value of a command line. `at` is the index of its word in argv; `option` is the first name of its option,
    empty for an operand; `role` is None if the model has no word about it."""

    role: Role | None
    value: str
    at: int
    option: str = ""


class Line(NamedTuple):
    """A command line as its program takes it. `flags` are the first names of all options that are given."""

    program: Program
    verb: str
    arguments: tuple[Argument, ...]
    flags: frozenset[str]
    stdin: Stdin
    stdout: Stdout | None

    @property
    def rehearses(self) -> bool:
        """Whether it only explains, checks or shows what it would do."""
        return not self.flags.isdisjoint(self.program.rehearses)

    def of(self, *roles: Role) -> Iterator[Argument]:
        """The arguments with one of these roles, in order."""
        return (each for each in self.arguments if each.role in roles)


class _Given(NamedTuple):
    """An option or an operand before its role is known."""

    option: Option | None
    value: str
    at: int
    has_value: bool = True


@lru_cache(maxsize=1024)
def read(argv: tuple[str, ...]) -> Line | None:
    """The typed arguments of a command line; None if the model does not know its program."""
    program = program_named(argv[0].rpartition("/")[2]) if argv else None
    if program is None:
        return None
    reading = _Reading(program, argv)
    given = reading.given()
    return _with_roles(reading.program, reading.verb, given)


class _Reading:
    """Splits words into options, values and operands. `program` becomes the subcommand once its words are read."""

    def __init__(self, program: Program, argv: Sequence[str]) -> None:
        self.program = program
        self.verb = ""
        self._first_words = _first_words(self.program)
        self._argv = argv
        self._at = 1

    def given(self) -> list[_Given]:
        found = list(self._bundled()) if self.program.dialect is Dialect.BUNDLED else []
        is_over = False
        while self._at < len(self._argv):
            word, self._at = self._argv[self._at], self._at + 1
            if is_over or word == "-" or not word.startswith("-"):
                if self.program.dialect is Dialect.PAIRS and "=" in word:
                    found.append(self._pair(word))
                elif not self._is_verb(word):
                    found.append(_Given(None, word, self._at - 1))
                    is_over = is_over or not self.program.dialect.permutes
            elif word == "--":
                is_over = True
            elif word.startswith("--") or self.program.dialect.has_one_dash:
                found.append(self._long(word))
            else:
                found += self._cluster(word)
        return found

    def _is_verb(self, word: str) -> bool:
        """Whether a word begins the name of a subcommand, whose program it then is."""
        if word not in self._first_words:
            return False
        for length in range(_LONGEST_VERB, 0, -1):
            words = self._argv[self._at - 1 : self._at - 1 + length]
            if len(words) == length and (verb := self.program.verbs.get(" ".join(words))):
                self.program, self.verb = verb, " ".join(words)
                self._first_words = _first_words(verb)
                self._at += length - 1
                return True
        return False

    def _next(self) -> str | None:
        """The next word, as the value of an option."""
        if self._at >= len(self._argv):
            return None
        self._at += 1
        return self._argv[self._at - 1]

    def _long(self, word: str) -> _Given:
        name, equals, value = word.partition("=")
        option = self._option(word) or self._option(name)
        if option is None or (equals and option.arity is not Arity.NONE):
            return _Given(option or Option((name,)), value, self._at - 1, bool(equals))
        return self._valued(option)

    def _valued(self, option: Option) -> _Given:
        value = self._next() if option.arity is Arity.ONE else None
        return _Given(option, value or "", self._at - 1, value is not None)

    def _option(self, name: str) -> Option | None:
        """The option of this name, of its unambiguous abbreviation, or with one dash for two."""
        options, dialect = self.program.options, self.program.dialect
        if name in options:
            return options[name]
        if dialect.has_one_dash and name.startswith("--"):
            return options.get(name[1:])
        if not dialect.abbreviates or not name.startswith("--") or len(name) < 3:
            return None
        found = {option.names: option for each, option in options.items() if each.startswith(name)}
        return next(iter(found.values())) if len(found) == 1 else None

    def _cluster(self, word: str) -> Iterator[_Given]:
        """`-xzf name`, `-ofile`. An unknown letter ends the options that can be told apart."""
        if not self.program.dialect.clusters:
            yield _Given(Option((word,)), "", self._at - 1, has_value=False)
            return
        for position, letter in enumerate(word[1:], 2):
            option = self.program.options.get(f"-{letter}") or Option((f"-{letter}",))
            rest = word[position:]
            if option.arity is Arity.NONE or (option.arity is Arity.OPTIONAL and not rest):
                yield _Given(option, "", self._at - 1, has_value=False)
                continue
            yield _Given(option, rest, self._at - 1) if rest else self._valued(option)
            return

    def _bundled(self) -> Iterator[_Given]:
        """`tar czf name …`: letters without a dash, whose values are the next words in order."""
        if self._at < len(self._argv) and not self._argv[self._at].startswith("-"):
            letters, self._at = self._argv[self._at], self._at + 1
            for letter in letters:
                option = self.program.options.get(f"-{letter}") or Option((f"-{letter}",))
                yield self._valued(option) if option.arity is Arity.ONE else _Given(option, "", self._at - 1, False)

    def _pair(self, word: str) -> _Given:
        name, _, value = word.partition("=")
        return _Given(self.program.options.get(f"{name}=") or Option((f"{name}=",)), value, self._at - 1)


def _with_roles(program: Program, verb: str, given: Sequence[_Given]) -> Line:
    flags = frozenset(name for each in given if each.option for name in each.option.names)
    modes = [mode for mode in program.modes if not mode.options.isdisjoint(flags)]
    operands = [each for each in given if each.option is None]
    layout = next((mode.operands for mode in modes if mode.operands is not None), program.operands)
    if any(each.option and each.option.replaces for each in given):
        layout = layout[1:]
    roles = dict(zip((each.at for each in operands), _laid_out(layout, len(operands)), strict=True))
    arguments = tuple(
        Argument(_role_of(each.option, modes), each.value, each.at, each.option.name)
        if each.option
        else Argument(roles[each.at], each.value, each.at)
        for each in given
        if each.has_value
    )
    stdin = next((mode.stdin for mode in modes if mode.stdin), program.stdin)
    stdout = next((mode.stdout for mode in modes if mode.stdout), program.stdout)
    return Line(program, verb, arguments, flags, stdin, stdout)


def _role_of(option: Option, modes: Sequence[Mode]) -> Role | None:
    changed = (mode.roles[name] for mode in modes for name in option.names if name in mode.roles)
    return next(changed, option.role if option.arity is not Arity.NONE else None)


def _laid_out(layout: Sequence[str], count: int) -> list[Role | None]:
    """The role of each operand: the roles before `reads*` from the left, those behind it from the right."""
    star = next((at for at, each in enumerate(layout) if each.endswith("*")), None)
    roles: list[Role | None] = [Role(each.rstrip("*")) for each in layout]
    if star is None:
        return [*roles[:count], *[None] * (count - len(roles))]
    before, behind = roles[:star], roles[star + 1 :]
    behind = behind[: max(0, count - len(before))]
    return [*before, *[roles[star]] * (count - len(before) - len(behind)), *behind][:count]


def _first_words(program: Program) -> frozenset[str]:
    """The words with which the names of its subcommands begin."""
    return frozenset(name.partition(" ")[0] for name in program.verbs)
