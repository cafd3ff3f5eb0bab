"""The assertions of a text: what each is about, what it expects, and how much it asks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from supervisor.evidence.reading.tables import table_beside
from supervisor.evidence.testing.reading import bracket, line_from, parts_of, plainly


class Strength(IntEnum):
    """How much an assertion asks of a result."""

    BOUND = 1  # that there is one, or that it is above or below something
    PART = 2  # a part of it, or a range
    EQUAL = 3  # this one result


class Assertion(NamedTuple):
    """`subject` is the expression of the result and `expected` the one that it is compared with, both as written;
    `start` is the place in the text."""

    subject: str
    expected: str
    strength: Strength
    text: str
    start: int


class _Call(NamedTuple):
    strength: Strength
    place: int  # of the result among the arguments


_CALLED = re.compile(r"(?<![\w])([A-Za-z_]\w*!?)\s{0,2}(\(|(?<=[a-z]) (?=[\w\"':@\[]))")
_CHAINED = re.compile(r"(?:(?:\s|\.|->|\?\.){0,40})([A-Za-z_]\w*)(\(\)|\(|\s|\b)")
_HEADS = frozenset({"expect", "assertThat", "assert_that", "Expect", "verifyThat"})
_STATEMENT = re.compile(r"^[ \t]*(?:assert|assume)(?:[ \t]+(?!\()|[ \t]*(?=\()|!?(?=\())", re.MULTILINE)
_INFIX = re.compile(r"^[ \t]*(\S[^\n]{0,300}?)(?:\s+|\.)([sS]hould\w*)(?:\(\)\.(\w+)\(|\s+|\()([^\n]*)$", re.MULTILINE)
_REFUSED = re.compile(r"\bif\b[^\n{]{0,200}?([^\n;{]{1,200})\{\s*(?:t|b)\.(?:Error|Fatal)", re.MULTILINE)
_COMPARED = re.compile(
    r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[(\[{]|[)\]}]|(===?|!==?|=~|<=|>=|(?<![-=])>(?![=>])|<(?![=<])"
    r"|\bis not\b|\bis\b|\bnot in\b|\bin\b|\band\b|\bor\b|&&|\|\||,\s*[\"'f])"
)
_MOST = 2_000  # assertions of one text
_REFUSALS = frozenset({"not", "to_not", "not_to"})
_MOST_CALLS = 4_000  # calls that may be assertions
_CONDITIONS = frozenset({"assert", "assert!", "REQUIRE", "CHECK", "debug_assert!"})


@cache
def _calls() -> dict[str, _Call]:
    table = table_beside(__file__, "frameworks.yaml")["calls"]
    return {
        name: _Call(Strength[strength.upper()], place)
        for place, of_place in enumerate((table["first"], table["second"]))
        for strength, names in of_place.items()
        for name in names.split()
    }


@cache
def _matchers() -> dict[str, Strength]:
    table = table_beside(__file__, "frameworks.yaml")["matchers"]
    return {name: Strength[strength.upper()] for strength, names in table.items() for name in names.split()}


def sample_lines(path: str) -> str:
    """Typical lines of the tests in the language of a path; empty if it is not known."""
    suffix = path.rpartition(".")[2].lower()
    samples: dict[str, str] = table_beside(__file__, "frameworks.yaml")["samples"]
    return next((lines for suffixes, lines in samples.items() if suffix in suffixes.split()), "")


@lru_cache(maxsize=8)
def assertions(text: str) -> tuple[Assertion, ...]:
    """The assertions of a text in order, the first 2,000. Several readers ask about one text."""
    found = sorted(_found(text), key=lambda each: each.start)
    return tuple(found[:_MOST])


def _found(text: str) -> Iterator[Assertion]:
    for called in islice((each for each in _CALLED.finditer(text) if _is_assertion(each[1])), _MOST_CALLS):
        name = called[1]
        if name in _HEADS:
            yield from _matched(text, called)
        elif name in _calls():
            yield from _of_call(text, called, _calls()[name])
        elif called[2] == "(" and (inner := bracket(text, called.end() - 1)):
            rest = text[inner.end : inner.end + 4].lstrip(" ")
            if name.isupper() or name.endswith("!") or rest[:1] in (";", "\n", ""):
                yield _stated(inner.parts[0] if inner.parts else "", called.start(), text[called.start() : inner.end])
    for stated in _STATEMENT.finditer(text):
        line = line_from(text, stated.end())[:500]
        if not (text[stated.end() : stated.end() + 1] == "(" and line.rstrip().endswith(";")):
            yield _stated(line.rstrip(" ;"), stated.start(), text[stated.start() : stated.end() + len(line)])
    yield from _infix(text)
    for refused in _REFUSED.finditer(text):
        yield from _of_refusal(refused)


def _is_assertion(name: str) -> bool:
    return name in _HEADS or name in _calls() or name in _CONDITIONS


def _of_call(text: str, called: re.Match[str], call: _Call) -> Iterator[Assertion]:
    if called[2] == "(":
        inner = bracket(text, called.end() - 1)
        if inner is None:
            return
        parts, end = inner.parts, inner.end
    else:  # assert_equal 3, total
        line = line_from(text, called.end())
        parts, end = parts_of(line), called.end() + len(line)
    if parts[:1] in (("t",), ("s.T()",), ("suite.T()",), ("c",)):
        parts = parts[1:]
    if not parts:
        return
    place = 1 - call.place if called[1] == "assert_equal" and called[2] != "(" else call.place
    place = min(place, len(parts) - 1)
    # Either order is in use: what is no literal is the result.
    if len(parts) > 1 and _is_literal(parts[place]) and not _is_literal(parts[1 - place]):
        place = 1 - place
    expected = parts[1 - place] if len(parts) > 1 and place < 2 else ""
    whole = text[called.start() : end]
    if call.strength is Strength.BOUND and len(parts) == 1:  # assertTrue(a == b)
        yield _stated(parts[0], called.start(), whole)
    else:
        yield Assertion(parts[place], expected, call.strength, whole, called.start())


def _matched(text: str, called: re.Match[str]) -> Iterator[Assertion]:
    if called[2] != "(" or (inner := bracket(text, called.end() - 1)) is None or not inner.parts:
        return
    place, refused = inner.end, False
    for _ in range(8):
        word = _CHAINED.match(text, place)
        if word is None:
            break
        name = word[1]
        refused = refused or name in _REFUSALS
        strength = None if name == "be" and not word[2] else _strength_of(name, refused=refused)  # `to.be.above`
        if strength is not None:
            given, end = "", word.end()
            if word[2] == "(" and (arguments := bracket(text, word.end() - 1)):
                given, end = arguments.text, arguments.end
            elif word[2].isspace():
                given = line_from(text, word.end()).strip(" ;")[:200]
            is_bound = refused or (name == "be" and given.startswith(("<", ">")))
            strength = Strength.BOUND if is_bound else strength
            yield Assertion(inner.parts[0], given, strength, text[called.start() : end], called.start())
            return
        place = word.end() - 1 if word[2] == "(" else word.end()
        if word[2] == "(" and (arguments := bracket(text, place)):
            place = arguments.end
    if len(inner.parts) > 1:  # expect(total, equals(3))
        strength = (
            Strength.EQUAL
            if inner.parts[1].startswith(("equals", "is(")) or _is_literal(inner.parts[1])
            else (Strength.BOUND)
        )
        yield Assertion(inner.parts[0], inner.parts[1], strength, text[called.start() : inner.end], called.start())


def _strength_of(name: str, *, refused: bool) -> Strength | None:
    """How much a matcher asks. A predicate of RSpec (`be_empty`) and whatever is refused ask for a bound."""
    known = _matchers().get(name)
    return (
        Strength.BOUND if known is None and (name.startswith("be_") or (refused and name not in _REFUSALS)) else known
    )


def _infix(text: str) -> Iterator[Assertion]:
    """`total shouldBe 3`, `total.Should().Be(3)`, `total.should eq 3`."""
    for found in _INFIX.finditer(text) if "hould" in text else ():
        subject, word, method, given = found.groups()
        strength = _matchers().get(method or word) or _matchers().get(given.split("(")[0].split(" ")[0])
        if strength is not None:
            yield Assertion(subject, given.strip(" );"), strength, found[0].strip(), found.start(1))


def _stated(condition: str, start: int, text: str) -> Assertion:
    """`assert a == b`: what stands left of the first comparison, and how much the comparison asks."""
    depth, marks = 0, list[re.Match[str]]()
    for piece in _COMPARED.finditer(condition[:1_000]):
        if piece[0] in "([{":
            depth += 1
        elif piece[0] in ")]}":
            depth -= 1
        elif piece[1] and depth == 0:
            if piece[1].startswith(","):
                condition = condition[: piece.start()]
                break
            marks.append(piece)
    if not marks:
        return Assertion(condition.strip(), "", Strength.BOUND, text.strip(), start)
    signs = [mark[1] for mark in marks]
    left, right = condition[: marks[0].start()].strip(), condition[marks[0].end() :].strip()
    if len(marks) > 1:
        strength = Strength.PART if signs[0] not in ("==", "===") or {"or", "||"} & set(signs) else Strength.EQUAL
    elif signs[0] in ("==", "===", "is"):
        strength = Strength.EQUAL
        if _is_literal(left) and not _is_literal(right):
            left, right = right, left
    else:
        strength = Strength.PART if signs[0] in ("in", "=~") else Strength.BOUND
    return Assertion(left, right, strength, text.strip(), start)


def _of_refusal(refused: re.Match[str]) -> Iterator[Assertion]:
    """`if got != want { t.Errorf(…) }` asks for equality; `if got <= 0` for a bound."""
    condition = refused[1].rpartition(";")[2].strip()
    found = re.match(r"(.{1,150}?)\s*(!=|<=|>=|<|>|==)\s*(.{1,150})", condition)
    if found is None:
        return
    strength = Strength.EQUAL if found[2] == "!=" and found[3].strip() != "nil" else Strength.BOUND
    yield Assertion(found[1], found[3].strip(), strength, refused[0], refused.start())


def _is_literal(text: str) -> bool:
    text = plainly(text)
    return bool(re.fullmatch(r"[-+]?[\d.][\w.]*|[\"'`].*[\"'`]|\[.*\]|\{.*\}|(?i:true|false|none|null|nil)", text))
