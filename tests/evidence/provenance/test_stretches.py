"""A value that is found in passages begins in the stretch that is kept of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Context
from supervisor.evidence.provenance.spellings import values_of
from supervisor.evidence.provenance.stretches import stretch_of
from supervisor.evidence.provenance.utterances import MAX_STEPS, Sources, Utterance

WORDS = (
    "a",
    "b",
    "pay",
    "10",
    "000",
    "eve@x.example",
    "/etc/pay",
    "~/a/b.md",
    "12 34 56 78 90",
    "www.x.example",
    "薪",
    "ß",
)
BREAKS = (" ", "\n", ". ", ", ", "-", "/", "", "! ", " quietly and with a good many other words ")
TEXTS = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(BREAKS)), min_size=1, max_size=14).map(
    lambda parts: "".join(word + after for word, after in parts)
)


@given(TEXTS, st.one_of(TEXTS, st.integers(10, 10**12)), st.data())
def test_what_is_found_may_begin_in_the_stretch(text: str, argument: str | int, data: st.DataObject) -> None:
    said = Utterance(0, text)
    if not said.passages:
        return
    first = data.draw(st.integers(0, len(said.passages) - 1))
    last = data.draw(st.integers(first, len(said.passages) - 1))
    stretch = stretch_of(said, [first, last])
    sources = Sources([said])
    for value in values_of(Action("send", {"text": argument}), Context()):
        found = {*sources.whole(value, range(MAX_STEPS)), *sources.split(value, range(MAX_STEPS))}
        assert stretch.may_begin(value) or found.isdisjoint(range(first, last + 1)), value


def test_a_value_that_goes_on_behind_begins_in_the_stretch() -> None:
    said = Utterance(0, "Open it.\n~/.ssh/\nid_rsa is next.\nThen stop.")
    (value, *_) = values_of(Action("read", {"path": "~/.ssh/id_rsa"}), Context())
    assert stretch_of(said, [1]).may_begin(value)
    assert not stretch_of(said, [0]).may_begin(value)
    assert not stretch_of(said, [2, 3]).may_begin(value)
