"""Recording the doors' answers and playing them back, so that a decision can be replayed later."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from functools import partial
from typing import Any

from anyio import Lock, Semaphore

from supervisor.action import Answer, Doors, Page
from supervisor.doors.plain import plain
from supervisor.errors import BadRecord, DoorFailed
from supervisor.evidence.reading.slices import loop_reached, run_in_thread
from supervisor.intake.json_values import is_small

MAX_CALLS = 64  # of all doors together, for one specialist in one decision
AT_ONCE = 8  # calls at a time; starting all at once would block the event loop
_UNANSWERED = {"code": "door_unanswered", "message": "the decision was made before the answer came"}


def _as_it_is(value: Any) -> Any:
    return value


class SharedAnswers:
    """The doors' answers for one decision, with `mask` applied. `check` raises DoorFailed for a door that is not
    configured, so that nobody waits for it.

    A page that several specialists fetch is fetched once: all judge the same page, and its server gets one request.
    """

    def __init__(
        self,
        doors: Doors,
        mask: Callable[[Any], Any] = _as_it_is,
        check: Callable[[str], None] = lambda door: None,
    ) -> None:
        self.doors = doors
        self.mask = mask
        self._check = check
        self._pages: dict[str, dict[str, Any]] = {}
        self._memory: dict[str, Any] | None = None
        self._turns: defaultdict[str, Lock] = defaultdict(Lock)

    def refused(self, door: str) -> dict[str, Any]:
        """The `answer` of a door that is not configured; empty if it is."""
        try:
            self._check(door)
        except DoorFailed as error:
            return _error(error, self.mask)
        return {}

    async def page(self, url: str) -> dict[str, Any]:
        """The `answer` for the page at a URL."""
        async with self._turns[url]:
            if url not in self._pages:
                self._pages[url] = await self.answer(partial(self.doors.fetch, url))
        return self._pages[url]

    async def memory(self) -> dict[str, Any]:
        """The `answer` for what is remembered of the agent, the same for all specialists of the decision."""
        async with self._turns[""]:
            if self._memory is None:
                self._memory = await self.answer(self.doors.recall)
        return self._memory

    async def answer(self, asking: Callable[[], Awaitable[Any]]) -> dict[str, Any]:
        """`{"answer"}` or `{"error": {"code", "message"}}`, all JSON."""
        try:
            answer = await asking()
        except Exception as error:  # noqa: BLE001 - any error of a door means that it gave no answer
            return _error(error, self.mask)
        value = plain(answer) if isinstance(answer, (list, dict)) else asdict(answer)
        return {"answer": self.mask(value) if is_small(value) else await run_in_thread(self.mask, value)}


class RecordingDoors:
    """Doors for one specialist. `answers` contains each request with its answer or error, in the order of the requests.

    An entry is `{"door", "request", "answer"}` or `{"door", "request", "error": {"code", "message"}}`, all JSON. The
    specialist gets the recorded answer, so that a replay gives it the same one. More than MAX_CALLS requests raise
    DoorFailed (`too_many_calls`), live as in a replay.
    """

    def __init__(self, shared: SharedAnswers) -> None:
        self.answers: list[dict[str, Any]] = []
        self._shared = shared
        self._turns = Semaphore(AT_ONCE)

    async def query(self, sql: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        asking = partial(self._shared.doors.query, sql, parameters)
        return _rows(await self._keep("query", _query(sql, parameters), partial(self._shared.answer, asking)))

    async def fetch(self, url: str) -> Page:
        return Page(**await self._keep("fetch", _fetch(url), partial(self._shared.page, url)))

    async def ask(self, question: str, material: Mapping[str, str]) -> Answer:
        asking = partial(self._shared.doors.ask, question, material)
        return Answer(**await self._keep("ask", _ask(question, material), partial(self._shared.answer, asking)))

    async def recall(self) -> dict[str, Any]:
        return _copy(await self._keep("recall", {}, self._shared.memory))

    @property
    def now(self) -> datetime:
        _check_calls(len(self.answers))
        now = self._shared.doors.now
        self.answers.append({"door": "now", "request": {}, "answer": now.isoformat()})
        return now

    async def _keep(self, door: str, request: dict[str, Any], call: Callable[[], Awaitable[dict[str, Any]]]) -> Any:
        _check_calls(len(self.answers))
        entry: dict[str, Any] = {"door": door, "request": request, "error": dict(_UNANSWERED)}
        self.answers.append(entry)  # before the wait, because a deadline may end it
        if not (outcome := self._shared.refused(door)):
            await loop_reached()
            async with self._turns:
                outcome = await call()
        del entry["error"]
        entry.update(outcome)
        if "error" in outcome:
            raise _door_failed(outcome["error"])
        return outcome["answer"]


class ReplayDoors:
    """Doors that play a record back: the same request gets the same answers in the same order, without any access to
    the outside.

    Raises BadRecord for a request that is not in the record, DoorFailed if the door failed when recorded.
    """

    _calls = 0

    def __init__(self, answers: Iterable[Mapping[str, Any]]) -> None:
        self._answers: dict[str, deque[Mapping[str, Any]]] = {}
        for entry in answers:
            self._answers.setdefault(_key(entry["door"], entry["request"]), deque()).append(entry)

    async def query(self, sql: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        return _rows(self._next("query", _query(sql, parameters)))

    async def fetch(self, url: str) -> Page:
        return Page(**self._next("fetch", _fetch(url)))

    async def ask(self, question: str, material: Mapping[str, str]) -> Answer:
        return Answer(**self._next("ask", _ask(question, material)))

    async def recall(self) -> dict[str, Any]:
        return _copy(self._next("recall", {}))

    @property
    def now(self) -> datetime:
        return datetime.fromisoformat(self._next("now", {}))

    def _next(self, door: str, request: dict[str, Any]) -> Any:
        _check_calls(self._calls)
        self._calls += 1
        waiting = self._answers.get(_key(door, request))
        if not waiting:
            asked = json.dumps(request, ensure_ascii=False)[:200]
            raise BadRecord(f"the record holds no answer of the {door} door to {asked}", code="unrecorded_request")
        entry = waiting.popleft()
        if "error" in entry:
            raise _door_failed(entry["error"])
        return entry["answer"]


def _check_calls(made: int) -> None:
    if made >= MAX_CALLS:
        raise DoorFailed(f"a specialist may ask its doors {MAX_CALLS} times in one decision", code="too_many_calls")


def _query(sql: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {"sql": sql, "parameters": plain(dict(parameters))}


def _fetch(url: str) -> dict[str, Any]:
    return {"url": url}


def _ask(question: str, material: Mapping[str, str]) -> dict[str, Any]:
    return {"question": question, "material": dict(material)}


def _rows(answer: Any) -> list[dict[str, Any]]:
    """A copy of the rows, so that a specialist that changes them does not change the record."""
    rows: list[dict[str, Any]] = plain(answer)
    return rows


def _copy(answer: Any) -> dict[str, Any]:
    """A copy of what is remembered, for the same reason."""
    values: dict[str, Any] = plain(answer)
    return values


def _door_failed(error: Mapping[str, str]) -> DoorFailed:
    return DoorFailed(error["message"], code=error["code"])


def _error(error: Exception, mask: Callable[[Any], Any]) -> dict[str, Any]:
    failed = _failed(error, mask)
    return {"error": {"code": failed.code, "message": str(failed)}}


def _failed(error: Exception, mask: Callable[[Any], Any]) -> DoorFailed:
    """The error that a specialist gets, live as in a replay: always a masked DoorFailed."""
    if isinstance(error, DoorFailed):
        return DoorFailed(mask(str(error)), code=error.code)
    return DoorFailed(mask(f"the door broke: {type(error).__name__}: {error}"), code="door_broken")


def _key(door: str, request: Any) -> str:
    return json.dumps([door, request], sort_keys=True)
