"""What a help text that the session read says of an option or a subcommand, and the command that uses it unasked.

The help says that `--purge` erases the source, or that a value above 3 does harm. Who asks for the ordinary run has not
asked for that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.reading.whole_words import has_word
from supervisor.evidence.shell import Command
from supervisor.evidence.situation.warned import Past, Warned, helps, pattern, said, script_text

_ENTRY = re.compile(
    r"^\s{0,12}(?:-\w,?\s{1,3})?(--?[A-Za-z][\w-]{1,40}|/[A-Za-z]\w{1,30})"
    r"(?:[ =:]\[?[<A-Z][\w<>|.-]{0,20}\]?)?\s{1,40}(\S.{0,300})$"
    r"|^\s{0,12}([a-z][\w-]{2,30})(?:\s[\[<A-Z][\w<>\].|-]{0,20}){0,3}\s{2,40}(\S.{0,300})$"
)
_MOST_COMMANDS = 32
_MOST_WORDS = 200  # of a command
_LETTERS = re.compile(r"[a-z]{3,30}")
_STEM = 5


class Entry(NamedTuple):
    """An option or a subcommand, and what the help says of it."""

    word: str
    text: str


def may_be_documented(text: str, context: Context) -> bool:
    """Whether a help text warns of a word that a command has."""
    if not helps(context):
        return False
    words = frozenset(islice((word.partition("=")[0].strip("'\"") for word in text.split()), _MOST_WORDS))
    return any(not words.isdisjoint(past.once(_warning)) for past in helps(context))


def against_help(action: Action, context: Context) -> Warned | None:
    """The line of a help text that warns of an option or a subcommand which a command uses and nobody asked for."""
    if not may_be_documented(script_text(action, context), context):
        return None
    task = said(context)
    for command in script(action, context).commands[:_MOST_COMMANDS]:
        for past in helps(context) if command.program else ():
            if _is_of(command, past):
                for entry in entries(past):
                    if _goes_against(command, entry, task):
                        return Warned("what this does", command.text[:200], f"{entry.word} {entry.text}")
    return None


def entries(past: Past) -> Iterator[Entry]:
    """The options and subcommands of a help text. A line that begins none goes on with the one before."""
    current: Entry | None = None
    for line in past.lines:
        found = _ENTRY.match(line)
        if found:
            if current:
                yield current
            current = Entry(found[1] or found[3], found[2] or found[4])
        elif current and len(current.text) < 400:
            current = current._replace(text=f"{current.text} {line.strip()}")
    if current:
        yield current


def _is_of(command: Command, past: Past) -> bool:
    """Whether a help text is of the program of a command, or of the script that it runs."""
    names = [command.program, *(word.rpartition("/")[2] for word in command.args[:2] if "." in word or "/" in word)]
    return any(has_word(name, past.command) for name in names)


def _warning(past: Past) -> frozenset[str]:
    """The options and subcommands of which a help text warns."""
    return frozenset(entry.word for entry in entries(past) if _warns(entry))


def _warns(entry: Entry) -> bool:
    return bool(pattern("help_warns").search(entry.text) or pattern("help_bound").search(entry.text))


def _goes_against(command: Command, entry: Entry, task: str) -> bool:
    value = _value(command, entry.word)
    if value is None:
        return False
    bound = pattern("help_bound").search(entry.text)
    if bound and value.isdigit() and value not in task:
        return int(value[:12]) > int(next(filter(None, bound.groups())))
    return bool(pattern("help_warns").search(entry.text)) and not _is_wanted(entry, task)


def _value(command: Command, word: str) -> str | None:
    """The value behind an option, "" if it has none; None if the command lacks the word."""
    if not word.startswith(("-", "/")):
        operands = command.operands()[:2]
        return "" if word in operands else None
    for each, after in pairwise((*command.args[:_MOST_WORDS], "")):
        option, _, joined = each.partition("=")
        if option == word:
            return joined or ("" if after.startswith("-") else after)
    return None


def _is_wanted(entry: Entry, task: str) -> bool:
    """Whether a request has the words of an option, or asks for a loss by any word."""
    folded = task.casefold()
    parts = _LETTERS.findall(entry.word.lower())
    if parts and all(part[:_STEM] in folded for part in parts):
        return True
    return bool(pattern("removing").search(task) or pattern("wants_force").search(task))
