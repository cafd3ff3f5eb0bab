"""What follows an attempt, against a small model: a ladder of remedies that is climbed once."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from supervisor.runtime.tasks.following import Again, Ask, Candidate, Finish, Past, following
from supervisor.runtime.tasks.outcome import FAILURES, INTERRUPTIONS, Ending, Outcome
from supervisor.runtime.tasks.policy import FailurePolicy, Remedy
from supervisor.runtime.tasks.question import Question
from supervisor.runtime.tasks.states import TaskState
from tests.runtime.tasks.test_policy import policies

WORKERS = ("blue", "green", "red")
candidates = st.lists(st.builds(Candidate, st.sampled_from(WORKERS), st.integers(0, 9)), max_size=3)
endings = st.sampled_from(Ending)
chances = st.floats(0, 1)
FINAL = {
    Ending.SUCCEEDED: TaskState.SUCCEEDED,
    Ending.CANCELLED: TaskState.CANCELLED,
    Ending.EXPIRED: TaskState.FAILED,
    Ending.REFUSED: TaskState.FAILED,
    Ending.ABANDONED: TaskState.FAILED,
}


def test_every_ending_has_its_sort() -> None:
    assert set(FINAL) | FAILURES | INTERRUPTIONS | {Ending.UNSUITABLE, Ending.PARKED} == set(Ending)


@given(endings, policies, st.sampled_from(WORKERS), candidates, chances)
def test_some_endings_are_final(
    ending: Ending, policy: FailurePolicy, worker: str, others: Sequence[Candidate], chance: float
) -> None:
    follows = following(Outcome(ending, "why"), policy, Past(), worker, others, chance)
    if ending in FINAL:
        assert isinstance(follows, Finish)
        assert (follows.state, follows.fails_parent) == (FINAL[ending], False)
    else:
        assert follows != Finish(TaskState.SUCCEEDED, "")


@given(policies, candidates, chances, st.lists(st.tuples(st.sampled_from(WORKERS), st.sampled_from(sorted(FAILURES)))))
def test_failures_climb_the_ladder(
    policy: FailurePolicy, others: Sequence[Candidate], chance: float, failures: list[tuple[str, Ending]]
) -> None:
    """As long as a person always answers `retry`, the remedy of each failure is the next of the policy."""
    past, failed_on = Past(), set()
    for number, (worker, ending) in enumerate(failures, 1):
        follows = following(Outcome(ending, "why"), policy, past, worker, others, chance)
        remedy = policy.remedies[number - 1] if number <= len(policy.remedies) else None
        if remedy is Remedy.FAILOVER:
            failed_on.add(worker)
        if isinstance(follows, Finish):
            out_of_workers = remedy is Remedy.FAILOVER and {each.name for each in others} <= failed_on
            assert (follows.state, remedy in (None, Remedy.FAIL_PARENT) or out_of_workers) == (TaskState.FAILED, True)
            assert "why" in follows.reason
            return
        assert (follows.past.failures, set(follows.past.excluded)) == (number, failed_on)
        if isinstance(follows, Ask):
            assert remedy in (Remedy.ESCALATE, Remedy.FAILOVER)
        else:
            assert remedy in (Remedy.RETRY, Remedy.FAILOVER)
            assert follows.delay == policy.backoff.delay(number, chance)
        past = follows.past
    assert past.failures == len(failures)


@given(policies, candidates, chances, st.sampled_from(WORKERS))
def test_failover_goes_to_the_least_active_worker_that_has_not_failed(
    policy: FailurePolicy, others: Sequence[Candidate], chance: float, worker: str
) -> None:
    ladder = FailurePolicy((Remedy.FAILOVER,) * 3, policy.backoff)
    follows = following(Outcome(Ending.FAILED, "why"), ladder, Past(), worker, others, chance)
    left = [each for each in others if each.name != worker]
    if left:
        assert isinstance(follows, Again)
        assert follows.target != worker
        assert follows.target in {each.name for each in left if each.active == min(one.active for one in left)}
    else:
        assert isinstance(follows, Finish)
        assert follows.reason == "why; no other worker is left"


@given(policies, candidates, chances, st.lists(st.sampled_from(sorted(INTERRUPTIONS)), max_size=8))
def test_an_interruption_costs_nothing_and_a_loss_only_when_there_were_too_many(
    policy: FailurePolicy, others: Sequence[Candidate], chance: float, interruptions: list[Ending]
) -> None:
    past, losses = Past(), 0
    for ending in interruptions:
        follows = following(Outcome(ending, "why"), policy, past, "blue", others, chance)
        losses += ending is Ending.LOST
        if losses > policy.losses:
            assert getattr(follows, "past", Past(1)).failures == 1
            return
        assert isinstance(follows, Again)
        assert follows.past == Past(0, losses)
        assert follows.target is None
        past = follows.past


@given(policies, candidates, chances)
def test_an_unsuitable_worker_passes_the_task_on(
    policy: FailurePolicy, others: Sequence[Candidate], chance: float
) -> None:
    past = Past(1, 0, ("blue",))
    follows = following(Outcome(Ending.UNSUITABLE), policy, past, "", others, chance)
    if any(each.name != "blue" for each in others):
        assert isinstance(follows, Again)
        assert (follows.past, follows.delay, follows.target != "blue") == (past, 0.0, True)
    elif Remedy.ESCALATE in policy.remedies[1:]:
        assert isinstance(follows, Ask)
    else:
        assert follows == Finish(
            TaskState.FAILED, "no other worker is left", fails_parent=Remedy.FAIL_PARENT in policy.remedies[1:]
        )


@given(policies, candidates, chances, st.builds(Past, st.integers(0, 5), st.integers(0, 5)))
def test_a_question_costs_nothing(
    policy: FailurePolicy, others: Sequence[Candidate], chance: float, past: Past
) -> None:
    question = Question("May it?", ("allow", "deny"), "d")
    outcome = Outcome(Ending.PARKED, "May it?", question=question)
    assert following(outcome, policy, past, "blue", others, chance) == Ask(past, question, "blue")
    assert Outcome.from_json(outcome.to_json()) == outcome


@given(policies, candidates, chances, st.floats(0, 1e6))
def test_a_limit_costs_nothing_and_is_waited_for(
    policy: FailurePolicy, others: Sequence[Candidate], chance: float, wait: float
) -> None:
    outcome = Outcome(Ending.LIMITED, "why", wait=wait)
    assert following(outcome, policy, Past(1, 2), "blue", others, chance) == Again(Past(1, 2), wait)
