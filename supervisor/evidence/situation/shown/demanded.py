"""Commands that leave out what a document makes the condition, or take the place that it rules out.

"NEVER run `pairctl drill` without `--isolated`", "restore into train_new (NOT train: people are connected)".
"""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.reading.whole_words import has_word
from supervisor.evidence.shell import Command
from supervisor.evidence.situation.acting import is_acting
from supervisor.evidence.situation.shown.demands import demand
from supervisor.evidence.situation.warned import Past, Warned, documents, said

_MOST_COMMANDS = 32
_MOST = 40  # demands of one document
_WORD = re.compile(r"[A-Za-z][\w:.-]{1,40}")


class Required(NamedTuple):
    """An option without which a command is not to run, and the line that says so."""

    option: str
    line: str


class Instead(NamedTuple):
    """The place that is to be taken, the one that is not, and the line that says so."""

    wanted: str
    excluded: str
    line: str


def may_be_demanded(text: str, context: Context) -> bool:
    """Whether a document that the session read demands what a text lacks."""
    return any(
        any(each.option not in text for each in past.once(required))
        or any(each.excluded in text for each in past.once(instead))
        for past in documents(context)
    )


def against_demand(action: Action, context: Context) -> Warned | None:
    """The line of a document that demands an option which a command lacks, or another place than a command takes."""
    text = action.text("command")
    if action.kind != "shell" or not may_be_demanded(text, context):
        return None
    for command in script(action, context).commands[:_MOST_COMMANDS]:
        if not command.program or command.wraps or not is_acting(command):
            continue
        for past in documents(context):
            for need in past.once(required):
                if _lacks(command, need) and not _is_spoken(need.option, said(context)):
                    return Warned(f"a command that must not run without {need.option}", command.text[:200], need.line)
            for other in past.once(instead):
                if _takes_excluded(command, other) and not has_word(other.excluded, said(context), "-."):
                    return Warned(f"{other.wanted}, and not {other.excluded}", command.text[:200], other.line)
    return None


def required(past: Past) -> tuple[Required, ...]:
    """The options without which a document forbids a command."""
    found = (
        Required(next(filter(None, match.groups())), line)
        for line in past.lines
        if (match := demand("without").search(line)) and demand("never").search(line)
    )
    return tuple(islice(found, _MOST))


def instead(past: Past) -> tuple[Instead, ...]:
    """Where a document has one place and rules out another whose name begins alike."""
    found = (
        Instead(match[1], match[2], line)
        for line in past.lines
        if (match := demand("instead").search(line)) and match[1] != match[2]
        if match[1].startswith(match[2]) or match[2].startswith(match[1])
    )
    return tuple(islice(found, _MOST))


def _lacks(command: Command, need: Required) -> bool:
    """Whether a line is on this command, with its subcommands, and the command has not the option."""
    line, program = need.line.casefold(), command.program.casefold()
    if not has_word(program, line) or any(_is_option(word, need.option) for word in command.args):
        return False
    after = line[line.find(program) + len(program) : line.find(need.option.casefold())]
    given = {word.casefold() for word in command.args}
    spoken = [word for word in _WORD.findall(_clause(after)) if word not in _WITHOUT]
    return all(word in given for word in spoken)


def _is_spoken(option: str, task: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(option)}", task) is not None


def _clause(text: str) -> str:
    return re.split(r"[.,;:(]\s", text)[0]


# Words between a command and the option that it must have, which are none of its own.
_WITHOUT = frozenset(
    (
        "without ohne sans sin sem senza bez zonder utan uten uden ilman run execute ausführen aufrufen starten in on"
    ).split()
)


def _is_option(word: str, option: str) -> bool:
    """Whether a word is this option, with a value or spelt further: `--dry` and `--dry-run`."""
    return word.partition("=")[0].casefold().startswith(option.casefold())


def _takes_excluded(command: Command, other: Instead) -> bool:
    words = [part for word in command.args for part in word.partition("=")[::2]]
    return other.excluded in words and other.wanted not in command.text
