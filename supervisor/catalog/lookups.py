"""Noting which facts are looked up while a specialist judges its cases."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import FrameType
from typing import Any

from supervisor.specialist import Specialist


class Lookups:
    """The names of facts that were looked up: all of them, and those that one file looked up itself."""

    def __init__(self, file: str) -> None:
        self._file = file
        self.all: set[str] = set()
        self.own: set[str] = set()

    def note(self, name: object, caller: FrameType) -> None:
        """Notes a lookup by the code in a frame."""
        self.all.add(str(name))
        if caller.f_code.co_filename == self._file:
            self.own.add(str(name))


class Observed(dict[str, Any]):
    """Facts that note which of them are looked up."""

    def __init__(self, facts: Mapping[str, Any], lookups: Lookups) -> None:
        super().__init__(facts)
        self._lookups = lookups

    def __getitem__(self, name: str) -> Any:
        self._lookups.note(name, sys._getframe(1))
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        self._lookups.note(name, sys._getframe(1))
        return super().__contains__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a fact, or `default`."""
        self._lookups.note(name, sys._getframe(1))
        return super().get(name, default)


def declared(specialist: Specialist) -> frozenset[str]:
    """Every name under which a specialist may look up the facts that it declares."""
    from supervisor.catalog.facts import FACTS

    known = (FACTS.get(each, each) if isinstance(each, str) else each for each in specialist.facts)
    named = (name for each in known for name in ([each] if isinstance(each, str) else [each.name, *each.also]))
    return specialist.needs_facts.union(named)
