"""Rights that an action gives, held against what the user's request asks for.

Who wants one person to read has not asked that everybody reads, nor that this person may do everything.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.commands.hints import compiled
from supervisor.evidence.prose.request_names import ADDRESS, named_in
from supervisor.evidence.reading.tables import table_beside
from supervisor.evidence.shell import Command

_MOST_COMMANDS = 64
_LONGEST = 8 * 1024  # characters of a request
_LONGEST_LINE = 4 * 1024


class Given(NamedTuple):
    """The word that gives more than the request asks for, the command, and why it is more."""

    word: str
    text: str
    why: str


def more_rights_than_asked(action: Action, context: Context) -> Given | None:
    """The first command of a shell action that gives rights to more than the user named, or more rights.

    Raises Unreadable and NoReader as `script` does.
    """
    request = (context.task or "")[:_LONGEST]
    text = action.get("command")
    if not request or not isinstance(text, str) or not may_give_rights(text):
        return None
    return next(
        (given for each in script(action, context).commands[:_MOST_COMMANDS] for given in _of(each, request)), None
    )


def may_give_rights(text: str) -> bool:
    """Whether a text has a word for giving rights, so that reading it may find some."""
    return _pattern("gives").search(text[:_LONGEST]) is not None


def _of(command: Command, request: str) -> Iterator[Given]:
    line = " ".join((*command.argv, command.stdin or ""))[:_LONGEST_LINE]
    if not _pattern("gives").search(line) or _pattern("takes").search(" ".join(command.argv)[:_LONGEST_LINE]):
        return
    if not named_in(request).everything and not _pattern("open").search(request):
        if everybody := _pattern("everybody").search(line):
            yield Given(everybody[0].strip(), command.text, "the user did not ask for everybody")
        addresses = ADDRESS.findall(request)
        if (
            addresses
            and not any(each in line for each in addresses)
            and (any_host := _pattern("any_host").search(line))
        ):
            yield Given(any_host[0].strip(), command.text, f"the user named {addresses[0]}")
    full = _pattern("full").search(line)
    is_bounded = _pattern("reads").search(request) or _pattern("only").search(request)
    if full and is_bounded and not _pattern("administers").search(request):
        yield Given(" ".join(full[0].split()), command.text, "the user asked for less")


@cache
def _pattern(name: str) -> Any:
    given = table_beside(__file__, "rights.yaml")[name]
    return compiled([given] if isinstance(given, str) else given)
