"""The gateway of one process: a port on loopback, in a thread of its own."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import secrets
import socket
import threading
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from supervisor.errors import SupervisorError
from supervisor.runtime.gateway.providers import Route, route_to, upstreams_of

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

    from supervisor.runtime.gateway.forwarding import Account, Payer

_LOOPBACK = "127.0.0.1"
_TOKEN = 32  # random bytes
_FAREWELL = 3  # seconds for answers under way at the end
_HEAD = 64 * 1024  # bytes of a request's head
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


class NoGateway(SupervisorError):
    """The gateway cannot be started."""

    code = "no_gateway"


class Gateway:
    """Lets each worker ask its providers with a token of its own, and nobody else."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._accounts: dict[tuple[str, str], Account] = {}
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self._port = 0

    @contextlib.contextmanager
    def routes(self, payer: Payer, environment: Mapping[str, str]) -> Iterator[Mapping[str, Route]]:
        """The ways of a worker to the providers whose keys are in its environment, by provider, as long as it runs.
        Raises NoGateway."""
        from supervisor.runtime.gateway.forwarding import Account

        upstreams = upstreams_of(environment)
        if not upstreams:
            yield {}
            return
        port, token = self._started(), secrets.token_urlsafe(_TOKEN)
        keys = {(each.provider.name, _digest(token)): Account(payer, each) for each in upstreams}
        with self._lock:
            self._accounts.update(keys)
        try:
            yield {each.provider.name: route_to(each, port, token, environment) for each in upstreams}
        finally:
            with self._lock:
                for key in keys:
                    del self._accounts[key]

    def close(self) -> None:
        """Ends it, with what is under way."""
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join()

    def _started(self) -> int:
        """The port, on which it listens from now on."""
        with self._lock:
            if self._server is None:
                self._server, self._port = self._start()
            return self._port

    def _start(self) -> tuple[uvicorn.Server, int]:
        try:
            import uvicorn
        except ImportError:
            missing = "the gateway needs uvicorn and Starlette: pip install 'supervisor-guard[runtime]'"
            raise NoGateway(missing, code="missing_extra") from None
        logging.getLogger("httpx").setLevel(logging.WARNING)  # it tells addresses, which may hold keys
        listener = socket.create_server((_LOOPBACK, 0))
        config = uvicorn.Config(
            self._app(),
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            lifespan="on",
            ws="none",
            h11_max_incomplete_event_size=_HEAD,
            timeout_graceful_shutdown=_FAREWELL,
        )
        server, port = uvicorn.Server(config), int(listener.getsockname()[1])

        def serve() -> None:
            with listener:
                server.run(sockets=[listener])

        self._thread = threading.Thread(target=serve, name="gateway", daemon=True)
        self._thread.start()
        return server, port

    def _app(self) -> Starlette:
        from starlette.applications import Starlette
        from starlette.routing import Route as Path

        from supervisor.runtime.gateway.forwarding import client, forward, refused

        http = client()

        async def answer(request: Request) -> Response:
            account = self._account(request)
            if account is None:
                return refused(request.path_params["provider"], 401, "Supervisor: no token of a running attempt")
            return await forward(http, account, request)

        @contextlib.asynccontextmanager
        async def lifespan(_: Starlette) -> AsyncIterator[None]:
            async with http:
                yield

        return Starlette(routes=[Path("/{provider}/{path:path}", answer, methods=_METHODS)], lifespan=lifespan)

    def _account(self, request: Request) -> Account | None:
        """Whose request it is."""
        provider = request.path_params["provider"]
        with self._lock:
            found = (self._accounts.get((provider, _digest(token))) for token in _tokens(request))
            return next((each for each in found if each is not None), None)


def _tokens(request: Request) -> Iterable[str]:
    """What a program may send as its key."""
    headers = request.headers
    yield headers.get("authorization", "").removeprefix("Bearer ")
    yield from (headers.get(name, "") for name in ("x-api-key", "x-goog-api-key"))
    yield request.query_params.get("key", "")


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
