"""What a wrapper runs in turn, and the grammar that most wrappers share: options, operands of their own, a command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.commands import Command


@dataclass(frozen=True, slots=True)
class Inner:
    """What a wrapper runs: the words of a command (from index `start` of the wrapper's argv), or the text of a script.

    `parameters` are the script's `$0`, `$1` …; `reads` is whether it may read the wrapper's standard input; `cwd` is
    where it runs, if not where the wrapper does; `text` is its source text, if not its words. `file` names a file
    to run; `within` returns the scripts in that file's text (None: the whole text). `mounts` are those of a `Command`.
    `language` is the script's, if it is no POSIX shell's.
    """

    argv: tuple[str, ...] = ()
    script: str | None = None
    start: int = 0
    parameters: tuple[str, ...] = ()
    reads: bool = True
    cwd: str | None = None
    remote: bool = False
    environment: tuple[tuple[str, str], ...] = ()
    text: str = ""
    file: str | None = None
    within: Callable[[str], Iterable[str]] | None = None
    mounts: tuple[tuple[str, str], ...] | None = None
    language: str = ""


_LONGEST_NAME = 3  # words of a subcommand
Unwrap = Callable[[Command], Iterable[Inner]]


class Line(NamedTuple):
    """How a wrapper's command line is laid out.

    `valued`       options that take the next word as their value
    `operands`     how many operands of its own come before the command
    `assignments`  whether `NAME=value` may come before it
    `joined`       whether the words are joined and passed to a shell
    `chdir`        options whose value is the directory where the command runs
    """

    valued: frozenset[str] = frozenset()
    operands: int = 0
    assignments: bool = False
    joined: bool = False
    remote: bool = False
    chdir: tuple[str, ...] = ()


def word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def operand_index(args: tuple[str, ...], valued: frozenset[str], assignments: bool = False) -> int:
    """The index of the first operand: after options, their values, and `NAME=value` if `assignments` are allowed."""
    index = 0
    while index < len(args):
        word = args[index]
        if word == "--":
            index += 1
            break
        if not word.startswith("-"):
            break
        index += 2 if takes_next(word, valued) else 1
    while assignments and index < len(args) and "=" in args[index]:
        index += 1
    return index


def takes_next(option: str, valued: frozenset[str]) -> bool:
    """Whether an option's value is the next word: `-u`, `--user`, and `-nu`, but neither `-uroot` nor `--user=root`."""
    if option in valued:
        return True
    if option.startswith("--"):
        return False
    letter = next((at for at, each in enumerate(option[1:], 1) if f"-{each}" in valued), 0)
    return 0 < letter == len(option) - 1


def values_of(args: Iterable[str], *names: str) -> Iterator[str]:
    """The values of an option: `-c x`, `-cx` if the name is one letter, `--command x`, `--command=x`."""
    words = iter(args)
    for word in words:
        if word in names:
            value = next(words, None)
            if value is not None:
                yield value
            continue
        for name in names:
            if name.startswith("--"):
                if word.startswith(f"{name}="):
                    yield word[len(name) + 1 :]
            elif len(name) == 2 and word.startswith(name) and not word.startswith("--"):
                yield word[2:].removeprefix("=")


def command_after(command: Command, line: Line, at: int = 1) -> Iterator[Inner]:
    """The command after a wrapper's own words, which begin at index `at` of its argv."""
    argv = command.argv
    options = argv[at : at + operand_index(argv[at:], line.valued)]
    first = at + operand_index(argv[at:], line.valued, line.assignments)
    environment = tuple(_assignments(argv[at + len(options) : first]))
    start = first + line.operands
    while line.operands and start < len(argv) and argv[start].startswith("-"):
        start += 1
    if start >= len(argv):
        return
    cwd = next((command.path(value) for value in values_of(options, *line.chdir)), None) if line.chdir else None
    if line.joined:
        yield Inner(script=" ".join(argv[start:]), remote=line.remote, cwd=cwd, environment=environment)
    else:
        yield Inner(argv[start:], start=start, remote=line.remote, cwd=cwd, environment=environment)


def _assignments(words: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for word in words:
        name, equals, value = word.partition("=")
        if equals:
            yield name, value


def prefix(
    valued: str = "",
    operands: int = 0,
    *,
    assignments: bool = False,
    joined: bool = False,
    remote: bool = False,
    chdir: tuple[str, ...] = (),
) -> Unwrap:
    """A wrapper whose options and `operands` of its own are followed by what it runs."""
    line = Line(word_set(valued), operands, assignments, joined, remote, chdir)
    return lambda command: command_after(command, line)


def option_scripts(*names: str, remote: bool = False, reads: bool = True) -> Unwrap:
    """A program that takes scripts as the values of options: `su -c 'rm -rf /'`."""

    def unwrap(command: Command) -> Iterator[Inner]:
        for value in values_of(command.args, *names):
            yield Inner(script=value, remote=remote, reads=reads, cwd=HOLE if remote else None)

    return unwrap


def both(*unwraps: Unwrap) -> Unwrap:
    """A program that runs commands in several ways."""
    return lambda command: [inner for unwrap in unwraps for inner in unwrap(command)]


def subcommands(lines: dict[str, Unwrap | Line], valued: str = "") -> Unwrap:
    """A program of which some subcommands run commands: `docker compose exec web ls`.

    `valued` are the options with a value that may come before the subcommand.
    """
    names = word_set(valued)

    def unwrap(command: Command) -> Iterable[Inner]:
        argv, at, named = command.argv, 0, ""
        for _ in range(_LONGEST_NAME):
            at += 1 + operand_index(argv[at + 1 :], names)
            if at >= len(argv):
                break
            named = f"{named} {argv[at]}".lstrip()
            if found := lines.get(named):
                return command_after(command, found, at + 1) if isinstance(found, Line) else found(command)
        return ()

    return unwrap
