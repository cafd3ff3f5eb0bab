"""The tables: what is a source, what passes a value on, what makes it safe, where it must not arrive.

A language's file has the rows of its frameworks; `weaknesses.yaml` has what all languages share.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import re2

from supervisor.evidence.flows.grammar import LANGUAGES
from supervisor.evidence.flows.patterns import Pattern, pattern, patterns
from supervisor.evidence.reading.tables import table_beside

# The rows that are lists of patterns, and those that are sets of words.
_LISTS = (
    *("sources", "local_sources", "outputs", "local_outputs", "carries", "formats", "inert", "appends", "fills"),
    *("checks",),
)
_SETS = (
    *("client_annotations", "client_types", "handler_annotations", "handler_bases", "inert_keys", "inert_names"),
    *("interpolates", "inert_ends", "loose", "tests"),
)
_OTHERS = frozenset({"cleans", "sinks", "faults", "judges", "returns"})

Row = Mapping[str, Any]


class Condition(NamedTuple):
    """What an argument is: the place, the pattern of its text or code, and whether it must be a text that the code
    fixes (`text:` before the pattern)."""

    place: str
    wanted: re.Pattern[str]
    literal: bool


Conditions = tuple[Condition, ...]


class Sink(NamedTuple):
    """A place where values must not arrive: a call with its arguments, or what is assigned (`pattern`), whose other
    arguments have these texts (`when`), after a text that begins like this (`after`). The code has no `far` and has
    what it `needs`. `judge` replaces that of the weakness."""

    weakness: str
    pattern: Pattern
    when: Conditions
    after: re.Pattern[str] | None
    far: re.Pattern[str] | None
    needs: re.Pattern[str] | None
    judge: str


class Fault(NamedTuple):
    """A setting that is a weakness by itself: a call, an assigned member or a function (`pattern`), whose arguments
    have these texts (`when`) and which lacks one (`missing`), in a statement with words of the group `near`. The code
    has no `far` and has what it `needs`. A `slight` one is for a person to look at."""

    weakness: str
    pattern: Pattern
    when: Conditions
    near: str
    missing: str
    far: re.Pattern[str] | None
    needs: re.Pattern[str] | None
    slight: bool


class Table(NamedTuple):
    """The rows of one language, by the last part of the names that they are about. `places` is an RE2 pattern of the
    names of all sinks and faults."""

    lists: Mapping[str, Mapping[str, tuple[Pattern, ...]]]
    cleans: Mapping[str, tuple[tuple[str, Pattern], ...]]
    sinks: Mapping[str, tuple[Sink, ...]]
    faults: Mapping[str, tuple[Fault, ...]]
    returns: tuple[Sink, ...]  # texts that mean something to who calls the function, by how they begin
    sets: Mapping[str, frozenset[str]]
    advice: Mapping[str, str]
    places: Any


class Weakness(NamedTuple):
    """What all languages share of one weakness: how it is judged, what is said of it, and the stems of the names of
    functions that make a value safe for it. A statement with a text like `unless` does not have it. `remote`: only
    what another machine sends counts. `advice` is what to write instead, in the languages that have no words of their
    own."""

    name: str
    cwe: str
    judge: str
    reason: str
    cleaning: tuple[str, ...]
    unless: re.Pattern[str] | None
    remote: bool
    advice: str


@cache
def weaknesses() -> Mapping[str, Weakness]:
    """The weaknesses by name."""
    told: dict[str, Row] = table_beside(__file__, "weaknesses.yaml")["weaknesses"]
    return {
        name: Weakness(
            name,
            row["cwe"],
            row.get("judge", "client"),
            row["reason"],
            tuple(row.get("cleaning", "").split()),
            _sought(row, "unless"),
            bool(row.get("remote")),
            row.get("advice", ""),
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
    frameworks, advice = _frameworks(told)
    rows = [*_sinks(frameworks)]
    sinks, faults = _by_last([*rows, *_leaks(rows)]), _by_last(_faults(frameworks))
    cleans = list(_cleans(frameworks))
    return Table(
        {
            name: _patterns_by_last(each for row in frameworks for each in patterns(row.get(name, "")))
            for name in _LISTS
        },
        {last: tuple(each for each in cleans if each[1].last == last) for last in {each[1].last for each in cleans}},
        sinks,
        faults,
        tuple(_returns(frameworks)),
        {name: frozenset(" ".join(row.get(name, "") for row in frameworks).split()) for name in _SETS},
        advice,
        _places({*sinks, *faults, *_begun(frameworks)}),
    )


def _frameworks(told: Row) -> tuple[list[Row], Mapping[str, str]]:
    """The rows of a language's frameworks, and of the language whose rows it has as well; what to write instead."""
    own, advice = list(told["flows"].values()), told.get("advice", {})
    more = told["grammar"].get("rows")
    if more is not None:
        others, said = _frameworks(table_beside(LANGUAGES, f"{more}.yaml"))
        own, advice = [*own, *others], {**said, **advice}
    unknown = {name for row in own for name in row} - {*_LISTS, *_SETS, *_OTHERS}
    if unknown:
        raise ValueError(f"{', '.join(sorted(unknown))}: no such rows")
    return own, advice


