"""Quotations are found in a text and looked for in a source, whatever their typesetting."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.errors import Unreadable
from supervisor.evidence.prose.text import (
    MAX_QUOTATION,
    MAX_QUOTATIONS,
    MAX_SENTENCES,
    MAX_TEXT,
    essence,
    holds,
    is_title,
    nearest_passages,
    nearest_sentence,
    quotations,
    searchable,
    sentences,
    words,
)
from tests.evidence.effort import assert_linear

SOURCE = (
    "The Commission met on 3 May. It found that the dam — built in 1911 — “was never inspected”; its owner didn\u2019t "
    "know.\nRepairs cost €4.5 million, 12% more than planned. The valley was evacu\u00adated twice."
)


@pytest.mark.parametrize(
    "quotation",
    [
        'the dam - built in 1911 - "was never inspected"',
        "THE COMMISSION MET ON 3 MAY",
        "its owner didn't know. Repairs cost €4.5 million",
        "The Commission met ... It found that the dam [...] was never inspected",
        "[I]t found that the dam … “was never inspected”",
        "Repairs [in that year] cost",
        "the valley was evacuated twice.",
        "The Com\u200bmission met",
        "",
    ],
)
def test_holds_what_differs_in_typesetting_only(quotation: str) -> None:
    assert holds(searchable(SOURCE), quotation)


@pytest.mark.parametrize(
    "quotation",
    [
        "the dam was built in 1911",
        "Repairs cost $4.5 million",
        "12 more than planned",
        "omission met on 3 May",
        "evacuated twice ... The Commission met",
        "The Commission met ... and resigned",
    ],
)
def test_does_not_hold_other_words_or_another_order(quotation: str) -> None:
    assert not holds(searchable(SOURCE), quotation)


@given(st.lists(st.text("abcé1", min_size=1, max_size=5), min_size=1), st.data())
def test_every_run_of_words_is_held(source: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(source) - 1))
    end = data.draw(st.integers(start + 1, len(source)))
    quotation = " - ".join(source[start:end]).upper()
    assert holds(searchable(", ".join(source)), quotation)


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ('He said "one two" and “three four”.', ["one two", "three four"]),
        ("«un deux» „eins zwei“ »drei vier« 「五六」", ["un deux", "eins zwei", "drei vier", "五六"]),
        ('He wrote "she said "no" to him" twice.', ['she said "no" to him']),
        ("“outer «inner» “nested” end”", ["outer «inner» “nested” end"]),
        ('He called it ""Home" and away".', ['"Home" and away']),
        ('A 12" disk and a 5\'10" man', []),
        ('The source states: " a leading space."', ["a leading space."]),
        ('An "unclosed quotation\n\nand "another" one', ["another"]),
        ("Text:\n\n> one\n> two\n\nMore.\n\n> three", ["one two", "three"]),
        ('("in brackets")', ["in brackets"]),
        ('""', []),
        ("don't and the dogs' bones", []),
    ],
)
def test_finds_quotations(text: str, spans: list[str]) -> None:
    assert quotations(text) == spans


@given(st.text(alphabet='ab "“”„«»>\n.'))
def test_quotations_are_parts_of_any_text(text: str) -> None:
    flat = "".join(text.replace(">", "").split())
    assert all("".join(span.replace(">", "").split()) in flat for span in quotations(text))


def test_titles_are_told_from_sentences() -> None:
    assert is_title("The History of the Salt Road")
    assert is_title("Road v. The Keeper's Wife")
    assert not is_title("The history of the salt road")


def test_the_nearest_sentence_stands_in_the_source() -> None:
    assert nearest_sentence(SOURCE, "How much did repairs cost?") == "Repairs cost €4.5 million, 12% more than planned."
    assert nearest_sentence(SOURCE, "zebra") == ""


@given(st.text(max_size=300), st.text(max_size=50))
def test_what_is_nearest_is_held_word_for_word(source: str, text: str) -> None:
    near = nearest_sentence(source, text)
    assert near in source
    assert not near or essence(near) & essence(text)


def test_passages_keep_their_order_and_their_limit() -> None:
    near = nearest_passages(SOURCE, "the dam was evacuated in May, said the Commission", limit=120)
    assert len(near) <= 120
    assert [sentence for sentence in sentences(SOURCE) if sentence in near] == near.split("\n")


@pytest.mark.parametrize("piece", ['"', "“", '" ', "a", "[a", "...", "> ", ". ", "[", "a “b” ", "ﷺ"])
def test_hostile_text_takes_linear_time(piece: str) -> None:
    def read(text: str) -> None:
        with suppress(Unreadable):
            quotations(text)
        holds(searchable(text), text[:MAX_QUOTATION])
        nearest_passages(text, text, limit=1000)

    assert_linear(read, lambda size: piece * (size // len(piece)), counted=5_000, ended=90_000)


def test_what_is_beyond_a_cap_is_unreadable() -> None:
    with pytest.raises(Unreadable):
        words("a" * (MAX_TEXT + 1))
    with pytest.raises(Unreadable):
        quotations("a" * (MAX_TEXT + 1))
    with pytest.raises(Unreadable):
        quotations('"a" ' * (MAX_QUOTATIONS + 1))
    with pytest.raises(Unreadable):
        sentences("a. " * (MAX_SENTENCES + 1))
    with pytest.raises(Unreadable):
        holds(" a ", "a" * (MAX_QUOTATION + 1))


@pytest.mark.parametrize("piece", ["a b. ", "a", '"a b" ', "“", "> a\n", "\n", "\u0316\u0301", "a b c d e f. "])
def test_no_step_of_the_work_is_long(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    assert steps(searchable.work(text)) >= len(text) // 4096
    assert steps(nearest_passages.work(text, "a b c d", limit=1_000)) >= len(text) // 4096
    looked_at = text[: MAX_QUOTATIONS * len(piece)] if '"' in piece else text  # more quotations than that are refused
    assert steps(quotations.work(text)) >= len(looked_at) // 4096


def steps(work: Generator[None, None, object]) -> int:
    """How often the work lets others go on."""
    count = 0
    with suppress(Unreadable):
        for _ in work:
            count += 1
    return count


@given(st.lists(st.text("abcé1\u0301ﬁ", min_size=1, max_size=5)))
def test_a_long_text_has_the_words_of_its_parts(parts: list[str]) -> None:
    many = [*parts] * 300
    assert words(" ".join(many)) == [word for part in many for word in words(part)]


@pytest.mark.anyio
async def test_unhurried_is_the_same() -> None:
    text = SOURCE * 2_000
    assert await words.unhurried(text) == words(text)
    with anyio.move_on_after(0) as scope:
        await words.unhurried(text)
    assert scope.cancelled_caught
