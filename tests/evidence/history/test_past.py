"""What is looked up in a session's steps is what a look at each of them would find, and each is looked at once."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Context, Step
from supervisor.evidence.history.past import looked_up
from supervisor.evidence.situation.wider.request import Request
from supervisor.history import History

SEEN: Counter[str] = Counter()


def look(step: Step) -> str | None:
    SEEN[step.text] += 1
    return step.text.upper() or None


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 12)), max_size=12))
def test_each_step_is_looked_at_once(moves: list[tuple[int, int]]) -> None:
    """A session grows, and is asked about its latest steps in between, also as it was before."""
    SEEN.clear()
    history = History()
    for added, latest in moves:
        for _ in range(added):
            history.append(Step("bash", {}, f"{len(history)}"))
        for seen in (history.snapshot(), history.first(len(history) // 2)):
            found = list(looked_up(Context(history=seen), look, latest))
            assert found == [step.text.upper() for step in reversed(seen)][:latest]
    assert all(count == 1 for count in SEEN.values())


TEXTS = st.text(st.sampled_from("ab1_-./ \n:|@*"), max_size=60)
STEPS = st.builds(Step, st.just("bash"), st.dictionaries(st.just("command"), TEXTS), TEXTS)


@given(st.lists(STEPS, min_size=1, max_size=8), st.integers(1, 8), TEXTS)
def test_names_of_a_session_that_grows_are_those_of_one_that_is_told_at_once(
    steps: list[Step], seen: int, task: str
) -> None:
    grown = History(steps[:seen])
    for step in [None, *steps[seen:]]:
        if step is not None:
            grown.append(step)
        kept = Request(task, Context(task, grown.snapshot()))
        whole = Request(task, Context(task, tuple(grown)))
        assert (kept.outputs, kept.listed, kept.given_and_named) == (whole.outputs, whole.listed, whole.given_and_named)
