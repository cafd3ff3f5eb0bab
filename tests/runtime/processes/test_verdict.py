"""Whether an agent is stuck, compared with a model that counts second by second."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.runtime.processes.states import State
from supervisor.runtime.processes.tree import Usage
from supervisor.runtime.processes.verdict import Limit, Limits, Verdict, remember, verdict

SECONDS = st.integers(0, 60)
LIMIT = st.builds(
    Limit,
    warn=SECONDS | st.just(inf),
    interrupt=SECONDS | st.just(inf),
    kill=SECONDS | st.just(inf),
    longest=SECONDS | st.just(inf),
    patience=SECONDS,
    work_counts=st.booleans(),
)
LIMITS = st.builds(Limits, st.fixed_dictionaries(dict.fromkeys(State, LIMIT)))


@st.composite
def histories(draw: st.DrawFn) -> tuple[Usage, ...]:
    """One sample a second from second 0 on; each tells of work, of idling, or of a process that has ended."""
    found, cpu, io = [Usage(0.0, 5.0, 50_000)], 5.0, 50_000
    for at in range(1, draw(st.integers(1, 40))):
        more, bytes_ = draw(st.sampled_from([(0.0, 0), (0.001, 10), (0.9, 0), (0.0, 5_000), (-1.0, 0), (0.0, -7)]))
        cpu, io = cpu + more, io + bytes_
        found.append(Usage(float(at), cpu, io))
    return tuple(found)


def reference(
    state: State, since: float, last_event: float, history: Sequence[Usage], limits: Limits, now: int
) -> Verdict:
    """Counts the seconds of silence and of the state, one after the other."""
    limit, silent = limits.states[state], 0
    signs = {since, last_event}
    if limit.work_counts:
        for number in range(1, len(history)):
            cpu, io = history[number].cpu - history[number - 1].cpu, history[number].io - history[number - 1].io
            if cpu < 0 or io < 0 or cpu > limits.busy_cpu or io > limits.busy_io:
                signs.add(history[number].at)
    while now - silent > since and now - silent not in signs:
        silent += 1
    lasted = now - since
    if silent >= limit.kill or lasted >= limit.longest + limit.patience:
        return Verdict.KILL
    if silent >= limit.interrupt or lasted >= limit.longest:
        return Verdict.INTERRUPT
    return Verdict.WARN if silent >= limit.warn else Verdict.KEEP


@given(st.sampled_from(State), st.integers(0, 40), st.integers(0, 40), histories(), LIMITS, st.integers(0, 60))
def test_as_the_model(state: State, since: int, wait: int, history: tuple[Usage, ...], limits: Limits, on: int) -> None:
    now = max(since + wait, len(history)) + on
    asked = (state, float(since), float(since + wait), history, limits, now)
    assert verdict(*asked) == reference(*asked)


@given(histories(), LIMITS, st.integers(0, 60))
def test_what_is_not_remembered_changes_nothing(history: tuple[Usage, ...], limits: Limits, on: int) -> None:
    kept: tuple[Usage, ...] = ()
    for number, sample in enumerate(history, 1):
        kept = remember(kept, sample, limits)
        assert len(kept) <= 3
        asked = (limits, sample.at + on)
        whole = verdict(State.TOOL_RUNNING, 0.0, 0.0, history[:number], *asked)
        assert verdict(State.TOOL_RUNNING, 0.0, 0.0, kept, *asked) == whole


@given(st.sampled_from(State), histories(), st.integers(0, 10_000), st.integers(0, 10_000))
def test_with_the_usual_limits_silence_never_makes_it_better(
    state: State, history: tuple[Usage, ...], earlier: int, later: int
) -> None:
    found = [verdict(state, 0.0, 0.0, history, Limits(), 40 + at) for at in sorted((earlier, later))]
    assert found == sorted(found)


@pytest.mark.parametrize("state", [State.AWAITING_APPROVAL, State.EXITED])
def test_a_person_may_take_days(state: State) -> None:
    assert verdict(state, 0.0, 0.0, (), Limits(), 7 * 24 * 3600) is Verdict.KEEP


def test_a_silent_wait_of_forty_seconds_is_kept_in_every_state_but_after_the_result() -> None:
    """What healthy agents were seen to do: 37 s in a tool, 20 s while the model thought."""
    found = {state for state in State if verdict(state, 0.0, 0.0, (), Limits(), 40) > Verdict.WARN}
    assert found == {State.RESULT_BUT_NOT_EXITED}


def test_a_build_that_prints_nothing_for_an_hour_is_kept_and_a_hang_is_not() -> None:
    limits = Limits()
    working = [Usage(float(at), at * 0.5, 0) for at in range(0, 3600, 2)]
    hanging = [Usage(float(at), at * 0.001, at * 100) for at in range(0, 3600, 2)]
    assert verdict(State.TOOL_RUNNING, 0.0, 0.0, working, limits, 3600) is Verdict.KEEP
    assert verdict(State.TOOL_RUNNING, 0.0, 0.0, hanging, limits, 3600) is Verdict.KILL
    assert verdict(State.MODEL_WAIT, 0.0, 0.0, working, limits, 3600) is Verdict.KILL
