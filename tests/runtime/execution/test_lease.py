"""No two executors ever work on one thing: one stops before the other begins, whatever their clocks say."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from supervisor.runtime.execution.lease import Lease, Observer, Timing

steps = st.lists(
    st.tuples(
        st.floats(0, 5),  # seconds until the next step
        st.sampled_from(["beat", "lost beat", "look"]),
    ),
    max_size=60,
)


@given(steps, st.floats(0.5, 60), st.floats(0, 1e9), st.floats(-1e9, 1e9))
def test_an_executor_that_counts_as_dead_has_stopped(
    steps: list[tuple[float, str]], lease: float, boot: float, offset: float
) -> None:
    """One real time, and a clock of each of the two that begins anywhere and is never compared with the other's."""
    real, beats = 0.0, 0
    timing = Timing(lease)
    own = Lease(timing, lambda: real + boot)
    observer = Observer(lease, most=3 * timing.beat)
    for seconds, step in steps:
        real += seconds
        if step == "look":
            dead = observer.look([("other", beats)], real + offset)
            assert not dead or not own.is_held
        elif own.is_held:
            sent = own.now()
            if step == "beat":
                beats += 1
                own.renew(sent)


@given(st.floats(0.5, 60), st.floats(0, 1e9))
def test_a_silent_executor_counts_as_dead_after_a_lease_of_looks(lease: float, start: float) -> None:
    timing = Timing(lease)
    observer = Observer(lease, most=3 * timing.beat)
    looks = [observer.look([("other", 7)], start + number * timing.beat) for number in range(9)]
    assert not any(looks[:6])
    assert looks[8] == {"other"}


def test_an_observer_that_was_stopped_accuses_nobody() -> None:
    observer = Observer(15.0, most=7.5)
    assert observer.look([("other", 7)], 0.0) == set()
    assert observer.look([("other", 7)], 1e6) == set()
    assert observer.look([("other", 8)], 2e6) == set()


def test_who_beats_again_is_alive_again() -> None:
    observer = Observer(3.0, most=3.0)
    for now in range(4):
        observer.look([("one", 1), ("two", now)], float(now))
    assert observer.look([("one", 1), ("two", 4)], 4.0) == {"one"}
    assert observer.look([("one", 2), ("two", 4)], 5.0) == set()


def test_the_lease_of_an_executor_ends_when_it_stores_no_sign_of_life() -> None:
    now = [0.0]
    lease = Lease(Timing(15.0), lambda: now[0])
    now[0] = 9.9
    assert lease.is_held
    lease.renew(2.0)  # a sign that was sent long before it was stored
    now[0] = 11.9
    assert lease.is_held
    now[0] = 12.0
    assert not lease.is_held


def test_a_beat_comes_several_times_before_the_fence() -> None:
    for lease in (0.01, 1.0, 15.0):
        timing = Timing(lease)
        assert timing.beat * 3 < timing.fence < max(lease, 0.5)
