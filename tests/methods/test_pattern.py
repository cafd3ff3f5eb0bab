"""Patterns answer as `re` does, and in time whatever the text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.errors import CutOff, Unreadable
from supervisor.methods import pattern as module
from supervisor.methods.pattern import Pattern

LINEAR = [r"a+b", r"(?i)error:\s+(\w+)", r"^\d{2,4}", r"(x|xy)z?"]
BACKTRACKING = [r"(a+)\1", r"foo(?=bar)", r"(?<!un)safe"]
texts = st.text("ab foobarsafeunERROR: xyz0123\n", max_size=40)


@pytest.mark.parametrize("expression", LINEAR + BACKTRACKING)
@given(text=texts)
def test_finds_what_re_finds(expression: str, text: str) -> None:
    ours, theirs = Pattern(expression), re.compile(expression, re.ASCII)
    found, expected = ours.search(text), theirs.search(text)
    assert (found and (found[0], found.start(), found.end())) == (
        expected and (expected[0], expected.start(), expected.end())
    )
    assert bool(ours.fullmatch(text)) == bool(theirs.fullmatch(text))
    assert [each[0] for each in ours.finditer(text)] == [each[0] for each in theirs.finditer(text)]


@pytest.mark.parametrize("expression", LINEAR)
def test_most_patterns_are_linear(expression: str) -> None:
    assert Pattern(expression).is_linear


@pytest.mark.parametrize("expression", BACKTRACKING)
def test_what_re2_cannot_say_is_not(expression: str) -> None:
    assert not Pattern(expression).is_linear


def test_a_bomb_does_not_go_off() -> None:
    """Half a minute in `re`; RE2 does not backtrack, and `regex` is stopped."""
    text = "a" * 40_000 + "!"
    assert Pattern(r"(a+)+$").search(text) is None
    with pytest.raises(CutOff, match="within 20 ms"):
        Pattern(r"(?=a)(a|aa)+\b$(?<=x)").search(text)


def test_the_time_out_is_the_engines_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TIMEOUT", 0.001)
    bomb = Pattern(r"(?=a)(a|aa)+\b$(?<=x)")
    with pytest.raises(Unreadable, match="within 1 ms"):  # without one it runs for longer than anyone waits
        bomb.search("a" * 40_000 + "!")


def test_a_text_that_is_too_long_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_TEXT", 10)
    with pytest.raises(Unreadable, match="more than the 10"):
        Pattern("a").search("b" * 11)


def test_a_pattern_that_is_none() -> None:
    with pytest.raises(ValueError, match="neither RE2 nor regex"):
        Pattern("(")
