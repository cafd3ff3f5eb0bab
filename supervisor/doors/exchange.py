"""One HTTP request and its response, read in portions so that the event loop can run between them.

An HTTP client parses all received bytes before it yields, and an untrusted server decides what these are: a body in a
hundred thousand chunks, ten thousand headers. So the client gets a few kilobytes at a time, and a limited number of
headers. The caller sets deadlines.
"""

from __future__ import annotations

import functools
import re
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpcore
import httpx
from anyio.lowlevel import checkpoint

from supervisor.errors import DoorFailed

PORTION = 1_024  # bytes
MAX_HEAD = 32 * 1024  # bytes of a status line and headers, interim responses included; browsers accept 256 KB
MAX_LINES = 200  # of the status line and headers; Apache accepts 100
FAILURES = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, httpx.InvalidURL, OSError)
_END = re.compile(rb"\r?\n\r?\n")
_INTERIM = re.compile(rb"HTTP/1\.\d 1\d\d")  # RFC 9110, section 15.2


@functools.cache
def tls() -> ssl.SSLContext:
    """The TLS context, created once: reading the certificate authorities costs more than a request."""
    return httpx.create_ssl_context(trust_env=False)


@asynccontextmanager
async def exchange(
    method: str, url: str, headers: Mapping[str, str], content: bytes = b"", server_name: str = ""
) -> AsyncIterator[httpcore.Response]:
    """Sends a request over a new connection and yields the response; the caller reads its body.

    `server_name` is the name that the certificate must have, if it is not the host of the URL. Proxies, cookies and
    redirects are ignored. Raises one of FAILURES, and DoorFailed (`http_too_large`) beyond MAX_HEAD and MAX_LINES.
    """
    extensions = {"sni_hostname": server_name} if server_name else {}
    sent = [*headers.items(), ("Connection", "close")]
    async with (
        httpcore.AsyncConnectionPool(tls(), network_backend=_Backend()) as pool,
        pool.stream(method, url, headers=sent, content=content or None, extensions=extensions) as response,
    ):
        yield response


def header(response: httpcore.Response, name: bytes) -> str:
    """A header's first value; empty if there is none."""
    values = (value for key, value in response.headers if key.lower() == name)
    return next(values, b"").decode("latin-1").strip()


class _Backend(httpcore.AnyIOBackend):
    async def connect_tcp(self, *args: Any, **kwargs: Any) -> httpcore.AsyncNetworkStream:
        return _Portions(await super().connect_tcp(*args, **kwargs))


class _Portions(httpcore.AsyncNetworkStream):
    """A connection that is read in portions."""

    def __init__(self, stream: httpcore.AsyncNetworkStream) -> None:
        self._stream = stream
        self._head: bytes | None = b""

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 - httpcore's interface
        await checkpoint()
        portion = await self._stream.read(min(max_bytes, PORTION), timeout)
        if self._head is not None:
            self._watch(self._head + portion)
        return portion

    def _watch(self, head: bytes) -> None:
        *ended, _ = _END.split(head)
        self._head = head if all(map(_INTERIM.match, ended)) else None
        if self._head and (len(head) > MAX_HEAD or head.count(b"\n") > MAX_LINES):
            raise DoorFailed(f"more than {MAX_LINES} or {MAX_HEAD:,} bytes of headers", code="http_too_large")

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109 - as above
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(self, *args: Any, **kwargs: Any) -> httpcore.AsyncNetworkStream:
        return _Portions(await self._stream.start_tls(*args, **kwargs))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
