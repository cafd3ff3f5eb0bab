"""The API on a port of this machine: in a process of its own, or beside an executor."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable

import uvicorn

from supervisor.errors import SupervisorError
from supervisor.service.tasks.app import Tokens, app_of
from supervisor.service.tasks.board import Board

_FAREWELL = 3  # seconds for answers under way, and for streams, at the end
_AT_ONCE = 128  # connections
_HEAD = 16 * 1024  # bytes of a request's head
_MESSAGE = 4 * 1024  # bytes of a message from a client, which nobody reads


def serve_tasks(board: Board, listener: socket.socket, tokens: Tokens, ready: Callable[[], object]) -> None:
    """Serves the API on a listening socket until SIGTERM or SIGINT. `ready` is called once it can be asked."""
    ready()
    _server(board, tokens).run(sockets=[listener])


class Beside:
    """The API in a thread of a process that does something else."""

    def __init__(self, board: Board, listener: socket.socket, tokens: Tokens) -> None:
        """Starts it."""
        self._server = _server(board, tokens)
        self._thread = threading.Thread(target=self._server.run, args=([listener],), daemon=True)
        self._thread.start()

    def check(self) -> None:
        """Raises SupervisorError if it does not serve any more."""
        if not self._thread.is_alive():
            raise SupervisorError("the API has ended", code="api_ended")

    def close(self) -> None:
        """Ends it."""
        self._server.should_exit = True
        self._thread.join()


def _server(board: Board, tokens: Tokens) -> uvicorn.Server:
    config = uvicorn.Config(
        app_of(board, tokens),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="websockets-sansio",
        ws_max_size=_MESSAGE,
        limit_concurrency=_AT_ONCE,
        h11_max_incomplete_event_size=_HEAD,
        timeout_graceful_shutdown=_FAREWELL,
    )
    return uvicorn.Server(config)
