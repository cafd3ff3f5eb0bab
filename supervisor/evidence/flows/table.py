"""The tables: what is a source, what passes a value on, what makes it safe, where it must not arrive.

A language's file has the rows of its frameworks; `weaknesses.yaml` has what all languages share.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

import re2

from supervisor.evidence.flows.grammar import LANGUAGES
from supervisor.evidence.flows.patterns import Pattern, patterns
from supervisor.evidence.reading.tables import table_beside

_LISTS = (
    "sources",
    "local_sources",
    "outputs",
    "local_outputs",
    "carries",
    "formats",
    "inert",
    "appends",
    "fills",
    "checks",
)
_SETS = (
    "client_annotations",
    "client_types",
    "handler_annotations",
    "handler_bases",
    "inert_keys",
    "inert_names",
    "interpolates",
    "inert_ends",
)


class Condition(NamedTuple):
    """What an argument is: the place, the pattern of its text or code, and whether it must be a text that the code
    fixes (`text:` before the pattern)."""

    place: str
    wanted: re.Pattern[str]
    literal: bool


Conditions = tuple[Condition, ...]


class Fault(NamedTuple):
    """A setting that is a weakness by itself: a call, an assigned member or a function (`pattern`), whose arguments
    have these texts (`when`), in a statement with words of this group (`near`), without any of that (`far`), in code with
    this (`needs`)."""

    weakness: str
    pattern: Pattern
    when: Conditions
    near: str
    far: str
    needs: str
    missing: str
    slight: bool


class Sink(NamedTuple):
    """A place where values must not arrive: a call with its arguments, or what is assigned (`pattern`), whose other
    arguments have these texts (`when`), after a text that begins like this (`after`), in code without that (`far`) and with this
    (`needs`). `judge` replaces that of the weakness."""

    weakness: str
    pattern: Pattern
    when: Conditions = ()
    after: re.Pattern[str] | None = None
    far: str = ""
    needs: str = ""
    judge: str = ""


class Table(NamedTuple):
    """The rows of one language, by the last part of the names that they are about."""

    lists: Mapping[str, Mapping[str, tuple[Pattern, ...]]]
    cleans: Mapping[str, tuple[tuple[str, Pattern], ...]]
    sinks: Mapping[str, tuple[Sink, ...]]
    faults: Mapping[str, tuple[Fault, ...]]
    sets: Mapping[str, frozenset[str]]
    advice: Mapping[str, str]
    names: frozenset[str]  # that a row of `sinks` or `faults` is about
    places: Any  # an RE2 pattern of these names


class Weakness(NamedTuple):
    """What all languages share of one weakness: how it is judged, what is said of it, and the stems of the names of
    functions that make a value safe for it. A statement with a text like `unless` does not have it.
    `remote`: only what another machine sends counts."""

    name: str
    cwe: str
    judge: str
    reason: str
    cleaning: tuple[str, ...]
    unless: re.Pattern[str] | None
    remote: bool


@cache
def weaknesses() -> Mapping[str, Weakness]:
    """The weaknesses by name."""
    told: dict[str, Any] = table_beside(__file__, "weaknesses.yaml")["weaknesses"]
    return {
        name: Weakness(
            name,
            row["cwe"],
            row.get("judge", "client"),
            row["reason"],
            tuple(row.get("cleaning", "").split()),
            re.compile(row["unless"]) if "unless" in row else None,
            bool(row.get("remote")),
        )
        for name, row in told.items()
    }


@cache
def only_remote() -> frozenset[str]:
    """The weaknesses for which a value that the program's own user gives is no fault."""
    return frozenset(name for name, weakness in weaknesses().items() if weakness.remote)


@cache
def shared(name: str) -> tuple[str, ...]:
    """Words that all languages share."""
    told: str = table_beside(__file__, "weaknesses.yaml")["words"][name]
    return tuple(told.split())


