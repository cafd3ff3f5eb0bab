"""HTTP to the daemon, over a Unix socket or a TCP port, on connections that are kept open."""

from __future__ import annotations

import http.client
import os
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote, urlsplit

import orjson

from supervisor.errors import BadInput, NoDaemon
from supervisor.intake.files import read_file

TOKEN_FILE = "~/.config/supervisor/token"  # noqa: S105 - the path, not the token
MOST_TOKEN = 4096  # bytes of that file
POLICY_HEADER = "Supervisor-Policy"
_PATIENCE = 30.0  # seconds; every specialist's deadline is shorter
_RETRY = 0.005  # seconds


class Transport:
    """Asks the daemon at one address. Threads can share one."""

    def __init__(self, url: str, token: str | None = None) -> None:
        """`url` is `unix:/path/to/daemon.sock` or `http://127.0.0.1:port`. Raises BadInput for any other."""
        self.url, self._token = url, token
        self.policy: str | None = None  # the digest of the policy in the last answer
        self._address = _address(url)
        self._idle: list[http.client.HTTPConnection] = []
        self._process = os.getpid()

    def sign_in(self) -> None:
        """Sends the daemon's token from now on, for requests that need it. Raises NoDaemon."""
        self._token = self._token or token()

    def post(self, path: str, value: Any) -> Any:
        """The answer. Raises BadInput if the daemon rejects the request, NoDaemon for any other failure."""
        return self._ask("POST", path, orjson.dumps(value))

    def get(self, path: str, headers: Mapping[str, str] = MappingProxyType({})) -> Any:
        """The answer. Raises NoDaemon, and BadInput if the daemon rejects the request."""
        return self._ask("GET", path, b"", headers)

    def close(self) -> None:
        """Closes the idle connections."""
        while self._idle:
            self._idle.pop().close()

    def _ask(self, method: str, path: str, body: bytes, more: Mapping[str, str] = MappingProxyType({})) -> Any:
        status, self.policy, content = self._exchange(method, path, body, more)
        try:
            answer = orjson.loads(content)
        except ValueError:
            raise NoDaemon("does not answer in JSON; is it a Supervisor?", place=self.url) from None
        if not isinstance(answer, dict):
            raise NoDaemon("does not answer with an object; is it a Supervisor?", place=self.url)
        if status == 400 and "error" in answer:
            raise BadInput(str(answer["error"]), code=str(answer.get("code", BadInput.code)))
        if status != 200:
            raise NoDaemon(f"answers {status}: {content[:200].decode(errors='replace')}", place=self.url)
        return answer

    def _exchange(self, method: str, path: str, body: bytes, more: Mapping[str, str]) -> tuple[int, str | None, bytes]:
        """Sends a request. If a kept connection turns out to be closed, the request is sent again on a new one."""
        headers = {"Content-Type": "application/json", **more}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        while True:
            connection, is_new = self._connection()
            try:
                connection.request(method, path, body, headers)
                response = connection.getresponse()
                answer = response.status, response.headers[POLICY_HEADER], response.read()
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                if is_new or isinstance(error, TimeoutError):
                    raise NoDaemon(f"no answer: {error or type(error).__name__}", place=self.url) from None
                self.close()
            except BaseException:
                connection.close()
                raise
            else:
                self._idle.append(connection)
                return answer

    def _connection(self) -> tuple[http.client.HTTPConnection, bool]:
        """An idle connection, and whether it is new. A forked child opens its own: on its parent's connections, their
        requests would mix."""
        if self._process != os.getpid():
            self._idle, self._process = [], os.getpid()
        try:
            return self._idle.pop(), False
        except IndexError:
            return _Connection(self._address), True


class _Connection(http.client.HTTPConnection):
    """A connection to a Unix socket's path, or to a host and a port."""

    def __init__(self, address: str | tuple[str, int]) -> None:
        super().__init__("localhost" if isinstance(address, str) else address[0], timeout=_PATIENCE)
        self._address = address

    def connect(self) -> None:
        if isinstance(self._address, str):
            self.sock = _to_path(self._address)
        else:
            self.sock = socket.create_connection(self._address, self.timeout)
            self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _to_path(path: str) -> socket.socket:
    """Connects, and retries while the daemon's queue is full: a socket with a timeout fails at once then."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(_PATIENCE)
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.connect(path)
        except BlockingIOError:
            if time.monotonic() < deadline:
                time.sleep(_RETRY)
                continue
            connection.close()
            raise
        except BaseException:
            connection.close()
            raise
        return connection


def _address(url: str) -> str | tuple[str, int]:
    parts = urlsplit(url)
    if parts.scheme == "unix" and not parts.netloc and parts.path:
        return str(Path(unquote(parts.path)).expanduser())
    if parts.scheme == "http" and parts.hostname:
        return parts.hostname, parts.port or 80
    raise BadInput(f"{url!r} is neither unix:/path nor http://host:port", place="SUPERVISOR_URL")


def token() -> str:
    """The daemon's token, from its file. Raises NoDaemon if this user cannot read the file."""
    file = Path(os.environ.get("SUPERVISOR_TOKEN_FILE") or TOKEN_FILE).expanduser()
    try:
        return read_file(file, MOST_TOKEN).decode("ascii").strip()
    except (OSError, ValueError) as error:
        raise NoDaemon(f"the token cannot be read: {error}", place=str(file)) from None
