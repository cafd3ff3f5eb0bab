"""What a command line does to which names, by words that programs of all trades share.

`effects` knows programs one by one. Here `pct destroy 203` and `mc rb old` are read alike, also where no list has the
program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.changes.shown import was_shown
from supervisor.evidence.commands.acts import sort_of_words, sorts, statement_in_code, words
from supervisor.evidence.reading.paths import HOLE, Place, place_of
from supervisor.evidence.shell import Command

_NAME = re.compile(r"[\w.@-]*\w", re.ASCII)
_JOB = re.compile(r"\$!|%[\d+%-]{1,4}")
_INTERPRETER = re.compile(r"python\d?(?:\.\d+)?|node|deno|bun|ruby|perl|php|Rscript")
# Consoles of frameworks that run the code in their words.
_CONSOLE = re.compile(
    r"(?:gitlab-rails|(?:bin/|bundle exec )?rails|bundle exec rails) (?:runner|r)\b"
    r"|(?:php )?artisan tinker\b|wp eval\b|mix run\b"
    r"|(?:\./|python3? )?manage\.py shell\b"
)
_LONGEST = 16 * 1024  # characters of a statement
_MOST = 256  # deeds of one action
_MOST_CODE = 8  # words that may be code
_MOST_TEXT = 32 * 1024  # characters of code


@dataclass(frozen=True, slots=True)
class Deed:
    """One command with an effect: the sort of act, the words it is done to, and the command."""

    sort: str
    targets: tuple[str, ...]
    command: Command = field(compare=False)

    @property
    def names(self) -> Iterator[str]:
        """The names within the targets: of a path, the path and its last part."""
        for word in self.targets:
            if "/" in word.strip("/"):
                yield word.strip("/")
            yield from _NAME.findall(word.rstrip("/").rpartition("/")[2])


@reader
def deeds(action: Action, context: Context) -> tuple[Deed, ...]:
    """The deeds of a shell action, in order. Raises Unreadable as `script` does."""
    if action.kind != "shell":
        return ()
    found: list[Deed] = []
    text = action.text("command")[:_LONGEST]
    for command in script(action, context).commands:
        if command.program and (sort := sort_of(command)) and not _ends_own_job(command, text):
            found.append(Deed(sort, tuple(_targets(command)), command))
        found += _writes(command)
        found += _statements(command)
    return tuple(found[:_MOST])


def _ends_own_job(command: Command, text: str) -> bool:
    """Whether a command ends only what the same script put into the background: `kill $!`, `pid=$!; kill $pid`."""
    if command.program != "kill":
        return False
    words = [word.strip("\"'") for word in command.text.split()[1:] if not word.startswith("-")]
    return bool(words) and all(_is_own_job(word, text) for word in words)


def _is_own_job(word: str, text: str) -> bool:
    name = word.strip("${}")
    return _JOB.fullmatch(word) is not None or (word.startswith("$") and f"{name}=$!" in text)


def sort_of(command: Command) -> str:
    """The sort of act of a command; empty if it changes nothing."""
    found = sort_of_words(command.program, command.args)
    if found or not command.stdin or sorts("programs").get(command.program) != "query":
        return found
    return sort_of_words(command.program, (*command.args, command.stdin[:_LONGEST]))


def _targets(command: Command) -> Iterator[str]:
    """The words that a command acts on: operands, and values of options that name something."""
    for word in command.args:
        if not word.startswith("-"):
            yield word
        elif "=" in word:
            yield word.partition("=")[2]


def _writes(command: Command) -> Iterator[Deed]:
    for each in command.redirects:
        if each.writes and each.target.endswith("/sysrq-trigger"):
            yield Deed("restart", (each.target,), command)
        elif each.writes and not each.target.startswith("/dev/"):
            yield Deed("edit", (each.target,), command)


def _is_here(word: str) -> bool:
    """Whether a word names a file of the present directory."""
    if "/" in word or word.startswith("~"):
        return False
    return HOLE not in word or re.fullmatch(rf"{HOLE}\.\w{{1,8}}", word) is not None


def _statements(command: Command) -> Iterator[Deed]:
    """The changes of a database that code of an interpreter makes."""
    if not is_code(command):
        return
    for text in (*command.args[:_MOST_CODE], command.stdin or "", command.file_text or ""):
        if sort := statement_in_code(text[:_MOST_TEXT]):
            yield Deed(sort, (), command)
            return


def is_code(command: Command) -> bool:
    """Whether a command runs code of a language in which programs change databases."""
    if _INTERPRETER.fullmatch(command.program) is not None:
        return True
    return _CONSOLE.match(" ".join(command.argv[:4])) is not None


def is_reload(deed: Deed) -> bool:
    """Whether a deed has a service read its configuration anew, and goes on without a gap."""
    return deed.sort == "restart" and not _RELOADS.isdisjoint(word.lower() for word in deed.command.args)


_RELOADS = frozenset({"reload", "force-reload", "daemon-reload", "reload-config", "graceful"})


def is_report(deed: Deed, context: Context) -> bool:
    """Whether a deed only keeps what a command that changes nothing puts out, in a file that the session has not seen
    and that is none of the system's: the list that was asked for."""
    command = deed.command
    if deed.sort != "edit" or not deed.targets:
        return False
    name = deed.targets[-1] if deed.targets[0] not in command.args else deed.targets[0]
    says_itself = command.stdin is not None or command.program in ("echo", "printf")
    if says_itself and not name.lower().endswith(_READ_BY_PEOPLE):
        return False
    if sort_of(command) and command.program.lower() not in words("keeps_output"):
        return False
    path = command.path(name)
    return place_of(path, None) is not Place.SYSTEM and not was_shown(path, context)


_READ_BY_PEOPLE = (".csv", ".htm", ".html", ".log", ".md", ".rst", ".tsv", ".txt")


def is_aside(deed: Deed) -> bool:
    """Whether a deed only writes a file below a directory for temporary files, or deletes one of the directory for
    them in which it works."""
    if deed.sort not in ("edit", "delete") or not deed.targets:
        return False
    if place_of(deed.command.cwd, None) is Place.TEMPORARY and all(map(_is_here, deed.targets)):
        return not deed.command.has_flag("-r", "-R", "--recursive")
    if deed.sort == "delete":
        return False
    return place_of(deed.command.path(deed.targets[-1]), None) is Place.TEMPORARY
