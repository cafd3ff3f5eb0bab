"""Words of `limits.yaml` and `conditions.yaml`: how people forbid, and what they want done first."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from functools import cache
from typing import Any

from supervisor.evidence.reading.tables import table_beside
from supervisor.evidence.situation.expressions import any_of

_REST = r"([^.;!?\n,\u3002\uff01\uff1f\uff0c\u3001)]{0,60})"
_BETWEEN = r"(?:\s{1,4}[\w'\u2019/-]{1,40}){0,2}?\s{1,4}"
_START = r"(?:^|[.;:,!(\u2013-]\s{0,4}|\b(?:but|and|so|with) )"


def _limits() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = table_beside(__file__, "limits.yaml")
    return loaded


@cache
def numbers() -> Mapping[str, int]:
    """Numbers that requests write as words."""
    known: Mapping[str, int] = _limits()["numbers"]
    return known


@cache
def phrase(name: str) -> re.Pattern[str]:
    """A pattern of `limits.yaml` that is not of one language."""
    return any_of(_limits()[name])


@cache
def condition(name: str) -> re.Pattern[str]:
    """A pattern of `conditions.yaml`."""
    known = table_beside(__file__, "conditions.yaml")
    given = known[name]
    patterns = [given] if isinstance(given, str) else given
    placed = [each.replace("{place}", known["place"]) for each in patterns]
    return any_of(placed, 0) if name == "together" else any_of(placed)


@cache
def place_names() -> Mapping[str, str]:
    """What commands call the places that requests name in other alphabets."""
    names: Mapping[str, str] = table_beside(__file__, "conditions.yaml")["place_names"]
    return names


def prohibitions(text: str, sorts: Container[str] | None = None) -> Iterator[tuple[str, re.Pattern[str]]]:
    """The patterns that may forbid an act of these sorts (None: any) in this text, each with the sort of the act. The
    group is the rest of the clause. Languages whose negation the text lacks are left out."""
    is_ascii = text.isascii()
    for name in _languages():
        negation = _negation(name)
        if negation.search(text) if negation else not is_ascii:
            for sort in _limits()[name]["acts"]:
                if sorts is None or sort in sorts:
                    yield sort, _prohibition(name, sort)


@cache
def _languages() -> tuple[str, ...]:
    return tuple(name for name, each in _limits().items() if isinstance(each, dict) and "acts" in each)


@cache
def _negation(language: str) -> re.Pattern[str] | None:
    given = _limits()[language]
    return any_of(rf"\b(?:{given['negation']}|{given.get('at_start', 'no')})\b") if "negation" in given else None


@cache
def stems(sort: str) -> re.Pattern[str]:
    """A pattern of the words for an act, in every language that negates with a word of its own."""
    languages = (_limits()[name] for name in _languages() if _negation(name) is not None)
    return any_of(rf"\b(?:{each['acts'][sort]})" for each in languages if sort in each["acts"])


@cache
def _prohibition(name: str, sort: str) -> re.Pattern[str]:
    language = _limits()[name]
    verbs = language["acts"][sort]
    order, negation = language["order"], language.get("negation", "")
    if order == "within":
        return any_of(rf"(?:{verbs}){_REST}")
    negated = rf"\b(?:{negation}){_BETWEEN}"
    if at_start := language.get("at_start"):
        negated = rf"(?:{negated}|{_START}(?:{at_start})\s(?:\w+ )?)"
    before = rf"{negated}(?:{verbs})\b{_REST}"
    if order == "before":
        return any_of([before])
    after = rf"\b(?:{verbs})(?:\s{{1,4}}[\w'\u2019-]{{1,40}}){{0,2}}?\s{{1,4}}(?:{negation})\b"
    return any_of([before, after])
