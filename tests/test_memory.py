"""The model of a memory: decay and counts as a small reference model has them, and bounds that no agent can exceed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.memory import (
    MOST_ACTS,
    MOST_PIECES,
    MOST_TIMES,
    AgentMemory,
    Pledge,
    RefusedAct,
    bounded,
    cut,
    decayed,
    is_whole,
    memory_of,
    memory_to_json,
    near,
    piece_of,
    short_name,
)

DAY = 24 * 3600.0
NOW = 1_000 * DAY
ACTS = {name: frozenset({f"rm {name}", "rm -r"}) for name in "abc"}


def act(name: str = "a", at: float = NOW, session: str = "s1", by: str = "guards_it") -> RefusedAct:
    return RefusedAct("shell", ACTS[name], (by,), (at,), session=session, place="/w")


@dataclass(frozen=True)
class Stop:
    """One stop: which act, in which session, and how many days ago."""

    name: str
    session: str
    days_ago: float


stops = st.lists(
    st.builds(Stop, st.sampled_from("abc"), st.sampled_from(["s1", "s2", "s3"]), st.floats(0, 40, width=32)),
    max_size=12,
).map(lambda each: sorted(each, key=lambda stop: -stop.days_ago))


def remembered(history: Sequence[Stop]) -> AgentMemory:
    memory = AgentMemory()
    for stop in history:
        memory = memory.stopped(act(stop.name, NOW - stop.days_ago * DAY, stop.session))
    return memory


@given(stops, st.sampled_from("abc"), st.sampled_from(["s1", "s2", "s3", "s4", ""]), st.floats(0.5, 30))
def test_a_weight_is_the_sum_of_the_decayed_stops_of_other_sessions(
    history: list[Stop], name: str, session: str, half_life: float
) -> None:
    """The reference model: every stop on its own, without states, merging or acts."""
    expected = sum(
        0.5 ** (stop.days_ago / half_life)
        for stop in history
        if stop.name == name and (not session or stop.session != session)
    )
    weight = remembered(history).weight("guards_it", ACTS[name], "/w", session, NOW, half_life)
    assert weight == pytest.approx(expected, abs=1e-5)
    every = sum(0.5 ** (stop.days_ago / half_life) for stop in history if not session or stop.session != session)
    assert remembered(history).unheeded(session, NOW, half_life) == pytest.approx(every, abs=1e-5)


@given(stops, st.floats(1, 40))
def test_what_is_older_than_the_policy_allows_is_forgotten(history: list[Stop], days: float) -> None:
    kept = remembered(history).kept(NOW, days)
    newest: dict[tuple[str, str], float] = {}
    for stop in history:
        newest[stop.name, stop.session] = min(stop.days_ago, newest.get((stop.name, stop.session), stop.days_ago))
    assert len(kept.acts) == sum(ago * DAY <= NOW - (NOW - days * DAY) for ago in newest.values())


def test_a_weight_halves_with_each_half_life_and_not_before_now() -> None:
    assert decayed([NOW], NOW, 7) == 1
    assert decayed([NOW - 7 * DAY, NOW - 14 * DAY], NOW, 7) == 0.75
    assert decayed([NOW + DAY], NOW, 7) == 1  # a clock that was set back


def test_heeded_and_approved_stops_weigh_nothing() -> None:
    for settled in (
        AgentMemory((act(),)).heeded("shell", ACTS["a"], "/w", "s1"),
        AgentMemory((act(),)).approved(ACTS["a"], "/w"),
    ):
        assert settled.acts[0].state in ("heeded", "approved")
        assert settled.weight("guards_it", ACTS["a"], "/w", "s2", NOW, 7) == 0
        assert settled.unheeded("s2", NOW, 7) == 0


def test_another_place_another_specialist_and_another_act_weigh_nothing() -> None:
    memory = AgentMemory((act(),))
    assert memory.weight("guards_it", ACTS["a"], "/w", "s2", NOW, 7) == 1
    assert memory.weight("guards_it", ACTS["a"], "/other", "s2", NOW, 7) == 0
    assert memory.weight("another", ACTS["a"], "/w", "s2", NOW, 7) == 0
    assert memory.weight("guards_it", ACTS["b"], "/w", "s2", NOW, 7) == 0


def test_a_stop_in_another_session_repeats_an_open_act_and_leaves_a_heeded_one() -> None:
    memory = AgentMemory((act(), act(session="s2"))).heeded("shell", ACTS["a"], "/w", "s2")
    after = memory.stopped(act(session="s3"))
    assert [each.state for each in after.acts] == ["repeated", "heeded", "open"]


def test_an_approved_act_stays_approved_and_a_later_stop_is_a_new_one() -> None:
    after = AgentMemory((act(),)).approved(ACTS["a"], "/w").stopped(act(at=NOW + 1))
    assert [each.state for each in after.acts] == ["approved", "open"]


def test_a_promise_belongs_to_the_last_act_of_its_session() -> None:
    memory = AgentMemory((act(), act("b"), act("c", session="s2"))).pledged("s1", Pledge("Never again.", NOW))
    assert [each.pledge is not None for each in memory.acts] == [False, True, False]


def test_pieces_come_to_the_whole() -> None:
    whole = RefusedAct("shell", frozenset({"rm a", "rm b", "rm c"}), ("guards_it",), (NOW,), place="/w")
    memory = AgentMemory((whole,))
    for number, name in enumerate("abc"):
        memory = memory.done_in_part("shell", frozenset({f"rm {name}"}), "/w", None, f"s{number}", NOW)
        assert is_whole(memory.acts[0], memory.acts[0].pieces) is (name == "c")


@pytest.mark.parametrize(
    ("kind", "features", "place"),
    [
        ("shell", {"rm a", "rm b", "rm c"}, "/w"),
        ("shell", {"rm a", "ls"}, "/w"),
        ("shell", set(), "/w"),
        ("shell", {"rm a"}, "/other"),
        ("python", {"rm a"}, "/w"),
    ],
)
def test_what_is_no_piece(kind: str, features: set[str], place: str) -> None:
    """The whole, more than it, nothing, elsewhere, in another language."""
    whole = RefusedAct("shell", frozenset({"rm a", "rm b", "rm c"}), ("guards_it",), (NOW,), place="/w")
    assert piece_of(whole, kind, frozenset(features), place, None) is None


texts = st.text(max_size=200)
features = st.frozensets(texts, max_size=90)


@given(st.lists(st.tuples(features, texts, texts), max_size=80), st.data())
def test_no_agent_makes_it_large(proposed: list[tuple[frozenset[str], str, str]], data: st.DataObject) -> None:
    memory = AgentMemory()
    for seen, session, by in proposed:
        made = RefusedAct("shell", bounded(seen), (by,), (NOW,), session=session)
        memory = memory.stopped(made).kept(NOW, 30)
        piece = bounded(data.draw(st.sampled_from([seen, frozenset(list(seen)[:1])])))
        memory = memory.done_in_part("shell", piece, "", None, session, NOW).tried(bounded(seen), "", NOW)
    assert len(memory.acts) <= MOST_ACTS
    for each in memory.acts:
        assert len(each.features) <= 48
        assert all(len(feature.encode()) <= 64 for feature in each.features)
        assert len(each.times) <= MOST_TIMES
        assert len(each.pieces) <= MOST_PIECES


@given(st.frozensets(st.text(max_size=30), max_size=40))
def test_features_that_fit_are_kept_as_they_are(seen: frozenset[str]) -> None:
    assert near(bounded(seen), bounded(seen))
    if all(each.isprintable() and len(each.encode()) <= 64 for each in seen):
        assert bounded(seen) == seen


@given(stops)
def test_it_is_the_same_after_json(history: list[Stop]) -> None:
    memory = remembered(history).pledged("s1", Pledge("Never.", NOW, "instead", ("staging",), ("prod",)))
    memory = memory.stopped(RefusedAct("shell", frozenset({"rm a", "rm b"}), ("x",), (NOW,), place="/w"))
    memory = memory.done_in_part("shell", frozenset({"rm a"}), "/w", None, "s9", NOW)
    assert memory.acts[-1].pieces
    assert memory_of(orjson.loads(orjson.dumps(memory_to_json(memory)))) == memory


@pytest.mark.parametrize("broken", [{}, {"acts": [{}]}, {"acts": 3}, {"acts": [{"state": "x"}]}])
def test_what_is_no_memory_is_an_error(broken: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        memory_of(broken)


@given(st.text(max_size=600), st.integers(1, 300))
def test_a_text_is_kept_as_one_short_line(text: str, most: int) -> None:
    kept = cut(text, most)
    assert len(kept.encode()) <= most
    assert kept.isprintable()


@given(st.text(max_size=400), st.text(max_size=400))
def test_a_name_is_kept_so_that_two_stay_two(one: str, other: str) -> None:
    assert (short_name(one) == short_name(other)) == (one == other) or one.startswith("#") or other.startswith("#")
    assert len(short_name(one).encode()) <= 200
