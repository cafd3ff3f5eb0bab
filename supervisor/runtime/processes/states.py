"""What an agent is doing, as far as its events tell: a state machine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class State(StrEnum):
    """What an agent is doing. Each state has its own limits."""

    STARTING = "starting"
    MODEL_WAIT = "model_wait"
    TOOL_RUNNING = "tool_running"
    AWAITING_APPROVAL = "awaiting_approval"
    AWAITING_QUOTA = "awaiting_quota"
    RESULT_BUT_NOT_EXITED = "result_but_not_exited"
    EXITED = "exited"


class Event(StrEnum):
    """What an agent's driver hears from it."""

    TURN_STARTED = "turn_started"
    TOOL_STARTED = "tool_started"
    TOOL_ENDED = "tool_ended"
    APPROVAL_ASKED = "approval_asked"
    APPROVAL_ANSWERED = "approval_answered"
    QUOTA_REACHED = "quota_reached"
    QUOTA_RESTORED = "quota_restored"
    RESULT = "result"
    EXITED = "exited"
    SIGN_OF_LIFE = "sign_of_life"  # any other message: text of the model, a warning, one that nobody knows


_WAITS = {Event.APPROVAL_ASKED: State.AWAITING_APPROVAL, Event.QUOTA_REACHED: State.AWAITING_QUOTA}
_WAIT_ENDS = {Event.APPROVAL_ANSWERED: State.AWAITING_APPROVAL, Event.QUOTA_RESTORED: State.AWAITING_QUOTA}
_WAITING = frozenset(_WAITS.values())


@dataclass(frozen=True, slots=True)
class Liveness:
    """A state, since when, the time of the last event, and how many tools run side by side."""

    state: State
    since: float
    last_event: float
    tools: int = 0

    @classmethod
    def starting(cls, now: float) -> Liveness:
        return cls(State.STARTING, now, now)

    def after(self, event: Event, now: float) -> Liveness:
        """The state after an event. An event that does not fit the state is a sign of life and nothing more: what an
        agent prints is no proof, and must not make a healthy one look broken. No event revives one that has exited."""
        if self.state is State.EXITED:
            return self
        tools = _tools_after(event, self.tools)
        state = _state_after(event, self.state, tools)
        return replace(self, state=state, tools=tools, last_event=now, since=self.since if state == self.state else now)


def _tools_after(event: Event, tools: int) -> int:
    if event in (Event.RESULT, Event.EXITED, Event.TURN_STARTED):
        return 0
    if event is Event.TOOL_STARTED:
        return tools + 1
    return max(0, tools - 1) if event is Event.TOOL_ENDED else tools


def _state_after(event: Event, state: State, tools: int) -> State:
    working = State.TOOL_RUNNING if tools else State.MODEL_WAIT
    if event is Event.EXITED:
        return State.EXITED
    if event is Event.RESULT:
        return State.RESULT_BUT_NOT_EXITED
    if event is Event.TURN_STARTED:
        return working
    if state is State.RESULT_BUT_NOT_EXITED:  # the turn is over; only another one changes that
        return state
    if event in _WAITS:
        return _WAITS[event]
    if event in _WAIT_ENDS:
        return working if state is _WAIT_ENDS[event] else state
    if event in (Event.TOOL_STARTED, Event.TOOL_ENDED) and state not in _WAITING:
        return working
    return state
