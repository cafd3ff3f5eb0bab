"""Whether an agent is refused more often than it used to be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from supervisor.methods.recalled import Recalled, RefusedAct

_DAY = 24 * 3600.0
_RECENT = 3.0  # days
_LEAST = 5  # refusals in these days
_LEAST_BEFORE = 2  # refusals before them, without which there is nothing to compare with
_TIMES = 2.0
_SHOWN = 3


class Rise(NamedTuple):
    """The refusals of the last `days`, how many `times` as many they are for each step as before, and the most recent
    reasons."""

    recent: int
    days: float
    times: float
    reasons: tuple[str, ...]


def rise(memory: Recalled) -> Rise | None:
    """The rise of the refusals that no person has overruled; None if there is none.

    They have risen if there are more for each day and for each step of the sessions concerned: an agent with more work
    has more refusals for each day, and one with shorter sessions more for each step.
    """
    acts = list(memory.standing())
    since = memory.now - _RECENT * _DAY
    recent, before = _stops(acts, since, memory.now), _stops(acts, 0.0, since)
    sessions = {act.session for act in acts if act.at > since}
    if len(recent) < _LEAST or len(before) < _LEAST_BEFORE or len(sessions) < 2:
        return None
    days_before = max(_RECENT, (since - min(before)) / _DAY)
    by_day = (len(recent) / _RECENT) / (len(before) / days_before)
    by_step = _by_step(acts, recent, since, memory.now) / _by_step(acts, before, 0.0, since)
    if min(by_day, by_step) < _TIMES:
        return None
    reasons = tuple(dict.fromkeys(act.reason for act in reversed(acts) if act.at > since))[:_SHOWN]
    return Rise(len(recent), _RECENT, by_step, reasons)


def _stops(acts: Iterable[RefusedAct], after: float, until: float) -> list[float]:
    return [at for act in acts for at in act.times if after < at <= until]


def _by_step(acts: Iterable[RefusedAct], stops: list[float], after: float, until: float) -> float:
    """The refusals for each step that was proposed in the sessions with refusals of these days."""
    ran: dict[str, int] = {}
    for act in acts:
        if any(after < at <= until for at in act.times):
            ran[act.session] = max(ran.get(act.session, 0), act.steps)
    return len(stops) / (len(stops) + sum(ran.values()))
