"""HTTP/1.1 of the daemon: one connection, with limits against clients that hang, lie or flood.

h11 parses the protocol; this module has the timeouts and the size limits. A request must arrive within READING seconds
of its first byte, an answer must be received within WRITING, and head and body have maximum sizes.
"""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass, field

import h11

from supervisor.intake.parsing import MAX_REQUEST

IDLE = 300.0  # seconds that a connection may stay open between requests
READING = 10.0  # seconds from a request's first byte to its last
WRITING = 10.0  # seconds for a client to receive an answer
_HEAD = 16 * 1024  # bytes of a request's head
_CHUNK = 64 * 1024
_MOST_HELD = 16 * MAX_REQUEST  # bytes of the requests of all connections together
JSON = "application/json"
TEXT = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Request:
    """One complete request."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Response:
    """One answer."""

    status: int
    body: bytes = b""
    type: str = JSON
    headers: dict[str, str] = field(default_factory=dict)


class BadRequest(Exception):
    """The client violates the protocol or a limit. `response` is the answer, after which the connection ends."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.response = Response(status, message.encode() + b"\n", TEXT)


class Connection:
    """The daemon's end of one connection."""

    _held_by_all = 0  # bytes of requests that are being sent or answered

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, trusted: bool) -> None:
        """`trusted` connections come from the Unix socket, which only its owner can open."""
        self.trusted = trusted
        self._held = 0
        self._reader, self._writer = reader, writer
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=_HEAD)

    @classmethod
    async def of(cls, accepted: socket.socket, *, trusted: bool) -> Connection:
        """The connection that a listening socket has accepted."""
        loop = asyncio.get_running_loop()
        accepted.setblocking(False)
        reader = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(reader)
        transport, _ = await loop.connect_accepted_socket(lambda: protocol, accepted)
        return cls(reader, asyncio.StreamWriter(transport, protocol, reader, loop), trusted=trusted)

    async def request(self) -> Request | None:
        """The next request; None if the client has closed, or was silent for IDLE seconds. Raises BadRequest."""
        self._hold(-self._held)
        try:
            if self._http.trailing_data[0] == b"" and not await self._more(IDLE):
                return None
            async with asyncio.timeout(READING):
                return await self._request()
        except TimeoutError:
            raise BadRequest(408, f"a request must be sent within {READING:.0f} seconds") from None
        except h11.RemoteProtocolError as error:
            raise BadRequest(error.error_status_hint, str(error)) from None

    async def respond(self, response: Response) -> None:
        """Sends an answer. Raises TimeoutError if the client does not receive it in time."""
        headers = {
            "Content-Type": response.type,
            "Content-Length": str(len(response.body)),
            "Cache-Control": "no-store",
            **response.headers,
        }
        if self._http.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            return
        events = (
            h11.Response(status_code=response.status, headers=list(headers.items())),
            h11.Data(data=response.body),
            h11.EndOfMessage(),
        )
        self._writer.write(b"".join(self._http.send(event) or b"" for event in events))
        async with asyncio.timeout(WRITING):
            await self._writer.drain()

    @property
    def is_receiving(self) -> bool:
        """Whether a part of a request has arrived."""
        return self._held > 0 or self._http.their_state is not h11.IDLE or self._http.trailing_data[0] != b""

    def is_open(self) -> bool:
        """Whether another request may follow; if so, prepares for it."""
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
            return True
        return False

    def close(self) -> None:
        """Closes the connection after sending what is left of an answer."""
        self._hold(-self._held)
        self._writer.close()

    def abort(self) -> None:
        """Closes the connection at once."""
        self._writer.transport.abort()

    async def _request(self) -> Request | None:
        head: h11.Request | None = None
        body = bytearray()
        while True:
            event = self._http.next_event()
            if event is h11.NEED_DATA:
                if self._http.they_are_waiting_for_100_continue:
                    self._writer.write(self._http.send(h11.InformationalResponse(status_code=100, headers=[])) or b"")
                await self._more(READING)
            elif isinstance(event, h11.Request):
                head = event
            elif isinstance(event, h11.Data):
                self._hold(len(event.data))
                body += event.data
            elif isinstance(event, h11.EndOfMessage) and head is not None:
                return _whole(head, bytes(body))
            else:  # the client has closed, or wants another protocol
                return None

    def _hold(self, size: int) -> None:
        """Counts the bytes that this connection keeps in memory until its next request. Raises BadRequest if its own,
        or those of all connections, exceed their limit."""
        self._held += size
        Connection._held_by_all += size
        if self._held > MAX_REQUEST:
            raise BadRequest(413, f"a request has at most {MAX_REQUEST:,} bytes")
        if size > 0 and Connection._held_by_all > _MOST_HELD:
            raise BadRequest(503, "too much is being sent at once; try again")

    async def _more(self, patience: float) -> bool:
        """Reads more data, and returns whether there was any. h11 receives the end of the stream too, and raises if it
        came too early."""
        try:
            async with asyncio.timeout(patience):
                data = await self._reader.read(_CHUNK)
        except TimeoutError:
            if patience == IDLE:
                return False
            raise
        except OSError:  # reset by the client
            data = b""
        self._http.receive_data(data)
        return bool(data)


def _whole(head: h11.Request, body: bytes) -> Request:
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in head.headers}
    path = head.target.decode("latin-1").partition("?")[0]
    return Request(head.method.decode("latin-1"), path, headers, body)
