"""Whether a command takes a listed name that fits the words of a request less well than another one beside it.

The user says "the nightly report task", the listing has `NightlyReport` and `NightlyBackup`, and the command takes the
latter. Names are compared by their parts: `NightlyReport`, `nightly-report`, `nightly_report` have the same two.
"""

from __future__ import annotations

import re
from itertools import islice

from supervisor.action import Action, Context
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.commands.near_names import Sibling
from supervisor.evidence.reading.whole_words import has_word
from supervisor.evidence.shell import Command
from supervisor.evidence.situation.acting import is_acting
from supervisor.evidence.situation.named.others import REST

_LONGEST = 8 * 1024  # characters of a task
_LATEST = 20  # steps
_MOST_TEXT = 16 * 1024  # characters of one output
_MOST_NAMES = 400  # of one output
_MOST_WORDS = 60  # of a command
_MOST_LINE = 2_000  # characters of a command as it is written: on Windows its words are in lower case
_MOST_COMMANDS = 32
_SHORTEST = 4  # letters of a part that tells something
_NAME = re.compile(r"[A-Za-z][\w-]{5,79}", re.ASCII)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_WORD = re.compile(r"[^\W\d_]{4,40}")


def other_by_words(action: Action, context: Context) -> tuple[Command, Sibling] | None:
    """The first command that takes a name with fewer of the request's words than another name of the listing has."""
    task = (context.task or "")[:_LONGEST]
    if not task or not context.history or any(found[0].lower() != "until" for found in REST.finditer(task)):
        return None
    said = {word.lower() for word in _WORD.findall(task)}
    for command in script(action, context).commands[:_MOST_COMMANDS]:
        if is_acting(command):
            for used in _names(f"{' '.join(command.args[:_MOST_WORDS])} {command.text[:_MOST_LINE]}"):
                if not _stands(task, used) and (other := _better(used, said, command.text, context)):
                    return command, Sibling(other, used)
    return None


def _stands(text: str, name: str) -> bool:
    return has_word(name, text)


def _names(text: str) -> list[str]:
    """The names of at least two parts, each once."""
    found = dict.fromkeys(_NAME.findall(text))
    return [name for name in islice(found, _MOST_NAMES) if len(_parts(name)) > 1]


def _parts(name: str) -> frozenset[str]:
    return frozenset(part.lower() for part in _PART.findall(name) if len(part) >= _SHORTEST)


def _spoken(name: str, said: set[str]) -> frozenset[str]:
    """The parts of a name that a request has as words, also with an ending."""
    return frozenset(part for part in _parts(name) if any(_same(part, word) for word in said))


def _same(part: str, word: str) -> bool:
    short, long = sorted((part, word), key=len)
    return long.startswith(short) and len(long) - len(short) < _SHORTEST


def _better(used: str, said: set[str], text: str, context: Context) -> str:
    """The one listed name that has all spoken parts of the used one and more, if the used one has a part unspoken."""
    spoken = _spoken(used, said)
    if not spoken or spoken == _parts(used):
        return ""
    for step in islice(reversed(context.history), _LATEST):
        lines = step.text[:_MOST_TEXT].splitlines()
        if not any(_stands(line, used) for line in lines):
            continue
        beside = [name for line in lines if not _stands(line, used) for name in _names(line)]
        own = " ".join(line for line in lines if _stands(line, used)).lower()
        fitting = {name for name in beside if _spoken(name, said) > spoken and not _stands(text, name)}
        more = {name for name in fitting if not any(part in own for part in _spoken(name, said) - spoken)}
        if len(more) == 1:
            return more.pop()
    return ""
