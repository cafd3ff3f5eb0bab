"""Tasks as they change, over a WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocketDisconnect

from supervisor.runtime.tasks.states import OPEN
from supervisor.service.tasks.board import Board, Following

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

EVERY = 1.0  # seconds between two looks


async def tell(socket: WebSocket, board: Board, task: str | None) -> None:
    """Accepts a connection, and sends what is open, and then each task that has changed, until the client goes.
    Whatever the client sends is left unread. Raises NoRuntime."""
    following = await run_in_threadpool(Following, board, task)
    first = await run_in_threadpool(_first, board, task)
    await socket.accept()
    telling = asyncio.create_task(_tell(socket, following, first))
    gone = asyncio.create_task(_until_gone(socket))
    done, left = await asyncio.wait({telling, gone}, return_when=asyncio.FIRST_COMPLETED)
    for each in left:
        each.cancel()
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect):
            await each
    if telling in done:
        with contextlib.suppress(WebSocketDisconnect):
            telling.result()


def _first(board: Board, task: str | None) -> dict[str, Any]:
    tasks = [each for each in board.tasks(OPEN) if task in (None, each["id"])]
    return {"type": "tasks", "tasks": tasks, "counts": board.counts()}


async def _tell(socket: WebSocket, following: Following, first: dict[str, Any]) -> None:
    await socket.send_text(orjson.dumps(first).decode())
    while True:
        await asyncio.sleep(EVERY)
        for changed in await run_in_threadpool(following.look):
            await socket.send_text(orjson.dumps({"type": "task", "task": changed}).decode())


async def _until_gone(socket: WebSocket) -> None:
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass
