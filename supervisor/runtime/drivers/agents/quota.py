"""When an attempt goes on whose provider gives no more for now."""

from __future__ import annotations

from supervisor.runtime.tasks.outcome import Ending, Outcome

# Seconds before another attempt where a limit does not say when it ends, or should have ended: so that work goes on
# within a minute after it has.
_UNKNOWN = 45.0
_MARGIN = 1.0  # seconds after the end of a limit


def limited(reason: str, until: float, now: float) -> Outcome:
    """The outcome of an attempt that a limit of the provider has ended. `until` is when the limit ends, in seconds
    since 1970."""
    wait = until - now + _MARGIN if until > now else _UNKNOWN
    return Outcome(Ending.LIMITED, reason, wait=wait)
