"""Facts about single products, beyond their common grammar. They are loaded from the YAML files beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from supervisor.evidence.effects.platforms.pattern import OperationRule, rules_of
from supervisor.evidence.effects.platforms.resource import Sort
from supervisor.evidence.reading.tables import decoded, table_beside


class Program(NamedTuple):
    """A command line tool.

    `values` are the options that take the next word; an `opaque` tool is read by its rules alone, not by the grammar;
    `runs` are the words before the command of another program; `verb_at` is the position that the verb always has;
    `stdin` is whether the tool reads commands from standard input; `on_last` are the verbs that change what their last
    operand names.
    """

    product: str = ""
    rules: str = ""
    sort: Sort | None = None
    values: frozenset[str] = frozenset()
    runs: frozenset[str] = frozenset()
    nouns: Mapping[str, Sort] = {}
    verb_at: int | None = None
    opaque: bool = False
    stdin: bool = False
    on_last: frozenset[str] = frozenset()

    @property
    def parsed_rules(self) -> tuple[OperationRule, ...]:
        """The parsed `rules`."""
        return rules_of(self.rules)


class Host(NamedTuple):
    """The product at an address, the sort of its resources if their names do not show it, and its rules."""

    product: str = ""
    sort: Sort | None = None
    rules: str = ""


@cache
def nouns() -> Mapping[str, Sort]:
    """The sort of every known noun."""
    return {word: Sort(sort) for sort, words in table_beside(__file__, "nouns.yaml").items() for word in words.split()}


@cache
def programs() -> Mapping[str, Program]:
    """Every tool by each of its names."""
    loaded: dict[str, Program] = {}
    for file in sorted(Path(__file__).with_name("programs").glob("*.yaml")):
        for names, entry in decoded(file.read_text(encoding="utf-8")).items():
            program = _program(names.split()[0], entry or {})
            loaded.update(dict.fromkeys(names.split(), program))
    return loaded


def _program(name: str, entry: Mapping[str, Any]) -> Program:
    renamed = (pair.partition("=") for pair in entry.get("nouns", "").split())
    return Program(
        product=entry.get("product", name),
        rules=entry.get("rules", ""),
        sort=Sort(entry["sort"]) if "sort" in entry else None,
        values=frozenset(entry.get("values", "").split()),
        runs=frozenset(entry.get("runs", "").split()),
        nouns={noun: Sort(sort) for noun, _, sort in renamed},
        verb_at=entry.get("verb_at"),
        opaque=entry.get("opaque", False),
        stdin=entry.get("stdin", False),
        on_last=frozenset(entry.get("on_last", "").split()),
    )


@cache
def hosts() -> Mapping[str, Host]:
    """Every API by its host's name, by the end of one (`.algolia.net`), or by its port (`:9200`)."""
    loaded: dict[str, Host] = {}
    for names, entry in table_beside(__file__, "hosts.yaml").items():
        sort = Sort(entry["sort"]) if "sort" in entry else None
        for name in names.split():
            loaded[name] = Host(entry.get("product", name), sort, entry.get("rules", ""))
    return loaded
