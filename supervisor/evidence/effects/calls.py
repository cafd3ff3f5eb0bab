"""What the calls of Python code do to the world."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from supervisor.evidence.effects.effect import Act, Effect, Ground, Part
from supervisor.evidence.paths import HOLE, resolve, without_glob
from supervisor.evidence.python import Call, Module
from supervisor.evidence.python.values import string_of
from supervisor.evidence.shell import Command


class Where(NamedTuple):
    """Where code runs: on what ground, in which directory, and the shell command that runs it, if one does."""

    ground: Ground
    cwd: str = "."
    command: Command | None = None


class CallReading(NamedTuple):
    """The acts that may be among the effects of a call, and how they are read."""

    acts: frozenset[Act]
    read: Callable[[Call, Where], Iterable[Effect]]


def parts_of_module(module: Module, where: Where, *tables: Mapping[str, CallReading]) -> Iterator[Part]:
    """The effects of code that is run, by what some tables know of calls."""
    for call in module.calls:
        for table in tables:
            if reading := table.get(call.name):
                yield Part(reading.acts, partial(reading.read, call, where))


def on_path(act: Act, call: Call, where: Where, place: int, *, verb: str = "", whole: bool = False) -> Effect:
    """An effect on the path that an argument names."""
    node = call.argument(place, "path", "src", "filename")
    named = string_of(call.module, node) if node is not None else None
    path = without_glob(resolve(named, where.cwd)) if named else HOLE
    scope = where.ground.scope_of(path, where.command)
    return Effect(act, path, scope, verb, whole, text=call.text, command=where.command)


def _removed(call: Call, where: Where) -> Iterator[Effect]:
    yield on_path(Act.DELETE, call, where, 0)


def _removed_whole(call: Call, where: Where) -> Iterator[Effect]:
    yield on_path(Act.DELETE, call, where, 0, whole=True)


CALLS = {
    **dict.fromkeys(("os.remove", "os.unlink", "os.rmdir"), CallReading(frozenset({Act.DELETE}), _removed)),
    **dict.fromkeys(("shutil.rmtree", "os.removedirs"), CallReading(frozenset({Act.DELETE}), _removed_whole)),
}
