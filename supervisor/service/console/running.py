"""The console's process: one port of this machine, until it is ended."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable

import uvicorn

from supervisor.service.console.app import app_of
from supervisor.service.console.desk import Deployed, Desk

_FAREWELL = 3  # seconds for answers under way, and for live pages, at the end
_AT_ONCE = 128  # connections
_HEAD = 16 * 1024  # bytes of a request's head


def run_console(
    deployed: Deployed, listener: socket.socket, token: str, suggested: str, ready: Callable[[], object]
) -> None:
    """Serves the console on a listening socket until SIGTERM or SIGINT. `suggested` is the name that the form to sign
    in begins with; `ready` is called once the pages can be asked for. Raises NoIndex."""
    with contextlib.closing(Desk(deployed)) as desk:
        desk.refresh()
        config = uvicorn.Config(
            app_of(desk, token, suggested),
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            lifespan="on",
            ws="none",
            limit_concurrency=_AT_ONCE,
            h11_max_incomplete_event_size=_HEAD,
            timeout_graceful_shutdown=_FAREWELL,
        )
        ready()
        uvicorn.Server(config).run(sockets=[listener])
