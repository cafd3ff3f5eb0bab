"""Held against the pattern that says the same."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.reading.whole_words import has_word, whole_word

LETTERS = st.text("ab1_-. é/", max_size=12)


@given(st.text("ab1_-.é", min_size=1, max_size=3), LETTERS, st.sampled_from(("", "-", "-.")))
def test_it_finds_what_the_pattern_finds(name: str, text: str, beside: str) -> None:
    mark = rf"[\w{re.escape(beside)}]"
    found = re.search(rf"(?<!{mark}){re.escape(name)}(?!{mark})", text)
    assert whole_word(name, text, beside) == (found.start() if found else -1)
    assert has_word(name, text, beside) is (found is not None)


def test_an_empty_name_is_nowhere() -> None:
    assert whole_word("", "a b") == -1
