"""The words of the passages apart from some, kept for each output, are those of the passages read anew."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.prose.wording import stems
from supervisor.evidence.provenance.utterances import Sources, Utterance

LINES = st.sampled_from(
    ("Close the valve.", "Reports are archived.", "Publish it nightly.", "", "薪 payroll", "Stop here.")
)
TEXTS = st.lists(st.lists(LINES, max_size=6).map("\n".join), max_size=4)


@given(TEXTS, st.lists(st.tuples(st.frozensets(st.integers(0, 24), max_size=6), st.integers(0, 24)), max_size=4))
def test_stems_without(texts: list[str], asked: list[tuple[frozenset[int], int]]) -> None:
    sources = Sources(Utterance(step, text) for step, text in enumerate(texts))
    for numbers, most in asked:
        kept = [each.folded for number, each in enumerate(sources.passages[:most]) if number not in numbers]
        assert sources.stems_without(numbers, most) == stems(" ".join(kept))
