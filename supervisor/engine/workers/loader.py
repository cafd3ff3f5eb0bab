"""The specialists of a worker, imported from their files at their first use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from supervisor.action import Action, Context
from supervisor.catalog.catalog import load_specialist
from supervisor.catalog.discovery import Pair
from supervisor.errors import BadTaxonomy
from supervisor.evidence.actions.deed import deed
from supervisor.regexes import compile_pending
from supervisor.specialist import EVERY_KIND, Opinion, Specialist, refuse
from supervisor.verdict import Cause, Finding, Verdict

_EVERY = frozenset({EVERY_KIND})
FINGERPRINT = ""  # the name of a specialist whose evidence is the action's deed: its fingerprint and options


class Specialists:
    """Specialists by name."""

    def __init__(self, pairs: Iterable[Pair]) -> None:
        self._pairs = {pair.id: pair for pair in pairs}
        self._loaded: dict[str, Specialist] = {}

    @classmethod
    def from_json(cls, pairs: Iterable[list[str]]) -> Specialists:
        """From the JSON that `pairs_to_json` makes."""
        return cls(Pair(family, name, entry, file, "") for family, name, entry, file in pairs)

    def missing(self, names: Iterable[str]) -> list[str]:
        """Those that are not imported yet."""
        return [name for name in names if name not in self._loaded]

    def all_missing(self) -> list[str]:
        """Everything that is not imported yet."""
        return self.missing([*self._pairs, FINGERPRINT])

    def load(self, name: str) -> None:
        """Imports one. A file that cannot be imported any more becomes a specialist that refuses with the reason."""
        if name == FINGERPRINT:
            self._loaded[name] = _fingerprint_of_anything()
            return
        try:
            self._loaded[name] = load_specialist(self._pairs[name])
        except (BadTaxonomy, KeyError) as error:
            self._loaded[name] = _unloadable(name, str(error))

    def __iter__(self) -> Iterator[Specialist]:
        """Those that are imported."""
        return iter(self._loaded.values())

    def __getitem__(self, name: str) -> Specialist:
        return self._loaded[name]


def pairs_to_json(pairs: Iterable[Pair]) -> list[Any]:
    """The pairs as JSON, for another process that imports the same specialists."""
    return [(pair.family, pair.id, pair.taxonomy, pair.specialist) for pair in pairs]


def _unloadable(name: str, problem: str) -> Specialist:
    def judge(action: Action, context: Context) -> Opinion:
        return refuse(f"cannot be loaded: {problem}", Cause.INFRASTRUCTURE)

    return Specialist(name, _EVERY, judge, uses_doors=False)


def _fingerprint_of_anything() -> Specialist:
    from supervisor.evidence.actions import programs, statements  # noqa: F401 - else `deed` imports them in its time budget

    compile_pending()

    def judge(action: Action, context: Context) -> Opinion:
        return Finding(Verdict.OK, evidence=tuple(sorted(deed(action, context))))

    return Specialist(FINGERPRINT, _EVERY, judge, uses_doors=False)
