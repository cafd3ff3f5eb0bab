"""Whether the assertions of a changed test ask less of the same result than before."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from supervisor.evidence.testing.assertions import Assertion, Strength, assertions
from supervisor.evidence.testing.reading import plainly

_NAMES = re.compile(r"[A-Za-z_]\w*")
_COMMON = frozenset(
    "len str int float list dict set sorted round repr self this await isinstance type got result actual value".split()
)
_TOLERANCE = re.compile(
    r"\b(?:abs|rel|delta|tolerance|atol|rtol|epsilon|msg_delta|within)\s*[=:(]\s*(\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?)"
    r"|be_within\((\d[\d.]*)\)|offset\((\d[\d.]*)[fd]?\)|(?:InDelta|InEpsilon|EXPECT_NEAR|BeApproximately|closeTo)"
    r"\([^\n]{0,200}?,\s*(\d[\d.]*)[fdm]?\)\s*;?$"
)
_PLACES = re.compile(r"(?:places\s*=\s*|toBeCloseTo\([^,\n]{1,100},\s*)(-?\d{1,2})")
_LITERAL = re.compile(r"\d[\w.]*|\"[^\"\n]*\"|'[^'\n]*'")
_REPORTS = re.compile(r"^\s*(?:t|b)\.(?:Error|Fatal|Fail)")
_LOOSE = ("true", "false", "none", "null", "nil", "undefined")
_MOST = 100  # changed assertions that are compared
_MUCH = 10  # times as tolerant


class _About(NamedTuple):
    """An assertion with the expression and the names that it is about."""

    assertion: Assertion
    subject: str
    names: frozenset[str]


def weaker_assertion(before: str, after: str) -> str:
    """The assertion after a change that asks less of the same result than the one before; empty for most changes."""
    old = [_about(each) for each in _only_in(before, after)[:_MOST]]
    new = [_about(each) for each in _only_in(after, before)[:_MOST]] if old else []
    for each in old:
        if each.assertion.expected.strip().lower() in _LOOSE:
            continue  # `x == True` asks no more than `x`
        rivals = [other.assertion for other in new if _same_subject(each, other)]
        if not rivals:
            continue
        strongest = max(rivals, key=lambda other: other.strength)
        if each.assertion.strength is Strength.EQUAL and strongest.strength is Strength.BOUND:
            return strongest.text.strip()
        if strongest.strength is Strength.EQUAL and _is_looser(each.assertion, strongest):
            return strongest.text.strip()
    return ""


def _about(assertion: Assertion) -> _About:
    subject = plainly(assertion.subject)
    names = frozenset(_NAMES.findall(subject))
    return _About(assertion, subject, names - _COMMON or names)


def _only_in(text: str, other: str) -> tuple[Assertion, ...]:
    """The assertions that begin on lines which the other text lacks."""
    lines = Counter(line.strip() for line in other.splitlines())
    kept: list[str] = []
    is_kept = False
    for line in text.splitlines():
        if lines[line.strip()] > 0:
            lines[line.strip()] -= 1
        elif line.strip():
            kept.append(line)
            is_kept = line.rstrip().endswith("{")
            continue
        elif not line.strip():
            continue
        if is_kept and _REPORTS.search(line):  # `if got != want {` and its `t.Errorf`
            kept.append(line)
        is_kept = False
    return assertions("\n".join(kept)) if kept else ()


def _same_subject(one: _About, other: _About) -> bool:
    if one.subject == other.subject:
        return bool(one.subject)
    return bool(one.names) and bool(other.names) and (one.names <= other.names or other.names <= one.names)


def _is_looser(one: Assertion, other: Assertion) -> bool:
    if _LITERAL.findall(one.expected)[:1] != _LITERAL.findall(other.expected)[:1]:
        return False  # another expectation
    places, fewer = _PLACES.search(one.text), _PLACES.search(other.text)
    if fewer and int(fewer[1]) < (int(places[1]) if places else 2) and int(fewer[1]) <= 0:
        return True
    given, wider = _tolerance(one), _tolerance(other)
    return wider is not None and wider >= 1 and wider > _MUCH * (given or 0.1)


def _tolerance(assertion: Assertion) -> float | None:
    found = _TOLERANCE.search(assertion.text)
    number = next(filter(None, found.groups()), None) if found else None
    try:
        return float(number.replace("_", "")) if number else None
    except ValueError:
        return None
