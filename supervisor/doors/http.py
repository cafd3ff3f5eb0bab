"""The door to the web: a GET that cannot reach the deployment's private network (SSRF, CWE-918).

The host name of each redirect is resolved once, all its addresses are checked, and the connection goes to a checked
address. So a name that resolves differently the second time ("DNS rebinding") gains nothing.
"""

from __future__ import annotations

import codecs
import re
import socket
import zlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import anyio
from anyio.lowlevel import checkpoint

from supervisor.action import Page
from supervisor.doors.addresses import is_allowed, is_public
from supervisor.doors.html_text import text_of
from supervisor.errors import DoorFailed
from supervisor.evidence.reading.slices import Sliced, Work
from supervisor.policy.doors import HttpDoor

if TYPE_CHECKING:
    from httpcore import Response
    from httpx import URL

MAX_URL = 4_096
_PART = 16 * 1024  # bytes that are decompressed or decoded at a time
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_HTML = ("text/html", "application/xhtml+xml")
_TEXT = ("text/", "application/json", "application/xml", "application/javascript")
_TEXT_SUFFIXES = ("+json", "+xml")
_CHARSETS = ("utf-8", "utf-16", "us-ascii", "iso-8859", "windows-", "koi8-", "shift_jis", "euc-", "gb", "big5")
_DECLARED = re.compile(r"charset=[\"']?([\w-]+)")
_HEADERS = {
    "User-Agent": "supervisor-guard (checks the sources that an AI agent cites)",
    "Accept": "text/html, text/*, application/json;q=0.9",
    "Accept-Encoding": "gzip",  # it can be decompressed in bounded pieces
}


class Http:
    """Fetches pages. Nothing is imported before the first. Each fetch has its own connection, without cookies or
    proxy."""

    def __init__(self, door: HttpDoor) -> None:
        self.door = door

    async def fetch(self, url: str) -> Page:
        """The page at `url` as text; HTML is reduced to its visible text.

        Raises DoorFailed: `http_bad_url`, `http_forbidden` (an address that is not public), `http_unreachable`,
        `http_timeout`, `http_too_large`, `http_redirects`, `http_encoding`, `http_not_text`.
        """
        from supervisor.doors.exchange import FAILURES

        try:
            with anyio.fail_after(self.door.timeout_ms / 1000):
                return await self._follow(_parsed(url))
        except TimeoutError:
            raise DoorFailed(f"{url} gave no page within {self.door.timeout_ms} ms", code="http_timeout") from None
        except FAILURES as error:
            raise DoorFailed(f"{url} cannot be reached: {str(error)[:200]}", code="http_unreachable") from None

    async def _follow(self, url: URL) -> Page:
        from supervisor.doors.exchange import exchange, header

        for _ in range(self.door.max_redirects + 1):
            address = url.copy_with(host=await self._checked_address(url), fragment=None)
            headers = {**_HEADERS, "Host": url.netloc.decode("ascii")}
            async with exchange("GET", str(address), headers, server_name=_host(url)) as response:
                location = header(response, b"location")
                if response.status not in _REDIRECTS or not location:
                    return Page(str(url), response.status, await self._text(response))
            url = _parsed(location, url)
        raise DoorFailed(f"more than {self.door.max_redirects} redirects", code="http_redirects")

    async def _checked_address(self, url: URL) -> str:
        """An address of the URL's host. Raises DoorFailed unless all of its addresses are allowed."""
        host = _host(url)
        try:
            entries = await anyio.getaddrinfo(host, url.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise DoorFailed(f"the name {host} is not known", code="http_unreachable") from None
        addresses = [str(entry[4][0]) for entry in entries]
        for address in addresses:
            if not is_public(address) and not is_allowed(host, address, self.door.allow_private):
                raise DoorFailed(f"{host} is not on the public internet", code="http_forbidden")
        return addresses[0]

    async def _text(self, response: Response) -> str:
        from supervisor.doors.exchange import header

        kind, _, parameters = (header(response, b"content-type") or "text/plain").lower().partition(";")
        kind = kind.strip()
        body = await self._body(response, header(response, b"content-encoding").lower())
        if not (kind.startswith(_TEXT) or kind.endswith(_TEXT_SUFFIXES)) or b"\0" in body[:1024]:
            raise DoorFailed(f"the page is {kind[:100] or 'of no kind'}, not text", code="http_not_text")
        text = await _decoded.unhurried(body, parameters)
        return await text_of.unhurried(text) if kind in _HTML else text

    async def _body(self, response: Response, encoding: str) -> bytes:
        """The decompressed bytes, at most `max_bytes`. A decompression bomb is not read to its end (CWE-409)."""
        unpack = _unpacker(encoding)
        body = bytearray()
        async for piece in response.aiter_stream():
            for part in unpack(piece):
                await checkpoint()  # a kilobyte may decompress to a megabyte
                body += part
                if len(body) > self.door.max_bytes:
                    raise DoorFailed(f"the page has more than {self.door.max_bytes:,} bytes", code="http_too_large")
        return bytes(body)


def _parsed(url: str, base: URL | None = None) -> URL:
    import httpx

    if len(url) > MAX_URL:
        raise DoorFailed(f"a URL of more than {MAX_URL:,} characters", code="http_bad_url")
    try:
        parsed = base.join(url) if base else httpx.URL(url)
    except httpx.InvalidURL as error:
        raise DoorFailed(f"not a URL: {error}", code="http_bad_url") from None
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise DoorFailed("only http and https URLs with a host are fetched", code="http_bad_url")
    if parsed.userinfo:
        raise DoorFailed("a URL with a user name in it is not fetched", code="http_bad_url")
    return parsed


def _host(url: URL) -> str:
    """The host name for DNS: an international name in its ASCII form."""
    return url.raw_host.decode("ascii")


def _unpacker(encoding: str) -> Callable[[bytes], Iterator[bytes]]:
    """A function that decompresses a piece of the body and yields the parts."""
    if encoding in ("", "identity"):
        return lambda piece: iter([piece])
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise DoorFailed(f"a page packed as {encoding[:20]} was not asked for", code="http_encoding")
    stream = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)  # gzip or zlib, whichever the header says

    def unpack(piece: bytes) -> Iterator[bytes]:
        while piece:
            try:
                yield stream.decompress(piece, _PART)
            except zlib.error:
                raise DoorFailed("the page cannot be unpacked", code="http_encoding") from None
            piece = stream.unconsumed_tail

    return unpack


@Sliced
def _decoded(body: bytes, parameters: str) -> Work[str]:
    """The text, decoded with the character set that the header or the head of the page declares, else as UTF-8.

    Invalid bytes become U+FFFD. Python's `punycode` and `idna` codecs, slow on long input, cannot be selected.
    """
    declared = _charset(parameters[:1024]) or _charset(body[:1024].decode("latin-1").lower())
    if declared == "utf-16" and body[:2] not in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        declared = "utf-16-le"  # as browsers read it (WHATWG Encoding Standard)
    decoder = _decoder(declared if declared.startswith(_CHARSETS) else "utf-8")
    parts = []
    for start in range(0, len(body), _PART):
        parts.append(decoder.decode(body[start : start + _PART]))
        yield
    return "".join([*parts, decoder.decode(b"", final=True)])


def _decoder(charset: str) -> codecs.IncrementalDecoder:
    try:
        return codecs.getincrementaldecoder(charset)(errors="replace")
    except LookupError:
        return codecs.getincrementaldecoder("utf-8")(errors="replace")


def _charset(declaration: str) -> str:
    declared = _DECLARED.search(declaration)
    return declared[1] if declared else ""
