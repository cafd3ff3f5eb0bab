"""One agent at one task: its history, its task and facts, and the corrections that it ignored."""

from __future__ import annotations

import contextlib
import threading
import uuid
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, NamedTuple

from supervisor.action import Context, Step
from supervisor.errors import BadInput, MayNotAnswer
from supervisor.history import History, step_of, step_to_json
from supervisor.intake.json_values import clean, exact
from supervisor.memory import near

_INSIDE: ContextVar[bool] = ContextVar("supervisor_inside", default=False)
_REMEMBERED = 64  # nudges a specialist, paused calls, calls let through; older ones are dropped to bound the memory
_TOLD = 5  # stopped actions that a host's user is told of at the end of a turn
_LONGEST_TASK = 16 * 1024  # characters of the user's requests


class LetThrough(NamedTuple):
    """A call that was let through and has not come out yet: the address of its decision's record, and when that was,
    in ISO 8601."""

    record: str
    time: str


class Session:
    """Grows as the agent works. Threads can share one; a decision sees it as it was when the decision began."""

    def __init__(
        self,
        agent: str | None = None,
        task: str | None = None,
        facts: Mapping[str, Any] | None = None,
        name: str | None = None,
    ) -> None:
        """Raises BadInput if a value cannot be recorded."""
        self.id = name or uuid.uuid4().hex
        self.agent = agent if agent is None else clean(agent)
        self.task = task if task is None else clean(task)
        self.facts = _facts(facts or {})
        self._history = History()
        self._nudged: dict[str, deque[frozenset[str]]] = {}
        self._paused: dict[str, str] = {}
        self._let_through: dict[str, LetThrough] = {}
        self._stopped: deque[str] = deque(maxlen=_TOLD)
        self._lock = threading.Lock()

    def context(self) -> Context:
        """The session's task, history and facts at this moment."""
        with self._lock:
            return Context(self.task, self._history.snapshot(), self.facts, self.agent, self.id)

    def joined(self, given: Context) -> Context:
        """A caller's context for one action, completed from the session. The caller's values win: a `history` that it
        gives is the whole history, and a fact that it gives replaces the session's."""
        own = self.context()
        return replace(
            given,
            task=own.task if given.task is None else given.task,
            history=given.history or own.history,
            facts={**own.facts, **given.facts},
            agent=own.agent if given.agent is None else given.agent,
            session=self.id,
        )

    def ask(self, text: str) -> None:
        """Adds the user's next request to the task. When the task exceeds its limit, the oldest text is dropped."""
        with self._lock:
            self.task = f"{self.task}\n\n{clean(text)}"[-_LONGEST_TASK:] if self.task else clean(text)[-_LONGEST_TASK:]

    def learn(self, **facts: Any) -> None:
        """Adds facts. Known facts keep their values; None is ignored."""
        with self._lock:
            fresh = {name: value for name, value in facts.items() if value is not None and name not in self.facts}
            if fresh:
                self.facts = {**self.facts, **_facts(fresh)}

    def relearn(self, **facts: Any) -> None:
        """Sets facts. New values replace known ones."""
        fresh = _facts(facts)
        with self._lock:
            self.facts = {**self.facts, **fresh}

    def add(self, step: Step, place: int | None = None) -> History:
        """Adds an action that ran, with its output, and returns the history before it. Its secrets must be masked
        already (`Supervisor.observe` does so). `place` is its number, for steps that may be reported twice: a step is
        added only if it is the next one."""
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
        """How often the agent already ignored this specialist's correction of a near-equivalent action."""
        with self._lock:
            return sum(near(fingerprint, earlier) for earlier in self._nudged.get(specialist, ()))

    def paused(self, call: str, question: str) -> None:
        """Remembers that the host asks its own user about a call. A question that was asked before belongs to this call
        from now on."""
        with self._lock:
            self._paused = {known: asked for known, asked in self._paused.items() if asked != question}
            self._paused[call] = question
            if len(self._paused) > _REMEMBERED:
                del self._paused[next(iter(self._paused))]

    def stop(self, message: str) -> None:
        """Remembers what to tell the host's user about an action that was stopped."""
        with self._lock:
            if message not in self._stopped:
                self._stopped.append(message)

    def stopped(self) -> list[str]:
        """What was stopped since this was last called, at most the newest few."""
        with self._lock:
            messages = list(self._stopped)
            self._stopped.clear()
            return messages

    @property
    def awaited(self) -> dict[str, str]:
        """The calls about which the host asks its own user, as far as is known, each with its question."""
        with self._lock:
            return dict(self._paused)

    def resumed(self, call: str) -> str | None:
        """Removes a call that has run or was refused, and returns the question that the host's user has answered."""
        with self._lock:
            return self._paused.pop(call, None) if call else None

    def let_through(self, call: str, decision: LetThrough) -> None:
        """Remembers that a call was let through, until it comes out."""
        with self._lock:
            self._let_through[call] = decision
            if len(self._let_through) > _REMEMBERED:
                del self._let_through[next(iter(self._let_through))]

    @property
    def not_out(self) -> dict[str, LetThrough]:
        """The calls that were let through and have not come out yet."""
        with self._lock:
            return dict(self._let_through)

    def came_out(self, call: str) -> LetThrough | None:
        """Removes a call that has run or was refused, and returns it if it was let through."""
        with self._lock:
            return self._let_through.pop(call, None)

    def end_turn(self) -> None:
        """Drops the calls that were let through: no call of a turn comes out after it."""
        with self._lock:
            self._let_through.clear()

    def to_json(self) -> dict[str, Any]:
        """All that the session remembers, for a process that goes on with it."""
        with self._lock:
            nudged = {name: [sorted(each) for each in fingerprints] for name, fingerprints in self._nudged.items()}
            told = {"paused": dict(self._paused), "stopped": list(self._stopped), "nudged": nudged}
            told["let_through"] = {call: list(each) for call, each in self._let_through.items()}
            known = {"id": self.id, "agent": self.agent, "task": self.task, "facts": self.facts}
            return known | told | {"steps": [step_to_json(each) for each in self._history]}

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> Session:
        """The session that another process has remembered. Raises KeyError, TypeError or ValueError if it is malformed,
        and BadInput if a value cannot be recorded."""
        session = cls(value["agent"], value["task"], value["facts"], str(value["id"]))
        for step in value["steps"]:
            session._history.append(step_of(step))
        for name, fingerprints in value["nudged"].items():
            kept = (frozenset(map(str, fingerprint)) for fingerprint in fingerprints)
            session._nudged[str(name)] = deque(kept, maxlen=_REMEMBERED)
        session._paused = {str(call): str(question) for call, question in value["paused"].items()}
        session._stopped.extend(map(str, value.get("stopped", ())))  # a version before exemptions has none
        for call, (record, time) in value.get("let_through", {}).items():  # a version before has none
            session._let_through[str(call)] = LetThrough(str(record), str(time))
        return session


@contextlib.contextmanager
def inside() -> Iterator[None]:
    """Marks the code that runs inside as a guarded agent's, which must not answer questions to people."""
    token = _INSIDE.set(True)
    try:
        yield
    finally:
        _INSIDE.reset(token)


def must_be_outside() -> None:
    """Raises MayNotAnswer if a guarded agent, or one of its tools, runs in this task or thread."""
    if _INSIDE.get():
        raise MayNotAnswer("a guarded session must not answer its own questions; answer outside of it")


def _facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    values = exact(facts, "facts")
    if not isinstance(values, dict):
        raise BadInput("facts must be an object of names and values", place="facts")
    return values
