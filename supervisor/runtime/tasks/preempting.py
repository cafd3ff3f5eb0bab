"""Which attempts give way to more urgent tasks: a pure function of what is due and of what runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MOST_PREEMPTIONS = 3  # of one task: after that it keeps its slot, however urgent others are


@dataclass(frozen=True, slots=True)
class Due:
    """A task that could begin if it had a slot: on any worker but the excluded ones, or on its target alone."""

    task: str
    priority: int
    target: str | None = None
    excluded: tuple[str, ...] = ()

    def suits(self, worker: str) -> bool:
        return self.target in (None, worker) and worker not in self.excluded


@dataclass(frozen=True, slots=True)
class Holder:
    """A task that holds a slot of an executor, since a time. `preemptions` is how often it has given way already,
    `ends` whether it was asked to end, so that its slot becomes free by itself."""

    task: str
    executor: str
    priority: int
    since: float
    preemptible: bool = False
    preemptions: int = 0
    ends: bool = False

    def yields_to(self, due: Due) -> bool:
        gives_way = self.preemptible and self.preemptions < MOST_PREEMPTIONS and not self.ends
        return gives_way and self.priority > due.priority


@dataclass(frozen=True, slots=True)
class Place:
    """An executor that is alive, as a place to work at."""

    worker: str
    slots: int


@dataclass(frozen=True, slots=True)
class Preemption:
    """A task that gives way, and the one that needs its slot."""

    task: str
    by: str


def preemptions(due: Sequence[Due], holders: Sequence[Holder], places: Mapping[str, Place]) -> list[Preemption]:
    """Who gives way. `due` is in the order in which the tasks will begin, `places` are by the ids of executors. Each
    task that is due takes a free slot in its mind, or else the slot of the least valuable holder that is less urgent
    and may be interrupted: the least urgent one, and among those the one that began last, since it loses least."""
    room = {id: place.slots for id, place in places.items()}
    for holder in holders:
        room[holder.executor] = room.get(holder.executor, 0) - (not holder.ends)
    left = sorted(holders, key=lambda each: (each.priority, each.since), reverse=True)
    found = []
    for each in due:
        suitable = [id for id, place in places.items() if each.suits(place.worker)]
        free = [id for id in suitable if room[id] > 0]
        if free:
            room[max(free, key=room.__getitem__)] -= 1
            continue
        victim = next((one for one in left if one.executor in suitable and one.yields_to(each)), None)
        if victim is not None:
            left.remove(victim)
            found.append(Preemption(victim.task, each.task))
    return found
