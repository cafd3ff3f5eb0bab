"""Words and phrases of a row are found as a plain search over the words of a text finds them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.entries import words as module
from supervisor.evidence.entries.words import Asked, Spelling, has_form, is_form, pattern, values_in, words_in
from supervisor.evidence.reading.tables import table_beside

_WORDS = ["opt", "out", "opted", "never", "send", "sent", "é", "straße", "no"]
_ROW = ["opted out", "never", "send*", "no", "do not call", "社外秘"]
_texts = st.lists(st.sampled_from([*_WORDS, "do", "not", "call", "社外秘です", "calls", ".", ", "])).map(" ".join)


def plainly_found(text: str) -> bool:
    words = re.findall(r"[^_\W]+", text.lower())
    spaced = f" {' '.join(words)} "
    whole = any(f" {each} " in spaced for each in ("opted out", "never", "no", "do not call"))
    return whole or " send" in spaced or "社外秘" in text


@given(_texts)
def test_a_row_is_found_as_a_plain_search_finds_it(text: str) -> None:
    found = Spelling(_ROW).search(text)
    assert (found is not None) == plainly_found(text)
    if found:
        assert text[found.start : found.end] == found.text
        assert Spelling(_ROW).may_be_in(text)
        assert Spelling(_ROW).fullmatch(found.text) or found.text.startswith("社")


@given(st.sampled_from(_WORDS), st.frozensets(st.sampled_from([*_WORDS, "straßen", "opting", "sender", "senders"])))
def test_a_form_is_found_among_many_words_as_among_each(word: str, others: frozenset[str]) -> None:
    assert has_form(word, others) == any(is_form(word, other) for other in others)


@pytest.mark.parametrize("name", sorted(table_beside(module.__file__, "words.yaml")))
def test_every_row_finds_each_of_its_own_words(name: str) -> None:
    for word in table_beside(module.__file__, "words.yaml")[name]:
        assert isinstance(word, str), word  # YAML reads a bare `no` or `yes` as a truth value
        plain = word.rstrip("*")
        assert pattern(name).search(f"x: {plain}.") is not None, plain


def test_names_of_any_style_have_the_same_words() -> None:
    assert words_in("meritMatrix_2025.pdf") == ("merit", "matrix", "2025", "pdf") == words_in("Merit matrix/2025 pdf")


def test_a_request_has_words_that_it_wants_and_words_that_it_excludes() -> None:
    asked = Asked("Remind the swimmers, but not the honorary members. Anna", "send_reminder")
    assert "swimmers" in asked.wanted
    assert asked.excluded == {"honorary", "members"}
    assert "remind" not in asked.wanted  # the tool says it already


def test_values_of_a_call_have_the_names_of_their_arguments() -> None:
    args = {"to": ["a@x.example"], "body": {"type": "anyone", "on": True}, "n": 5, "text": "x" * 100}
    assert values_in(args, 80) == [("to", "a@x.example"), ("type", "anyone"), ("n", "5")]
