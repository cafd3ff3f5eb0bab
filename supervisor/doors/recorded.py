"""What the doors said, kept so that a specialist can be run again when the world has moved on."""

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
from supervisor.evidence.reading.slices import aside
from supervisor.intake.json_values import is_small

MAX_CALLS = 64  # of all doors together, for one specialist in one decision
AT_ONCE = 8  # of them; to begin with all in one turn of the event loop would hold it
_UNANSWERED = {"code": "door_unanswered", "message": "the decision was made before the answer came"}


def _as_it_is(value: Any) -> Any:
    return value


class Told:
    """What the doors tell one decision, without what `mask` removes.

    A page that several specialists ask for is fetched once: they all judge the same one, and its owner is asked once.
    """

    def __init__(self, doors: Doors, mask: Callable[[Any], Any] = _as_it_is) -> None:
        self.doors = doors
        self.mask = mask
        self._pages: dict[str, dict[str, Any]] = {}
        self._turns: defaultdict[str, Lock] = defaultdict(Lock)

    async def page(self, url: str) -> dict[str, Any]:
        """`answer` of the page at an address."""
        async with self._turns[url]:
            if url not in self._pages:
                self._pages[url] = await self.answer(partial(self.doors.fetch, url))
        return self._pages[url]

    async def answer(self, asking: Callable[[], Awaitable[Any]]) -> dict[str, Any]:
        """`{"answer"}` or `{"error": {"code", "message"}}`, all JSON."""
        try:
            answer = await asking()
        except Exception as error:  # noqa: BLE001 - a door that breaks gave no answer, whatever broke it
            failed = _failed(error, self.mask)
            return {"error": {"code": failed.code, "message": str(failed)}}
        told = plain(answer) if isinstance(answer, list) else asdict(answer)
        return {"answer": self.mask(told) if is_small(told) else await aside(self.mask, told)}


class RecordingDoors:
    """Doors for one specialist. `answers` holds each request and its answer or error, in the order of asking.

    An entry is `{"door", "request", "answer"}` or `{"door", "request", "error": {"code", "message"}}`, all JSON. What
    is `told` is what is recorded, and also what the specialist sees, live as in a replay. Beyond MAX_CALLS nothing is
    asked: DoorFailed (`too_many_calls`), live as in a replay.
    """

    def __init__(self, told: Told) -> None:
        self.answers: list[dict[str, Any]] = []
        self._told = told
        self._turns = Semaphore(AT_ONCE)

    async def query(self, sql: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        asking = partial(self._told.doors.query, sql, parameters)
        return _rows(await self._keep("query", _query(sql, parameters), partial(self._told.answer, asking)))

    async def fetch(self, url: str) -> Page:
        return Page(**await self._keep("fetch", _fetch(url), partial(self._told.page, url)))

    async def ask(self, question: str, material: Mapping[str, str]) -> Answer:
        asking = partial(self._told.doors.ask, question, material)
        return Answer(**await self._keep("ask", _ask(question, material), partial(self._told.answer, asking)))

    @property
    def now(self) -> datetime:
        _check_calls(len(self.answers))
        now = self._told.doors.now
        self.answers.append({"door": "now", "request": {}, "answer": now.isoformat()})
        return now

    async def _keep(self, door: str, request: dict[str, Any], telling: Callable[[], Awaitable[dict[str, Any]]]) -> Any:
        _check_calls(len(self.answers))
        entry: dict[str, Any] = {"door": door, "request": request, "error": dict(_UNANSWERED)}
        self.answers.append(entry)  # before the wait, which a deadline may end
        async with self._turns:
            told = await telling()
        del entry["error"]
        entry.update(told)
        if "error" in told:
            raise _heard(told["error"])
        return told["answer"]


class ReplayDoors:
    """Doors that play a record back: the same request gets the same answers in the same order, and nothing is touched.

    Raises BadRecord for a request that the record does not hold, DoorFailed where the door had failed.
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
            raise _heard(entry["error"])
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
    """A copy, so that a specialist that changes its rows does not change the record."""
    rows: list[dict[str, Any]] = plain(answer)
    return rows


def _heard(error: Mapping[str, str]) -> DoorFailed:
    return DoorFailed(error["message"], code=error["code"])


def _failed(error: Exception, mask: Callable[[Any], Any]) -> DoorFailed:
    """What a specialist hears, live as in a replay: masked, and never that it is to blame."""
    if isinstance(error, DoorFailed):
        return DoorFailed(mask(str(error)), code=error.code)
    return DoorFailed(mask(f"the door broke: {type(error).__name__}: {error}"), code="door_broken")


def _key(door: str, request: Any) -> str:
    return json.dumps([door, request], sort_keys=True)
