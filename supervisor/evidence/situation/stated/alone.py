"""A change to one thing alone, and the command that takes the rest along: "bump requests, nothing else moves".

A word that brings everything to a newer state if no operand follows, an option that resets what it does not name, and a
list of all that is out of date take the rest along.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from supervisor.action import Action, Context
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.commands.acts import is_rehearsal, sort_of_words, words
from supervisor.evidence.reading.tables import table_beside
from supervisor.evidence.shell import HOLE, Command
from supervisor.evidence.situation.expressions import any_of
from supervisor.evidence.situation.warned import Warned, said

_MOST_COMMANDS = 32
_FIRST = 3  # words of a command line that may tell the act
_SENTENCE = re.compile(r"[;!?\n\u3002\uff1b]|\.(?=\s|$)")
_FROM_FILE = frozenset({"-r", "--requirement", "--requirements"})
_UPGRADES = frozenset({"-U", "--upgrade", "-u", "-upgrade"})


def may_move_more(text: str, context: Context) -> bool:
    """Whether the request is for one thing alone and a text may take more along."""
    return bool(context.task) and bool(_stated(said(context))) and _may_move(text)


def moves_more(action: Action, context: Context) -> Warned | None:
    """The command that changes more than the one thing, and the sentence that says that nothing else may change."""
    sentence = _stated(said(context)) if context.task and action.kind == "shell" else ""
    if not sentence:
        return None
    if listed := _pattern("listed").search(action.text("command")):
        return Warned("all that is out of date", listed[0][:200], sentence)
    for command in script(action, context).commands[:_MOST_COMMANDS]:
        if command.program and not command.wraps and (what := _takes_along(command)):
            return Warned(what, command.text[:200], sentence)
    return None


@lru_cache(maxsize=64)
def _stated(task: str) -> str:
    """The sentence that says that nothing else may change; empty if none does."""
    found = _pattern("nothing_else").search(task)
    if found is None:
        return ""
    before = max((each.end() for each in _SENTENCE.finditer(task, 0, found.start())), default=0)
    return task[before : found.end() + 40].strip()[:200]


def _may_move(text: str) -> bool:
    if _pattern("listed").search(text):
        return True
    given = text.split()
    return any(word in _words("moves") or word in _UPGRADES or _pattern("options").match(word) for word in given)


def _takes_along(command: Command) -> str:
    """What shows that a command changes more than it names; empty if nothing does."""
    args = command.args
    if is_rehearsal(command.program, args) or command.program in words("reads"):
        return ""
    if option := next((word for word in args if _pattern("options").match(word)), ""):
        changes = bool(sort_of_words(command.program, args)) or command.program in words("managers")
        return option if changes or "lock" in args[:_FIRST] else ""
    if not _UPGRADES.isdisjoint(args) and not _FROM_FILE.isdisjoint(args):
        return " ".join(args)[:80]
    return _without_operand(command)


def _without_operand(command: Command) -> str:
    """The word that changes everything if none follows; what options name counts as named."""
    operands = command.operands()
    place = next((at for at, word in enumerate(operands[:_FIRST]) if word in _words("moves")), -1)
    if place < 0 or place > 1 or (command.program in _words("refreshes") and operands[place] in ("update", "refresh")):
        return ""
    if place and operands[0] in ("repo", "index", "list", "check"):
        return ""
    named = [word for word in operands[place + 1 :] if word not in _words("everything")]
    return "" if any(HOLE in word or word for word in named) else " ".join((command.program, *command.args))[:80]


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return any_of(table_beside(__file__, "alone.yaml")[name])


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(table_beside(__file__, "alone.yaml")[name].replace("'", "").split())
