"""What the tools and the APIs of clouds and platforms do to the resources there.

Clouds, clusters, container engines, data stores, brokers, and providers of DNS, mail, secrets, alerts or feature flags
have tools with one common grammar, which `grammar` reads; `programs/` and `hosts.yaml` contain the exceptions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.effects.platforms import api
from supervisor.evidence.effects.platforms.data import programs
from supervisor.evidence.effects.platforms.grammar import is_looked_at, is_made, read
from supervisor.evidence.effects.platforms.resource import Environment, Resource, Sort
from supervisor.evidence.effects.platforms.unlisted import (
    is_cmdlet,
    may_destroy,
    read_cmdlet,
    read_jar,
    read_unlisted,
)
from supervisor.evidence.shell.commands import Command

__all__ = ["PROGRAMS", "Environment", "Resource", "Sort", "is_looked_at", "is_made", "of_unlisted"]

_RESOURCES = frozenset({Act.RESOURCE})
_UNLISTED = (Reading(_RESOURCES, read_unlisted),)
_CMDLET = (Reading(_RESOURCES, read_cmdlet),)


def _changes_nothing(program: str, read: Callable[[Command, Ground], Iterable[Effect]], args: Sequence[str]) -> bool:
    """Whether a command line changes nothing. A tool that reads commands from standard input may change something."""
    known = programs().get(program)
    return not (known and known.stdin) and not any(read(Command((program, *args)), Ground()))


def _reading(program: str, read: Callable[[Command, Ground], Iterable[Effect]]) -> Reading:
    return Reading(_RESOURCES, read, partial(_changes_nothing, program, read))


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
