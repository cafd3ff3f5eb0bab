"""What an action does to the guard that judges it: to its places, its processes, its hooks and its channels.

`supervisor.evidence.effects.guard` reads what the text alone tells; here it meets what is known of the running guard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.effects.guard.assets import assets
from supervisor.evidence.guard import (
    channels,
    deeds,
    environments,
    flows,
    lasting,
    later,
    listed,
    places,
    processes,
    surroundings,
    unknown,
)
from supervisor.evidence.guard.disarming import Disarming, How

__all__ = ["Disarming", "How", "disarmings"]

_READINGS: tuple[Callable[..., Iterator[Disarming]], ...] = (
    deeds.read,
    places.read,
    unknown.read,
    processes.read,
    flows.read,
    listed.read,
    channels.read,
    lasting.read,
    environments.read,
    surroundings.read,
)


@reader
def disarmings(action: Action, context: Context) -> tuple[Disarming, ...]:
    """Everything that an action does to the guard, the plainest first. Raises Unreadable as `effects` does."""
    known = assets(action, context)
    now = (found for read in _READINGS for found in read(action, context, known))
    return (*now, *later.read(action, context, known, _READINGS))
