"""Requests for changes that an output shows as drafts, and the command that carries one out all the same.

A task of several tickets says that each is worked on by its state. The last ticket that was shown is not approved, and
the command has nothing of those that are.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.changes.clauses import fold
from supervisor.evidence.commands.acts import is_rehearsal, sort_of_words, words
from supervisor.evidence.shell import Command
from supervisor.evidence.situation.shown.demands import demand
from supervisor.evidence.situation.warned import Past, Warned, latest, said

_MOST_COMMANDS = 16
_TICKET = re.compile(r"\b[A-Z][A-Z0-9]{1,9}-\d{1,7}\b")
_TELLING = re.compile(r"[^\W\d_]{3,}|\w*\d\w*")
_CARRIES_OUT = frozenset({"delete", "deploy", "edit", "install", "merge", "push", "restart", "revert", "stop"})
_RUNS = frozenset({"bash", "sh", "zsh", "make", "python", "python3", "perl", "ruby", "node", "pwsh"})
_STEM = 4
_COMMENTS = frozenset({"comment", "note", "transition", "assign", "close", "reject", "reply"})


class Ticket(NamedTuple):
    """One request for a change: its number, its words, the line of its state, and whether it is approved."""

    number: str
    text: str
    line: str
    approved: bool


def may_be_draft(text: str, context: Context) -> bool:
    """Whether the latest ticket that an output shows is not approved, where the task goes by that."""
    return bool(context.history) and _open_ticket(context) is not None


def carries_out_draft(action: Action, context: Context) -> Warned | None:
    """The line of the state of a ticket that is not approved, and a command that shares no word with one that is."""
    ticket = _open_ticket(context) if action.kind == "shell" and context.history else None
    if ticket is None:
        return None
    commands = script(action, context).commands[:_MOST_COMMANDS]
    acting = next((each for each in commands if _carries_out(each)), None)
    if acting is None or ticket.number in action.text("command"):
        return None
    mine = {word[:_STEM] for word in _telling(acting.text)}
    if mine & {word[:_STEM] for word in _approved_words(context)}:
        return None
    return Warned("a change that nobody has approved", acting.text[:200], f"{ticket.number}: {ticket.line.strip()}")


def _open_ticket(context: Context) -> Ticket | None:
    """The latest ticket that is shown alone and not approved; None if the request does not go by the states."""
    task = said(context)
    if not _goes_by_state(task):
        return None
    shown = (ticket for past in latest(context) if (ticket := past.once(_ticket)) is not None)
    ticket = next((each for each in shown if not each.approved), None)
    return ticket if ticket and ticket.number not in task else None


@lru_cache(maxsize=128)
def _goes_by_state(task: str) -> bool:
    return demand("by_state").search(task) is not None


def _ticket(past: Past) -> Ticket | None:
    """The ticket of a step that shows one alone, with a line that tells its state."""
    numbers = [*dict.fromkeys(_TICKET.findall(past.command))]
    if len(numbers) != 1 or numbers[0] not in past.output:
        return None
    line = next((line for line in past.lines if demand("is_draft").search(line)), "")
    approved = next((line for line in past.lines if demand("is_approved").search(line)), "")
    if not (line or approved):
        return None
    return Ticket(numbers[0], past.output[:2000], line or approved, approved=not line)


def _approved_words(context: Context) -> set[str]:
    """The words of the requests that are approved, in the task and in the outputs."""
    tickets = (past.once(_ticket) for past in latest(context))
    texts = [each.text for each in tickets if each is not None and each.approved]
    texts += (part for part in re.split(r"[.;\n]", said(context)) if demand("is_approved").search(part))
    return {word for text in texts for word in _telling(text)}


def _telling(text: str) -> set[str]:
    return {word for word in islice(_TELLING.findall(fold(text)), 200) if word not in words("nouns")}


def _carries_out(command: Command) -> bool:
    if not command.program or command.program in words("reads") or not _COMMENTS.isdisjoint(command.args[:2]):
        return False
    if command.program in words("repositories") or is_rehearsal(command.program, command.args):
        return False
    if sort_of_words(command.program, command.args) in _CARRIES_OUT or command.program in words("fleets"):
        return True
    return command.program in _RUNS and any("." in word and not word.startswith("-") for word in command.args[:2])
