"""Records as syslog messages (RFC 5424), over UDP (RFC 5426), TCP (RFC 6587, counted octets) or a Unix socket.

The text of a message is JSON in ASCII. A message has at most MOST_BYTES: a larger record goes as its short columns with
`"cut": true`, and `record` is the address of the whole one.
"""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from urllib.parse import urlsplit

from supervisor.errors import BadInput
from supervisor.records.rows import Row

MOST_BYTES = 8192  # the greatest message that common receivers take without a setting
_FACILITY = 13  # log audit
_SEVERITY = {"ok": 6, "flag": 5, "nudge": 4, "block": 3}  # informational, notice, warning, error
_SHORT = ("record", "place", "kind", "time", "id", "session", "tool", "verdict", "by")
_LONGEST = 256  # characters of a column in a message that is cut
_SECONDS = 10.0
_SCHEMES = ("udp", "tcp", "unix")

Send = Callable[[bytes], object]


def message(row: Row, host: str) -> bytes:
    """One syslog message about one record."""
    priority = _FACILITY * 8 + _SEVERITY.get(row["verdict"] or "ok", 6)
    head = f"<{priority}>1 {_time(row['time'])} {_name(host, 255)} supervisor - {_name(row['kind'], 32)} - ".encode()
    text = json.dumps(row, default=str).encode()
    if len(head) + len(text) > MOST_BYTES:
        text = json.dumps({**{name: _cut(row[name]) for name in _SHORT}, "cut": True}).encode()
    return head + text


def is_address(to: str) -> bool:
    """Whether a destination is a syslog receiver and not a file."""
    return urlsplit(to).scheme in _SCHEMES


@contextlib.contextmanager
def connected(to: str) -> Iterator[Send]:
    """A function that sends one message to `udp://HOST:PORT`, `tcp://HOST:PORT` or `unix:PATH`. Raises BadInput if the
    receiver cannot be reached, also while it sends."""
    try:
        with _socket(to) as open_socket:
            is_stream = open_socket.type == socket.SOCK_STREAM
            yield lambda text: open_socket.sendall(b"%d %s" % (len(text), text) if is_stream else text)
    except OSError as error:
        why = error.strerror or str(error) or type(error).__name__
        raise BadInput(f"the syslog receiver cannot be reached: {why}", place=to, code="no_receiver") from None


def _socket(to: str) -> socket.socket:
    address = urlsplit(to)
    if address.scheme == "unix":
        local = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            local.settimeout(_SECONDS)
            local.connect(address.path)
        except OSError:
            local.close()
            raise
        return local
    try:
        host, port = address.hostname, address.port
    except ValueError:
        host, port = None, None
    if not host or not port:
        raise BadInput("names no host and port, as udp://127.0.0.1:514 does", place=to)
    if address.scheme == "tcp":
        return socket.create_connection((host, port), timeout=_SECONDS)
    family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
    datagrams = socket.socket(family, kind, protocol)
    datagrams.connect(place)
    return datagrams


def _time(told: str | None) -> str:
    try:
        when = datetime.fromisoformat(told or "")
    except ValueError:
        return "-"
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return when.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _name(text: str, longest: int) -> str:
    """A field of the header: printable ASCII without spaces."""
    return "".join(each for each in text if "!" <= each <= "~")[:longest] or "-"


def _cut(value: object) -> object:
    if isinstance(value, list):
        return [_cut(each) for each in value[:16]]
    return value[:_LONGEST] if isinstance(value, str) else value
