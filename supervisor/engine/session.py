"""One agent at one task: what it has done, what it was told, and which corrections it ignored."""

from __future__ import annotations

import contextlib
import threading
import uuid
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from supervisor.action import Context, Step
from supervisor.decision.escalation import near
from supervisor.errors import BadInput, MayNotAnswer
from supervisor.history import History
from supervisor.intake.json_values import clean, exact

_INSIDE: ContextVar[bool] = ContextVar("supervisor_inside", default=False)
_REMEMBERED = 64  # nudges a specialist; older ones are forgotten, so that a session's memory stays bounded
_LONGEST_TASK = 16 * 1024  # characters of what a user has asked for in a session


class Session:
    """Grows as the agent works. Safe to share between threads; decisions see it as it was when they began."""

    def __init__(
        self,
        agent: str | None = None,
        task: str | None = None,
        facts: Mapping[str, Any] | None = None,
        name: str | None = None,
    ) -> None:
        """Raises BadInput where a record could not hold what a specialist would see."""
        self.id = name or uuid.uuid4().hex
        self.agent = agent if agent is None else clean(agent)
        self.task = task if task is None else clean(task)
        self.facts = _facts(facts or {})
        self._history = History()
        self._nudged: dict[str, deque[frozenset[str]]] = {}
        self._paused: dict[str, str] = {}
        self._lock = threading.Lock()

    def context(self) -> Context:
        """What is known now."""
        with self._lock:
            return Context(self.task, self._history.snapshot(), self.facts, self.agent, self.id)

    def joined(self, told: Context) -> Context:
        """What is told of one action of this session, and what the session knows beside it. What is told holds: a
        history that is told is the whole past, and a fact that is told the one that counts."""
        own = self.context()
        return replace(
            told,
            task=own.task if told.task is None else told.task,
            history=told.history or own.history,
            facts={**own.facts, **told.facts},
            agent=own.agent if told.agent is None else told.agent,
            session=self.id,
        )

    def ask(self, text: str) -> None:
        """The user's next words. They are the task as much as those before; where it grows long, the oldest go."""
        with self._lock:
            self.task = f"{self.task}\n\n{clean(text)}"[-_LONGEST_TASK:] if self.task else clean(text)[-_LONGEST_TASK:]

    def learn(self, **facts: Any) -> None:
        """Facts that are learnt on the way; what is known already stays, and None teaches nothing."""
        with self._lock:
            fresh = {name: value for name, value in facts.items() if value is not None and name not in self.facts}
            if fresh:
                self.facts = {**self.facts, **_facts(fresh)}

    def relearn(self, **facts: Any) -> None:
        """Facts that have changed: from now on they hold instead of what was known."""
        fresh = _facts(facts)
        with self._lock:
            self.facts = {**self.facts, **fresh}

    def add(self, step: Step, place: int | None = None) -> History:
        """An action that ran, and what came of it, its secrets masked: `Supervisor.observe` sees to that. Returns what
        came before it. `place` is its number, where several may tell of it: whoever comes late adds nothing."""
        with self._lock:
            before = self._history.snapshot()
            if place is None or place == len(before):
                self._history.append(step)
            return before

    def nudged(self, specialists: Iterable[str], fingerprint: frozenset[str]) -> None:
        """Remembers that these specialists sent a correction for an action with this fingerprint."""
        with self._lock:
            for name in specialists:
                self._nudged.setdefault(name, deque(maxlen=_REMEMBERED)).append(fingerprint)

    def times_nudged(self, specialist: str, fingerprint: frozenset[str]) -> int:
        """How often this specialist was already ignored over a near-equivalent action."""
        with self._lock:
            return sum(near(fingerprint, earlier) for earlier in self._nudged.get(specialist, ()))

    def paused(self, call: str, question: str) -> None:
        """Remembers that the host's own user is asked about a call. What was asked before and is asked again now has
        this call alone to wait for."""
        with self._lock:
            self._paused = {known: asked for known, asked in self._paused.items() if asked != question}
            self._paused[call] = question
            if len(self._paused) > _REMEMBERED:
                del self._paused[next(iter(self._paused))]

    @property
    def awaited(self) -> dict[str, str]:
        """The calls about which the host's own user is asked, as far as we know, and the question of each."""
        with self._lock:
            return dict(self._paused)

    def resumed(self, call: str) -> str | None:
        """The question that the host's user has answered: this call has run, or was refused."""
        with self._lock:
            return self._paused.pop(call, None) if call else None


@contextlib.contextmanager
def inside() -> Iterator[None]:
    """Marks what runs now as a guarded agent's: what is for people is not for it."""
    token = _INSIDE.set(True)
    try:
        yield
    finally:
        _INSIDE.reset(token)


def must_be_outside() -> None:
    """Raises MayNotAnswer where a guarded agent, or a tool of its, runs in this task or thread."""
    if _INSIDE.get():
        raise MayNotAnswer("a guarded session does not answer its own questions; answer outside of it")


def _facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    told = exact(facts, "facts")
    if not isinstance(told, dict):
        raise BadInput("facts are names with values", place="facts")
    return told
