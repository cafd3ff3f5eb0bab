"""What an agent is doing follows from its events, and no event makes a healthy one look broken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.runtime.processes.states import Event, Liveness, State

EVENTS = st.lists(st.sampled_from(Event), max_size=30)


def after(*events: Event) -> Liveness:
    found = Liveness.starting(0.0)
    for number, event in enumerate(events, 1):
        found = found.after(event, float(number))
    return found


@pytest.mark.parametrize(
    ("events", "state"),
    [
        ([], State.STARTING),
        ([Event.SIGN_OF_LIFE], State.STARTING),
        ([Event.TURN_STARTED], State.MODEL_WAIT),
        ([Event.TURN_STARTED, Event.TOOL_STARTED], State.TOOL_RUNNING),
        ([Event.TURN_STARTED, Event.TOOL_STARTED, Event.TOOL_ENDED], State.MODEL_WAIT),
        ([Event.TURN_STARTED, Event.TOOL_STARTED, Event.TOOL_STARTED, Event.TOOL_ENDED], State.TOOL_RUNNING),
        ([Event.TURN_STARTED, Event.TOOL_STARTED, Event.APPROVAL_ASKED], State.AWAITING_APPROVAL),
        ([Event.TURN_STARTED, Event.APPROVAL_ASKED, Event.TOOL_STARTED], State.AWAITING_APPROVAL),
        ([Event.TURN_STARTED, Event.TOOL_STARTED, Event.APPROVAL_ASKED, Event.APPROVAL_ANSWERED], State.TOOL_RUNNING),
        ([Event.TURN_STARTED, Event.APPROVAL_ASKED, Event.APPROVAL_ANSWERED], State.MODEL_WAIT),
        ([Event.TURN_STARTED, Event.APPROVAL_ASKED, Event.QUOTA_RESTORED], State.AWAITING_APPROVAL),
        ([Event.TURN_STARTED, Event.QUOTA_REACHED], State.AWAITING_QUOTA),
        ([Event.TURN_STARTED, Event.QUOTA_REACHED, Event.QUOTA_RESTORED], State.MODEL_WAIT),
        ([Event.TURN_STARTED, Event.TOOL_STARTED, Event.RESULT], State.RESULT_BUT_NOT_EXITED),
        ([Event.RESULT, Event.TOOL_STARTED, Event.APPROVAL_ASKED], State.RESULT_BUT_NOT_EXITED),
        ([Event.RESULT, Event.TURN_STARTED], State.MODEL_WAIT),
        ([Event.RESULT, Event.EXITED], State.EXITED),
        ([Event.EXITED, Event.TURN_STARTED], State.EXITED),
    ],
)
def test_the_state_after_events(events: list[Event], state: State) -> None:
    assert after(*events).state is state


@given(EVENTS)
def test_an_agent_has_exited_once_it_was_seen_to(events: list[Event]) -> None:
    assert (after(*events).state is State.EXITED) == (Event.EXITED in events)


@given(EVENTS)
def test_times_and_tools_hold_together(events: list[Event]) -> None:
    found = after(*events)
    assert 0 <= found.since <= found.last_event <= len(events)
    assert 0 <= found.tools <= events.count(Event.TOOL_STARTED)
    assert found.tools > 0 or found.state is not State.TOOL_RUNNING
    assert found.state in (State.TOOL_RUNNING, State.AWAITING_APPROVAL, State.AWAITING_QUOTA, State.STARTING) or (
        found.tools == 0 or found.state is State.RESULT_BUT_NOT_EXITED
    )


@given(EVENTS, st.sampled_from(Event))
def test_since_changes_with_the_state_alone(events: list[Event], event: Event) -> None:
    before = after(*events)
    later = before.after(event, 99.0)
    assert (later.since == 99.0) == (later.state is not before.state)


@given(EVENTS)
def test_every_event_is_a_sign_of_life_until_the_exit(events: list[Event]) -> None:
    before = after(*events)
    later = before.after(Event.SIGN_OF_LIFE, 99.0)
    assert later.state is before.state
    assert (later.last_event == 99.0) == (before.state is not State.EXITED)
