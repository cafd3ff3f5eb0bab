"""What the tools and the APIs of clouds and platforms do to the resources there.

Clouds, clusters, container engines, data stores, brokers, and providers of DNS, mail, secrets, alerts or feature flags
have tools with one common grammar, which `grammar` reads; `programs/` and `hosts.yaml` contain the exceptions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.effects.platforms import api, capacity
from supervisor.evidence.effects.platforms.data import programs
from supervisor.evidence.effects.platforms.grammar import is_looked_at, is_made, is_tried, may_mean_all, read
from supervisor.evidence.effects.platforms.resource import Environment, Resource, Sort
from supervisor.evidence.effects.platforms.unlisted import (
    is_cmdlet,
    may_destroy,
    read_cmdlet,
    read_jar,
    read_unlisted,
)
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.commands import Command

__all__ = [
    "CAPACITY",
    "PROGRAMS",
    "Environment",
    "Resource",
    "Sort",
    "is_looked_at",
    "is_made",
    "is_tried",
    "of_unlisted",
]

_RESOURCES = frozenset({Act.RESOURCE})
_UNLISTED = (Reading(_RESOURCES, read_unlisted),)
_CMDLET = (Reading(_RESOURCES, read_cmdlet),)


def _changes_nothing(program: str, read: Callable[[Command, Ground], Iterable[Effect]], args: Sequence[str]) -> bool:
    """Whether a command line changes nothing. A tool that reads commands from standard input may change something."""
    known = programs().get(program)
    command = Command((program, *args))
    if known and (known.stdin or (any(HOLE in word for word in args) and may_mean_all(command, known))):
        return False
    return not any(read(command, Ground()))


def _reading(program: str, read: Callable[[Command, Ground], Iterable[Effect]]) -> Reading:
    return Reading(_RESOURCES, read, partial(_changes_nothing, program, read))


CAPACITY = dict.fromkeys(capacity.PROGRAMS, Reading(_RESOURCES, capacity.read, capacity.is_quiet))
PROGRAMS = {
    **{program: _reading(program, read) for program in programs()},
    "java": _reading("java", read_jar),
    **{program: _reading(program, api.read) for program in api.CLIENTS},
}


def of_unlisted(program: str, args: Sequence[str]) -> tuple[Reading, ...]:
    """The reading of a tool that no domain lists, if it may use the grammar of platforms."""
    if is_cmdlet(program):
        return _CMDLET
    return _UNLISTED if may_destroy(program, args) else ()
