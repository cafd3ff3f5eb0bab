"""What is known of single products, beyond the grammar that they share. The YAML beside this module holds it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from supervisor.evidence.effects.platforms.pattern import Deed, deeds_of
from supervisor.evidence.effects.platforms.resource import Sort

_FOLDER = Path(__file__).parent
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Program(NamedTuple):
    """A command line tool. `values` are its options that take the next word; `opaque` is told by its deeds alone;
    `runs` are the words behind which a command of somebody else's stands; `verb_at` is where the verb always stands;
    `stdin` tells that it takes commands there.
    """

    product: str = ""
    deeds: str = ""
    sort: Sort | None = None
    values: frozenset[str] = frozenset()
    runs: frozenset[str] = frozenset()
    nouns: Mapping[str, Sort] = {}
    verb_at: int | None = None
    opaque: bool = False
    stdin: bool = False

    @property
    def rules(self) -> tuple[Deed, ...]:
        """Its deeds, read when they are first asked for."""
        return deeds_of(self.deeds)


class Host(NamedTuple):
    """Who answers at an address: a product, what its resources are where their names do not tell, and its deeds."""

    product: str = ""
    sort: Sort | None = None
    deeds: str = ""


def _load(path: Path) -> Any:
    with path.open(encoding="utf-8") as file:
        return yaml.load(file, Loader=_LOADER)  # noqa: S506 - the safe loader, in C where there is one


@cache
def nouns() -> Mapping[str, Sort]:
    """The sort of every noun that is known."""
    return {word: Sort(sort) for sort, words in _load(_FOLDER / "nouns.yaml").items() for word in words.split()}


@cache
def programs() -> Mapping[str, Program]:
    """Every tool by each of its names."""
    loaded: dict[str, Program] = {}
    for file in sorted((_FOLDER / "programs").glob("*.yaml")):
        for names, told in _load(file).items():
            program = _program(names.split()[0], told or {})
            loaded.update(dict.fromkeys(names.split(), program))
    return loaded


def _program(name: str, told: Mapping[str, Any]) -> Program:
    renamed = (pair.partition("=") for pair in told.get("nouns", "").split())
    return Program(
        product=told.get("product", name),
        deeds=told.get("deeds", ""),
        sort=Sort(told["sort"]) if "sort" in told else None,
        values=frozenset(told.get("values", "").split()),
        runs=frozenset(told.get("runs", "").split()),
        nouns={noun: Sort(sort) for noun, _, sort in renamed},
        verb_at=told.get("verb_at"),
        opaque=told.get("opaque", False),
        stdin=told.get("stdin", False),
    )


@cache
def hosts() -> Mapping[str, Host]:
    """Every API by its host's name, by the end of one (`.algolia.net`), or by its port (`:9200`)."""
    loaded: dict[str, Host] = {}
    for names, told in _load(_FOLDER / "hosts.yaml").items():
        sort = Sort(told["sort"]) if "sort" in told else None
        for name in names.split():
            loaded[name] = Host(told.get("product", name), sort, told.get("deeds", ""))
    return loaded
