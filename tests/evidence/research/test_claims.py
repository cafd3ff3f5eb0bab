"""Claims against their sources: what is copied is never at fault, and what is changed is seen in every spelling."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.evidence.prose.dates import dates_in, months_in, unbroken
from supervisor.evidence.prose.figures import figures_in, values_in
from supervisor.evidence.prose.polarity import denies, generalises, limits, opposed
from supervisor.evidence.prose.vocabulary import language_of, stem
from supervisor.evidence.research.claims import compared
from supervisor.evidence.research.identifiers import identifiers_in
from supervisor.intake.parsing import action_from, context_from
from tests.evidence.effort import assert_linear


@pytest.mark.parametrize(
    ("written", "value", "unit"),
    [
        ("1,234.5 km", 1234.5, "kilometre"),
        ("1.234,5 km", 1234.5, "kilometre"),
        ("$4bn", 4e9, "dollar"),
        ("£15m", 15e6, "pound sterling"),
        ("1.2 million", 1.2e6, ""),
        ("3 Mrd Euro", 3e9, "euro"),
        ("45 %", 45, "percent"),
        ("20 per cent", 20, "percent"),
        ("5 percentage points", 5, "percentage point"),
        ("50 µg", 50, "microgram"),
    ],
)
def test_a_figure_is_read_in_its_own_spelling(written: str, value: float, unit: str) -> None:
    figure, *_ = figures_in(f"It is {written} now")
    assert value in figure.values
    assert figure.unit == unit


@given(st.integers(min_value=0, max_value=10**12))
def test_a_number_is_the_same_with_every_separator(number: int) -> None:
    plain, english = str(number), f"{number:,}"
    for written in (plain, english, english.replace(",", "."), english.replace(",", "\u202f")):
        assert number in values_in(f"about {written} people")
        assert figures_in(f"about {written} people")[0].stands_for([float(number)])


@pytest.mark.parametrize(
    ("claim", "told", "holds"),
    [
        ("260,000 volumes", 263_512, True),
        ("260,000 volumes", 340_000, False),
        ("46% of them", 45.6, True),
        ("755 feet deep", 230, True),
        ("in 2016 in Lyon", 2017, False),
        ("the 1990s", 1993, True),
        ("42 miles", 43, False),
    ],
)
def test_a_figure_stands_for_what_it_rounds_or_converts_and_no_more(claim: str, told: float, holds: bool) -> None:
    assert figures_in(claim)[0].stands_for([told]) is holds


def test_one_date_in_five_spellings() -> None:
    for written in ("March 3, 2021", "3 March 2021", "3. März 2021", "3 de marzo de 2021", "2021-03-03"):
        (date,) = dates_in(unbroken(f"Since {written}."))
        assert (date.year, date.month, date.day) == (2021, 3, 3), written
    assert months_in("03/04/2021 and May") == {3, 4, 5}
    assert dates_in("They may 3 times") == dates_in("They may go") == []


def test_words_are_compared_by_their_stems_in_their_own_language() -> None:
    assert stem("decided") == stem("deciding") == stem("Decides")
    assert stem("Häuser") != stem("Hunde")
    spoken = {"en": "the cat is on the mat", "de": "die Katze ist auf der Matte", "es": "el gato es de la casa"}
    assert {language: language_of(text) for language, text in spoken.items()} == {name: name for name in spoken}


def test_polarity() -> None:
    assert denies("It isn't there")
    assert not denies("It is never not there")
    assert (limits("It may help some"), generalises("It always helps")) == ("may", "always")
    assert opposed("Sales rose", "Sales fell") == ("rose", "fell")
    assert opposed("Sales rose and fell", "Sales fell") is None


def _claims(claim: str, source: str, **context: object) -> list:
    action = action_from({"tool": "write_report", "args": {"text": claim, "citations": ["source-1"]}})
    return compared(action, context_from({"sources": [source], **context}))


_WORDS = st.lists(
    st.sampled_from(
        [
            "river",
            "bridge",
            "closed",
            "opened",
            "1987",
            "42",
            "km",
            "not",
            "all",
            "some",
            "Okafor",
            "may",
            "March",
            "lorries",
            "in",
            "the",
        ]
    ),
    min_size=4,
    max_size=14,
)


@given(st.lists(_WORDS, min_size=1, max_size=6), st.data())
def test_a_sentence_of_the_source_is_never_strange_to_it(sentences: list[list[str]], data: st.DataObject) -> None:
    texts = [f"{' '.join(words).capitalize()}." for words in sentences]
    claim = data.draw(st.sampled_from(texts))
    for found in _claims(claim, " ".join(texts)):
        assert not found.strange
        assert not found.strange_names
        assert not found.strange_figures
        assert not found.strange_dates


def test_marks_say_which_source_a_sentence_rests_on() -> None:
    action = action_from(
        {"tool": "write_report", "args": {"text": "It has 3 arches [2]. It is old [1].", "citations": ["a", "b"]}}
    )
    found = compared(action, context_from({"sources": {"a": "It is old.", "b": "It has 4 arches."}}))
    assert [(each.claim, each.source.name) for each in found] == [("It has 3 arches .", "b"), ("It is old .", "a")]
    assert [figure.text for figure in found[0].strange_figures] == ["3"]


def test_pages_that_were_opened_are_sources_and_others_are_not() -> None:
    action = action_from({"tool": "cite", "args": {"text": "It has 3 arches.", "url": "https://example.org/b"}})
    history = [{"tool": "web_fetch", "args": {"url": "https://example.org/b/"}, "output": "It has 4 arches."}]
    (found,) = compared(action, context_from({"history": history}))
    assert [figure.text for figure in found.strange_figures] == ["3"]
    assert (
        compared(
            action_from({"tool": "cite", "args": {"text": "It has 3.", "url": "https://example.org/c"}}),
            context_from({"history": history}),
        )
        == []
    )


_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=400)


@settings(max_examples=30)
@given(_TEXT, _TEXT)
def test_no_text_is_too_strange_to_be_read(claim: str, source: str) -> None:
    for found in _claims(claim, source):
        assert found.likeness <= 1
        assert found.strange_figures is not None


@pytest.mark.parametrize("piece", ["1,111", "1 111 ", "A ", "März. 3", "[1] ", "10.1/", "a.", "x\n"])
def test_reading_takes_linear_time(piece: str) -> None:
    def read(text: str) -> None:
        figures_in(text), dates_in(unbroken(text)), values_in(text), list(identifiers_in(text))

    assert_linear(read, lambda size: piece * (size // len(piece)), counted=2_000, ended=100_000)


def _isbn(digits: list[int]) -> int:
    return -sum(digit * (3 if place % 2 else 1) for place, digit in enumerate(digits)) % 10


@given(st.lists(st.integers(0, 9), min_size=9, max_size=9), st.integers(0, 9))
def test_one_check_digit_of_ten_is_right(digits: list[int], last: int) -> None:
    digits = [9, 7, 8, *digits]
    written = "".join(map(str, [*digits, last]))
    (found,) = identifiers_in(f"ISBN {written}")
    assert bool(found.fault) is (last != _isbn(digits))


@pytest.mark.parametrize(
    ("text", "faulty"),
    [
        ("doi:10.1038/s41598-023-41032-5", [False]),
        ("https://doi.org/10.12/x", [True]),
        ("a DOI for each work", []),
        ("arXiv:2413.04511 and arXiv:2503.18813v2", [True, False]),
        ("PMID 31452104, ORCID 0000-0002-1825-0097, ISSN 0378-5955", [False, False, False]),
        ("ORCID 0000-0002-1825-0098", [True]),
    ],
)
def test_identifiers_that_cannot_exist(text: str, faulty: list[bool]) -> None:
    assert sorted(bool(found.fault) for found in identifiers_in(text)) == sorted(faulty)
