"""Who gives way to more urgent tasks: what always holds, and a small model where all places are alike."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from supervisor.runtime.tasks.preempting import MOST_PREEMPTIONS, Due, Holder, Place, Preemption, preemptions

PLACES = {"b1": Place("blue", 2), "b2": Place("blue", 1), "g1": Place("green", 2)}
priorities = st.integers(0, 9)
workers = st.sampled_from(["blue", "green", "gone"])
dues = st.builds(Due, st.uuids().map(str), priorities, st.none() | workers, st.lists(workers, max_size=1).map(tuple))
anywhere = st.builds(Due, st.uuids().map(str), priorities)
holders = st.builds(
    Holder,
    st.uuids().map(str),
    st.sampled_from([*PLACES, "dead"]),
    priorities,
    st.integers(0, 9).map(float),
    st.booleans(),
    st.integers(0, MOST_PREEMPTIONS),
    st.booleans(),
)


def lists(of: st.SearchStrategy[Due]) -> st.SearchStrategy[list[Due]]:
    return st.lists(of, max_size=6).map(lambda due: sorted(due, key=lambda each: each.priority))


@given(lists(dues), st.lists(holders, max_size=6))
def test_nobody_gives_way_who_may_not(due: Sequence[Due], holding: Sequence[Holder]) -> None:
    found = preemptions(due, holding, PLACES)
    needs, gives = {each.task: each for each in due}, {each.task: each for each in holding}
    assert len({each.task for each in found}) == len({each.by for each in found}) == len(found)
    for each in found:
        victim, urgent = gives[each.task], needs[each.by]
        assert victim.preemptible
        assert victim.priority > urgent.priority
        assert (victim.preemptions < MOST_PREEMPTIONS, victim.ends) == (True, False)
        assert urgent.suits(PLACES[victim.executor].worker)


@given(lists(dues), st.lists(holders, max_size=6))
def test_nobody_gives_way_where_there_are_slots_for_all(due: Sequence[Due], holding: Sequence[Holder]) -> None:
    roomy = {id: Place(place.worker, len(due) + len(holding)) for id, place in PLACES.items()}
    assert preemptions(due, holding, roomy) == []


@given(lists(anywhere), st.lists(holders.filter(lambda each: each.executor == "b1"), max_size=4), st.integers(1, 4))
def test_the_least_valuable_ones_give_way_to_the_most_urgent(
    due: Sequence[Due], holding: Sequence[Holder], slots: int
) -> None:
    """The model: free slots go to those that are due first; those that are left are matched with the least valuable."""
    free = max(0, slots - sum(not each.ends for each in holding))
    may = [each for each in holding if each.preemptible and not each.ends and each.preemptions < MOST_PREEMPTIONS]
    least = sorted(may, key=lambda each: (-each.priority, -each.since))
    pairs = zip(due[free:], least, strict=False)
    expected = [Preemption(victim.task, urgent.task) for urgent, victim in pairs if victim.priority > urgent.priority]
    found = preemptions(due, holding, {"b1": Place("blue", slots)})
    assert [each.by for each in found] == [each.by for each in expected]
    value = {each.task: (each.priority, each.since) for each in holding}
    assert [value[each.task] for each in found] == [value[each.task] for each in expected]
