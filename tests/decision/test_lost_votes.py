"""Lost votes are grouped by reason; a domain that does not fit is none."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from supervisor.decision.decision import refusal_to_json
from supervisor.decision.lost_votes import LostVotes, lost_votes, lost_votes_of
from supervisor.verdict import Cause, Refusal

REFUSALS = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.builds(Refusal, st.sampled_from(("x", "y")), st.sampled_from(Cause))),
    max_size=8,
)


def test_one_reason_is_told_once_with_everybody_who_gave_it():
    down = Refusal("no such table: refunds", Cause.INFRASTRUCTURE)
    deep = Refusal("nested too deeply", Cause.INPUT)
    lost = lost_votes([("a", down), ("b", Refusal("not a refund")), ("c", deep), ("d", down)])
    assert lost == [
        LostVotes("no such table: refunds", "infrastructure", ("a", "d")),
        LostVotes("nested too deeply", "input", ("c",)),
    ]
    assert lost[0].to_json() == {
        "reason": "no such table: refunds",
        "cause": "infrastructure",
        "count": 2,
        "specialists": ["a", "d"],
    }


@given(REFUSALS)
def test_no_vote_is_forgotten_and_a_record_has_the_same(refusals):
    lost = lost_votes(refusals)
    assert {(name, each.reason, each.cause) for each in lost for name in each.specialists} == {
        (name, each.reason, each.cause.value) for name, each in refusals if each.cause is not Cause.DOMAIN
    }
    assert len({(each.reason, each.cause) for each in lost}) == len(lost)
    assert lost_votes_of(refusal_to_json(name, each) for name, each in refusals) == lost


def test_what_is_no_opinion_in_a_record_is_none():
    assert lost_votes_of([7, None, {}, {"specialist": "a", "reason": 1, "cause": "input"}, {"specialist": "a"}]) == []