@cache
def table_of(language: str) -> Table:
    """The table of a language. Raises ValueError for a row that cannot be read."""
    told = table_beside(LANGUAGES, f"{language}.yaml")
    if "like" in told["grammar"]:
        return table_of(told["grammar"]["like"])
    frameworks: list[dict[str, Any]] = list(told["flows"].values())
    advice: dict[str, str] = told.get("advice", {})
    if "rows" in told["grammar"]:
        more = table_beside(LANGUAGES, f"{told['grammar']['rows']}.yaml")
        frameworks, advice = [*frameworks, *more["flows"].values()], {**more["advice"], **advice}
    sinks, faults = _sinks(frameworks), _faults(frameworks)
    return Table(
        {name: _by_last(each for row in frameworks for each in patterns(row.get(name, ""))) for name in _LISTS},
        _cleans(frameworks),
        sinks,
        faults,
        {name: frozenset(" ".join(row.get(name, "") for row in frameworks).split()) for name in _SETS},
        advice,
        frozenset((*sinks, *faults)),
        _places((*sinks, *faults)),
    )


def _places(names: Iterable[str]) -> Any:
    words = sorted({name for name in names if name[-1:].isalnum() or name[-1:] == "_"})
    others = sorted(set(names) - set(words))
    words_found = rf"\b(?:{'|'.join(map(re2.escape, words))})\b"
    return re2.compile("|".join([words_found, *map(re2.escape, others)]))


def _by_last(found: Iterable[Pattern]) -> dict[str, tuple[Pattern, ...]]:
    by_last: dict[str, list[Pattern]] = {}
    for each in found:
        by_last.setdefault(each.last, []).append(each)
    return {last: tuple(sorted(rows, key=lambda each: each.head is None)) for last, rows in by_last.items()}


def _cleans(frameworks: list[dict[str, Any]]) -> dict[str, tuple[tuple[str, Pattern], ...]]:
    by_last: dict[str, list[tuple[str, Pattern]]] = {}
    for row in frameworks:
        for weakness, told in row.get("cleans", {}).items():
            _known(weakness)
            for each in patterns(told):
                by_last.setdefault(each.last, []).append((weakness, each))
    return {last: tuple(rows) for last, rows in by_last.items()}


def _sinks(frameworks: list[dict[str, Any]]) -> dict[str, tuple[Sink, ...]]:
    by_last: dict[str, list[Sink]] = {}
    for row in frameworks:
        for weakness, listed in row.get("sinks", {}).items():
            _known(weakness)
            for told in listed if isinstance(listed, list) else [listed]:
                at, more = (told["at"], told) if isinstance(told, dict) else (told, {})
                judge = more.get("judge", "") or row.get("judges", {}).get(weakness, "")
                after = re.compile(more["after"]) if "after" in more else None
                for each in patterns(at):
                    by_last.setdefault(each.last, []).append(
                        Sink(weakness, each, _conditions(more), after, more.get("far", ""), more.get("with", ""), judge)
                    )
    return {last: tuple(rows) for last, rows in by_last.items()}


def _faults(frameworks: list[dict[str, Any]]) -> dict[str, tuple[Fault, ...]]:
    by_last: dict[str, list[Fault]] = {}
    for row in frameworks:
        for weakness, faults in row.get("faults", {}).items():
            _known(weakness)
            for told in faults:
                rest = (*(told.get(name, "") for name in ("near", "far", "with", "missing")), bool(told.get("slight")))
                for each in patterns(told["at"]):
                    by_last.setdefault(each.last, []).append(Fault(weakness, each, _conditions(told), *rest))
    return {last: tuple(rows) for last, rows in by_last.items()}


def _conditions(told: Mapping[str, Any]) -> Conditions:
    when: Mapping[object, str] = told.get("when", {})
    return tuple(
        Condition(str(place), re.compile(text.removeprefix("text:")), text.startswith("text:"))
        for place, text in when.items()
    )


def _known(weakness: str) -> None:
    if weakness != "all" and weakness not in weaknesses():
        raise ValueError(f"{weakness} is not among the weaknesses")
