"""The suggestion for a misspelt name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.suggestions import did_you_mean

KNOWN = ("block", "duplicate_refund_same_order", "files", "money", "ok")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("blok", "block"),
        ("BLOCK", "block"),
        ("file", "files"),
        ("mony", "money"),
        ("duplicate_refund", "duplicate_refund_same_order"),
        ("duplicate-refund-same-ordr", "duplicate_refund_same_order"),
        ("dup", "duplicate_refund_same_order"),
    ],
)
def test_the_nearest_name_is_suggested(name, meant):
    assert did_you_mean(name, KNOWN) == f"did you mean `{meant}`?"


@pytest.mark.parametrize("name", ["", "xyz", "a" * 100_000, "\x00"])
def test_nothing_is_suggested_for_what_is_like_no_name(name):
    assert did_you_mean(name, KNOWN) == ""
    assert did_you_mean(name, ()) == ""


@given(st.text(max_size=30), st.lists(st.text(max_size=10), max_size=5))
def test_only_known_names_are_suggested_in_any_order(name, known):
    suggested = did_you_mean(name, known)
    assert suggested in ("", *(f"did you mean `{each}`?" for each in known))
    assert did_you_mean(name, reversed(known)) == suggested
