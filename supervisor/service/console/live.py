"""Decisions as they are made."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator

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
    if call.desk.streams >= _MOST:
        return PlainTextResponse("too many live pages are open\n", 503)
    events = _events(call.desk, call.visit)
    return StreamingResponse(events, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


async def _events(desk: Desk, visit: Visit) -> AsyncIterator[str]:
    desk.streams += 1
    try:
        seen = deque((each.record for each in await run_in_threadpool(_newest, desk)), maxlen=4 * _SHOWN)
        yield ": open\n\n"
        silent = 0
        while not visit.has_ended:
            await asyncio.sleep(_EVERY)
            fresh = [each for each in await run_in_threadpool(_newest, desk) if each.record not in seen]
            for item in reversed(fresh):
                seen.append(item.record)
                yield _event(item, visit)
            silent = 0 if fresh else silent + 1
            if silent >= _SILENCE:
                silent = 0
                yield ": still here\n\n"
    finally:
        desk.streams -= 1


def _newest(desk: Desk) -> list[Item]:
    with desk.store.reading() as connection:
        return queries.newest_items(connection, _SHOWN)


def _event(item: Item, visit: Visit) -> str:
    row = render("_row.html", item=item, visit=visit)
    return "".join(f"data: {line}\n" for line in row.splitlines()) + "\n"
