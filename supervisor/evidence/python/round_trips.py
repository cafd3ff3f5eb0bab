"""Round trips: code that loads what it dumped itself, as tests of a serializer do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from tree_sitter import Node

from supervisor.evidence.python.modules import Call, Module

MAX_DUMPS = 200
MAX_NAMES = 128  # of one value
_DUMPS = frozenset({"Pickler", "dump", "dumps", "encode", "save", "savez", "to_pickle"})
_DUMPS_INTO_FIRST = ("Pickler", "numpy.save", "numpy.savez", "to_pickle")  # the others: into their second argument
_NO_DATA = frozenset({"Path", "cls", "join", "open", "os", "self"})  # names that any two file paths may share


class Dump(NamedTuple):
    """A call that dumps, the function around it, and the names of its target."""

    call: Call
    scope: Node | None
    names: frozenset[str]


def dumps_of(module: Module) -> list[Dump]:
    """The first MAX_DUMPS calls that dump."""
    calls = islice((call for call in module.calls if call.method in _DUMPS), MAX_DUMPS)
    return [Dump(call, module.scope_of(call.node), _names_of_dump(call)) for call in calls]


def loads_own_dump(call: Call, dumps: Sequence[Dump]) -> bool:
    """Whether the function around a load also dumps into what it loads."""
    scope = call.code.scope_of(call.node)
    data = frozenset[str]().union(*(_names_in(call.code, node) for node in call.positional)) - _NO_DATA
    return any(scope == dump.scope and (data & dump.names or _holds(call.node, dump.call.node)) for dump in dumps)


def _names_of_dump(call: Call) -> frozenset[str]:
    into = call.positional[:1] if call.name.endswith(_DUMPS_INTO_FIRST) else call.positional[1:]
    assigned = frozenset(target for target, value in call.code.assignments if _holds(value, call.node))
    return assigned.union(*(_names_in(call.code, node) for node in into))


def _names_in(module: Module, node: Node) -> frozenset[str]:
    """The identifiers and strings in a node, at most MAX_NAMES."""
    pending, found = [node], set[str]()
    while pending and len(found) < MAX_NAMES:
        here = pending.pop()
        if here.type in ("identifier", "string_content"):
            found.add(module.text(here))
        pending.extend(here.named_children)
    return frozenset(found)


def _holds(outer: Node, inner: Node) -> bool:
    """Whether the outer node contains the inner one, or is the same."""
    return bool(outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte)
