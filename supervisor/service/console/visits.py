"""Who has signed in. Visits are kept in memory: they end with the process.

The cookie of a visit is bound to a path that nobody can guess. A browser sends the cookies of `127.0.0.1` to every port
of it, and an agent may serve pages there; it never learns the path, so it is never sent the cookie.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from threading import Lock

from supervisor.records.labels import Label

IDLE = 12 * 3600.0  # seconds after which one has to sign in again
_MOST = 64  # visits at once; the one that was idle longest gives way
_UNDOABLE = 50  # steps
_SKIPPED = 200  # items


@dataclass(slots=True)
class Visit:
    """A person who has signed in. `room` begins the paths of their pages, `csrf` is part of each of their forms.
    `given` are the labels of each step, the newest step last; `skipped` the items that they want to see later."""

    by: str
    room: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    seen: float = field(default_factory=time.monotonic)
    given: deque[tuple[Label, ...]] = field(default_factory=lambda: deque(maxlen=_UNDOABLE))
    skipped: OrderedDict[str, None] = field(default_factory=OrderedDict)
    is_closed: bool = False

    @property
    def has_ended(self) -> bool:
        """Whether one has to sign in again."""
        return self.is_closed or time.monotonic() - self.seen > IDLE

    @property
    def base(self) -> str:
        """What the paths of this visit begin with."""
        return f"/r/{self.room}"

    def skip(self, record: str) -> None:
        """Puts an item last."""
        self.skipped[record] = None
        self.skipped.move_to_end(record)
        while len(self.skipped) > _SKIPPED:
            self.skipped.popitem(last=False)


class Visits:
    """All visits. Safe to share between threads."""

    def __init__(self) -> None:
        self._visits: OrderedDict[str, Visit] = OrderedDict()
        self._lock = Lock()

    def open(self, by: str) -> Visit:
        """A new visit of this person."""
        visit = Visit(by)
        with self._lock:
            self._visits[visit.room] = visit
            while len(self._visits) > _MOST:
                self._visits.popitem(last=False)[1].is_closed = True
        return visit

    def of(self, room: str, cookie: str) -> Visit | None:
        """The visit of a room, if the cookie is its own and it was not idle for too long."""
        with self._lock:
            visit = self._visits.get(room)
            if visit is None or not hmac.compare_digest(visit.cookie.encode(), cookie.encode()):
                return None
            if visit.has_ended:
                del self._visits[room]
                return None
            visit.seen = time.monotonic()
            self._visits.move_to_end(room)
            return visit

    def close(self, visit: Visit) -> None:
        """Ends a visit."""
        with self._lock:
            self._visits.pop(visit.room, None)
            visit.is_closed = True
