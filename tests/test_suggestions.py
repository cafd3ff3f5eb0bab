"""The name that a misspelled one stands for."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.suggestions import did_you_mean

KNOWN = ("authority", "budgets", "patience", "tools", "trusted_tools", "facts", "id", "due", "records")


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("autority", "; did you mean 'authority'?"),
        ("Authority", "; did you mean 'authority'?"),
        ("trusted-tools", "; did you mean 'trusted_tools'?"),
        ("fatcs", "; did you mean 'facts'?"),
        ("di", "; did you mean 'id'?"),
        ("nonesuch", ""),
        ("", ""),
        ("xy", ""),
        ("f\u0430cts", "; did you mean 'facts'? It contains U+0430, CYRILLIC SMALL LETTER A."),
    ],
)
def test_a_suggestion(name, ending):
    assert did_you_mean(name, KNOWN) == ending


def test_names_of_equal_distance_are_all_suggested():
    assert did_you_mean("bold", ["cold", "hold", "fold", "gold"]) == "; did you mean 'cold' or 'hold' or 'fold'?"


@given(st.sampled_from(KNOWN), st.data())
def test_one_wrong_letter_is_always_recognized(name, data):
    at = data.draw(st.integers(0, len(name) - 1))
    letter = data.draw(st.sampled_from(string.ascii_lowercase))
    typos = [name[:at] + letter + name[at:], name[:at] + letter + name[at + 1 :], name[:at] + name[at + 1 :]]
    for typo in typos:
        if typo and typo not in KNOWN:
            assert repr(name) in did_you_mean(typo, KNOWN)


@given(st.text(max_size=300), st.lists(st.text(max_size=300), max_size=5))
def test_any_names_can_be_compared(name, known):
    ending = did_you_mean(name, known)
    assert not ending or ending.startswith("; did you mean ")


NAMES = ("block", "duplicate_refund_same_order", "files", "money", "ok")


@pytest.mark.parametrize("name", ["duplicate_refund", "duplicate-refund-same-ordr", "dup"])
def test_a_name_that_is_begun_is_suggested(name):
    assert did_you_mean(name, NAMES) == "; did you mean 'duplicate_refund_same_order'?"


@pytest.mark.parametrize("name", ["", "du", "xyz", "a" * 100_000, "\x00"])
def test_nothing_is_suggested_for_what_is_like_no_name(name):
    assert did_you_mean(name, NAMES) == ""
    assert did_you_mean(name, ()) == ""
