"""Decisions as they are made."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable

from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from supervisor.feedback import queries
from supervisor.feedback.items import Item
from supervisor.service.console.calls import Call
from supervisor.service.console.desk import Desk
from supervisor.service.console.pages import render
from supervisor.service.console.visits import Visit

_SHOWN = 50
_EVERY = 1.0  # seconds
_SILENCE = 15  # looks without anything new, after which a comment keeps the connection
_MOST = 16  # streams at once: each holds a connection


def live(call: Call) -> Response:
    """The newest decisions, with a list that grows."""
    return call.page("live.html", items=_newest(call.desk))


async def stream(call: Call) -> Response:
    """Every decision from now on, as an event with a row of the list."""
    look = await run_in_threadpool(_looking, call.desk, call.visit)
    return streamed(call, look)


def _looking(desk: Desk, visit: Visit) -> Callable[[], list[str]]:
    """What the stream looks at: rows of the decisions since now, each once."""
    seen = deque((each.record for each in _newest(desk)), maxlen=4 * _SHOWN)

    def look() -> list[str]:
        fresh = [each for each in reversed(_newest(desk)) if each.record not in seen]
        seen.extend(item.record for item in fresh)
        return [render("_row.html", item=item, visit=visit) for item in fresh]

    return look


def streamed(call: Call, look: Callable[[], list[str]]) -> Response:
    """Pieces of a page as events, as long as the visit lasts: each look returns those that are new."""
    if call.desk.streams >= _MOST:
        return PlainTextResponse("too many live pages are open\n", 503)
    events = _events(call.desk, call.visit, look)
    return StreamingResponse(events, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


async def _events(desk: Desk, visit: Visit, look: Callable[[], list[str]]) -> AsyncIterator[str]:
    desk.streams += 1
    try:
        yield ": open\n\n"
        silent = 0
        while not visit.has_ended:
            await asyncio.sleep(_EVERY)
            fresh = await run_in_threadpool(look)
            for piece in fresh:
                yield _event(piece)
            silent = 0 if fresh else silent + 1
            if silent >= _SILENCE:
                silent = 0
                yield ": still here\n\n"
    finally:
        desk.streams -= 1


def _newest(desk: Desk) -> list[Item]:
    with desk.store.reading() as connection:
        return queries.newest_items(connection, _SHOWN)


def _event(piece: str) -> str:
    return "".join(f"data: {line}\n" for line in piece.splitlines()) + "\n"
