"""What stands before every page and every route for programs: which requests are let in, and the headers of answers.

There are two kinds of enemies: text that agents wrote, which pages show, and pages of other origins that the same
browser has open. An agent's own development server is such an origin, on another port of the same address; for
cookies, and for `SameSite`, it is the same site.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.websockets import WebSocket

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # `no-referrer` would take the origin from the console's own posts, too
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
# Any other name would be that of a page whose address was changed to this machine's (DNS rebinding).
_HOSTS = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?")
_SAFE = frozenset({"GET", "HEAD"})


class Gate:
    """Lets in what comes from this machine's own pages, or from a person who types an address."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._connected(scope, receive, send)
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
            await send(message)

        if refused := _refused(scope["method"], Headers(scope=scope)):
            await PlainTextResponse(refused[1] + "\n", refused[0])(scope, receive, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)

    async def _connected(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A WebSocket: no rule of browsers keeps other origins from opening one, so it is judged like a post."""
        if refused := _refused("POST", Headers(scope=scope)):
            await WebSocket(scope, receive, send).send_denial_response(PlainTextResponse(refused[1] + "\n", refused[0]))
            return
        await self._app(scope, receive, send)


def _refused(method: str, headers: Headers) -> tuple[int, str] | None:
    """Status and reason of a request that is not let in."""
    host = headers.get("host", "")
    if not _HOSTS.fullmatch(host):
        return 421, "only requests to this machine's own address are answered"
    if method in _SAFE:
        return None
    if method != "POST":
        return 405, "no such method"
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return 403, "another page has sent this"
    if headers.get("origin", f"http://{host}") != f"http://{host}":
        return 403, "another page has sent this"
    return None
