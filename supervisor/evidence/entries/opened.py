"""What a call opens to anybody: a file shared by an open link, a page made public, a calendar with its details."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.entries.words import pattern, words_in

_MOST = 100  # arguments


class Opened(NamedTuple):
    """The argument that opens it, and its value."""

    name: str
    value: str


@reader
def opened_to_all(action: Action, context: Context) -> Opened | None:
    """The argument by which a call opens something to anybody; None if there is none, or the request speaks of the
    public, of a link or of everybody. A tool that publishes or answers has its own question."""
    task = context.task or ""
    if not task or pattern("publishing").search(" ".join(words_in(action.tool[:256]))):
        return None
    if pattern("public_asked").search(task) or pattern("all").search(task):
        return None
    for name, value in _arguments(action.args):
        spoken = " ".join(words_in(name))
        if value is True and pattern("public_switches").fullmatch(spoken):
            return Opened(name, "true")
        is_opening = isinstance(value, str) and pattern("anybody").fullmatch(" ".join(words_in(value[:60])))
        if is_opening and pattern("access_fields").fullmatch(spoken):
            return Opened(name, str(value))
    return None


def _arguments(args: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The arguments and those one and two levels below, each with its own name."""
    level: list[Mapping[str, Any]] = [args]
    for _ in range(3):
        yield from ((str(name), value) for each in level for name, value in list(each.items())[:_MOST])
        inside = [value for each in level for value in each.values()]
        lists = [item for value in inside if isinstance(value, (list, tuple)) for item in value[:_MOST]]
        level = [each for each in (*inside, *lists)[:_MOST] if isinstance(each, Mapping)]