def _listed(frameworks: list[Row], name: str) -> Iterator[Pattern]:
    for row in frameworks:
        yield from patterns(row.get(name, ""))


def _places(names: set[str]) -> Any:
    words = sorted(name for name in names if name[-1].isalnum() or name[-1] == "_")
    others = sorted(names - set(words))
    return re2.compile("|".join([rf"\b(?:{'|'.join(map(re2.escape, words))})\b", *map(re2.escape, others)]))


def _patterns_by_last(found: Iterable[Pattern]) -> dict[str, tuple[Pattern, ...]]:
    """The patterns by their last part, those of any object last: the others say more."""
    by_last: dict[str, list[Pattern]] = {}
    for each in found:
        by_last.setdefault(each.last, []).append(each)
    return {last: tuple(sorted(rows, key=lambda each: each.head is None)) for last, rows in by_last.items()}


def _by_last(found: Iterable[Any]) -> dict[str, tuple[Any, ...]]:
    by_last: dict[str, list[Any]] = {}
    for each in found:
        by_last.setdefault(each.pattern.last, []).append(each)
    return {last: tuple(rows) for last, rows in by_last.items()}


def _cleans(frameworks: list[Row]) -> Iterator[tuple[str, Pattern]]:
    for row in frameworks:
        for weakness, told in row.get("cleans", {}).items():
            yield from ((_known(weakness), each) for each in patterns(told))


def _sinks(frameworks: list[Row]) -> Iterator[Sink]:
    for row in frameworks:
        for weakness, listed in row.get("sinks", {}).items():
            usual = row.get("judges", {}).get(weakness, "")
            for told in listed if isinstance(listed, list) else [listed]:
                yield from _sinks_of(_known(weakness), {"at": told} if isinstance(told, str) else told, usual)


# What goes into a log is judged as a line of text, and by what it tells.
_PRINTS = frozenset({"console", "Console", "println", "eprintln", "trigger_error"})  # to whoever runs the program


def _leaks(sinks: Iterable[Sink]) -> Iterator[Sink]:
    """For each sink of a log one for all of its arguments, which must be no secret."""
    for row in sinks:
        owner, given = (row.pattern.head or ("",))[-1], row.pattern.given
        if row.weakness == "log" and _PRINTS.isdisjoint({owner, row.pattern.last, owner.capitalize()}):
            all_of = given if given and given[0].startswith("format") else ("*",)
            yield row._replace(weakness=_known("leak"), pattern=row.pattern._replace(given=all_of), judge="")


def _sinks_of(weakness: str, told: Row, usual: str) -> Iterator[Sink]:
    when, judge = _conditions(told), told.get("judge", usual)
    after, far, needs = (_sought(told, name) for name in ("after", "far", "with"))
    for each in patterns(told["at"]):
        yield Sink(weakness, each, when, after, far, needs, judge)


def _begun(frameworks: list[Row]) -> Iterator[str]:
    for row in frameworks:
        for begins in row.get("returns", {}).values():
            yield from (f'"{each}' for each in begins.split())


def _returns(frameworks: list[Row]) -> Iterator[Sink]:
    for row in frameworks:
        for weakness, begins in row.get("returns", {}).items():
            after = re.compile("|".join(map(re.escape, begins.split())))
            yield Sink(_known(weakness), pattern("returns"), (), after, None, None, "")


def _faults(frameworks: list[Row]) -> Iterator[Fault]:
    for row in frameworks:
        for weakness, listed in row.get("faults", {}).items():
            for told in listed:
                yield from _faults_of(_known(weakness), told)


def _faults_of(weakness: str, told: Row) -> Iterator[Fault]:
    near, missing, slight = told.get("near", ""), str(told.get("missing", "")), bool(told.get("slight"))
    when, far, needs = _conditions(told), _sought(told, "far"), _sought(told, "with")
    for each in patterns(told["at"]):
        yield Fault(weakness, each, when, near, missing, far, needs, slight)


def _sought(told: Row, name: str) -> re.Pattern[str] | None:
    return re.compile(told[name]) if name in told else None


def _conditions(told: Row) -> Conditions:
    when: Mapping[object, str] = told.get("when", {})
    return tuple(
        Condition(str(place), re.compile(text.removeprefix("text:")), text.startswith("text:"))
        for place, text in when.items()
    )


def _known(weakness: str) -> str:
    if weakness not in weaknesses():
        raise ValueError(f"{weakness} is not among the weaknesses")
    return weakness
