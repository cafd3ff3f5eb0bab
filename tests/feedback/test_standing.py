"""Which labels count, and how far people agree."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.feedback.agreement import Agreement, agreement_of
from supervisor.feedback.standing import standing, word_on_decision, word_on_finding
from supervisor.feedback.times import latency_class, percentile
from supervisor.records.labels import Label
from tests.feedback.journals import at


def label(word: str = "wrong", by: str = "ann", minute: float = 0, entry: str = "") -> tuple[str, Label]:
    word_given: object = word
    return f"{minute}{by}", Label("r" * 64, word_given, by, at(minute), "terminal", entry=entry)  # type: ignore[arg-type]


def test_the_newest_of_a_person_counts_in_any_order() -> None:
    given_labels = [label("right", minute=1), label("wrong", minute=2), label("right", "bob")]
    expected = [each for _, each in (given_labels[2], given_labels[1])]
    assert standing(given_labels) == standing(reversed(given_labels)) == expected


def test_a_withdrawn_label_does_not_count() -> None:
    assert standing([label(), label("withdrawn", minute=1)]) == []
    assert len(standing([label(), label("withdrawn", minute=1), label("right", minute=2)])) == 1
    assert len(standing([label(), label("withdrawn", "bob", minute=1)])) == 1


def test_the_whole_and_a_finding_are_two_things() -> None:
    found = standing([label("right"), label("wrong", minute=1, entry="x")])
    assert word_on_decision(found) == "right"
    assert word_on_finding(found, "x", is_deciding=True) == "wrong"
    assert word_on_finding(found, "y", is_deciding=True) == "right"
    assert word_on_finding(found, "y", is_deciding=False) == ""
    assert word_on_decision(standing([label(), label("right", "bob")])) == "mixed"
    assert word_on_decision([replace(label()[1], entry="x")]) == "wrong"
    assert word_on_decision([]) == ""


def test_kappa_of_a_known_table() -> None:
    """Cohen's own kind of example: 20 and 15 agreements, 5 and 10 disagreements; kappa is 0.4."""
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    found = agreement_of(pairs)
    assert (found.items, found.observed) == (50, 0.7)
    assert found.kappa == pytest.approx(0.4)


def test_kappa_where_there_is_none() -> None:
    assert agreement_of([]) == Agreement(0, None, None)
    assert agreement_of([("y", "y")] * 3) == Agreement(3, 1.0, None)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1))
def test_kappa_is_the_same_for_both(pairs: list[tuple[str, str]]) -> None:
    there, back = agreement_of(pairs).kappa, agreement_of([(other, one) for one, other in pairs]).kappa
    assert there == pytest.approx(back)
    assert there is None or -1 <= there <= 1


@given(st.lists(st.floats(0.01, 10_000), min_size=1))
def test_a_percentile_is_close_to_the_one_that_was_measured(times: list[float]) -> None:
    counts: dict[int, int] = {}
    for each in times:
        counts[latency_class(each)] = counts.get(latency_class(each), 0) + 1
    found, exact = percentile(counts, 0.5), sorted(times)[(len(times) + 1) // 2 - 1]
    assert found == pytest.approx(exact, rel=0.05, abs=0.001)
    assert percentile({}, 0.5) is None
