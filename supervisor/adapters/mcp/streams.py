"""A server behind a URL (streamable HTTP). All messages of both sides pass through the gate."""

from __future__ import annotations

import base64
import contextlib
import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import httpx

from supervisor.adapters.mcp.gate import Gate
from supervisor.adapters.mcp.messages import (
    INTERNAL_ERROR,
    NUMBERS,
    PARSE_ERROR,
    Unclear,
    error,
    key_of,
    lines,
    read,
    version_of,
)
from supervisor.adapters.mcp.stdio import Client
from supervisor.intake.json_values import clean

_STATELESS = "2026-07-28"  # from this revision on, closing a stream cancels its request
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_SAFE = re.compile(r"(?!=\?base64\?)[!-~](?:[ -~]*[!-~])?")
_LONGEST = 1_000  # characters of a WWW-Authenticate header in an error
_TRIES = 3  # to resume a stream that ended early
_TIMEOUT = httpx.Timeout(30.0, read=None)  # seconds; a tool may take as long as it needs


def serve_url(url: str, headers: Mapping[str, str], gate: Gate, schemas: Mapping[str, Any], client: Client) -> int:
    """Passes messages until the client ends. Redirects are not followed: they could lead to an unapproved server."""
    with httpx.Client(timeout=_TIMEOUT, headers=dict(headers)) as http:
        server = _Server(url, http, gate, schemas, client)
        try:
            for line in client.lines():
                passage = gate.from_client(line)
                for answer in passage.reply:
                    client.write(answer)
                for sent, message in passage.forward:
                    server.send(sent, message)
        except Unclear as problem:
            client.write(error(None, PARSE_ERROR, str(problem)))
        except BrokenPipeError:
            """The client has ended."""
        finally:
            client.leave()
            server.leave()
    return 0


class _Server:
    def __init__(self, url: str, http: httpx.Client, gate: Gate, schemas: Mapping[str, Any], client: Client) -> None:
        self._url, self._http, self._gate, self._schemas, self._client = url, http, gate, schemas, client
        self._own: dict[str, str] = {}  # headers from the server's answers, such as the session id
        self._open: dict[str, httpx.Response] = {}  # open streams, by the request that they answer
        self._cancelled: set[str] = set()
        self._version = ""

    def send(self, line: bytes, message: Any) -> None:
        """Sends a message. A request waits for its answer in its own thread; any other message is sent at once."""
        message = message if isinstance(message, dict) else {}
        method = message.get("method")
        if method == "notifications/cancelled" and self._version >= _STATELESS:
            return self._cancel(message)
        if "id" in message and method:
            self._aside(self._ask, line, message)
        else:
            self._ask(line, message)
        if method == "notifications/initialized" and "mcp-session-id" in self._own:
            self._aside(self._listen)
        return None

    def _aside(self, work: Callable[..., None], *args: Any) -> None:
        def run() -> None:
            with contextlib.suppress(BrokenPipeError):  # the client has ended
                work(*args)

        threading.Thread(target=run, daemon=True).start()

    def leave(self) -> None:
        """Ends the session at the server, if there is one."""
        if "mcp-session-id" in self._own:
            try:
                self._http.request("DELETE", self._url, headers=self._own, timeout=5.0)
            except httpx.HTTPError:
                """The server's own timeout ends the session then."""

    def _ask(self, line: bytes, message: dict[str, Any]) -> None:
        key, headers = key_of(message.get("id")), self._headers(message)
        self._cancelled.discard(key)  # an earlier request may have had the same id
        try:
            with self._http.stream("POST", self._url, content=line.rstrip(), headers=headers) as response:
                self._open[key] = response
                problem = self._answer(response, message)
        except (httpx.HTTPError, httpx.StreamError, Unclear) as failure:
            problem = f"{type(failure).__name__}: {failure}"
        finally:
            self._open.pop(key, None)
        if problem and "id" in message and "method" in message and key not in self._cancelled:
            self._client.write(error(message["id"], INTERNAL_ERROR, f"the server gave no answer: {problem}"))

    def _answer(self, response: httpx.Response, message: dict[str, Any]) -> str:
        """Passes the answer on. Returns why there is none, or ""."""
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if message.get("method") == "initialize" and "mcp-session-id" in response.headers:
            self._own["mcp-session-id"] = response.headers["mcp-session-id"]
        is_error = response.status_code >= 300
        if kind == "application/json" and (body := response.read().strip()) and (not is_error or _is_answer(body)):
            self._pass(body)
            return ""
        if is_error:
            wanted = response.headers.get("www-authenticate", "")
            return f"HTTP {response.status_code}" + (f", it requires {clean(wanted)[:_LONGEST]}" if wanted else "")
        if kind != "text/event-stream":
            return f"content of type {kind or 'unknown'}" if response.status_code != 202 else "it only accepted"
        return self._streamed(response, message)

    def _streamed(self, response: httpx.Response, message: dict[str, Any]) -> str:
        """Passes a stream on. A stream that ends before its answer is resumed, if the server has sent event ids."""
        last = ""
        for attempt in range(_TRIES):
            if attempt:
                time.sleep(attempt)
                headers = {**self._headers({}), "last-event-id": last}
                with self._http.stream("GET", self._url, headers=headers) as again:
                    event_id, answered = self._events(again, message)
            else:
                event_id, answered = self._events(response, message)
            if answered or not (last := event_id or last):
                return "" if answered else "its stream ended"
        return "its stream ended"

    def _listen(self) -> None:
        """Passes on messages that the server sends by itself. Most servers refuse this stream."""
        last = ""
        for attempt in range(_TRIES):
            time.sleep(attempt)
            headers = {**self._headers({}), **({"last-event-id": last} if last else {})}
            try:
                with self._http.stream("GET", self._url, headers=headers) as response:
                    if response.status_code != 200:
                        return
                    last = self._events(response, {})[0] or last
            except (httpx.HTTPError, httpx.StreamError, Unclear):
                continue

    def _events(self, response: httpx.Response, request: dict[str, Any]) -> tuple[str, bool]:
        """Passes on the messages of an event stream. Returns its last event id, and whether the request is answered."""
        last = ""
        try:
            for event_id, data in _events(response):
                last = event_id or last
                if data and self._pass(data) == request.get("id", self):
                    return last, True
        except (httpx.RemoteProtocolError, httpx.ReadError):
            """The stream ended in the middle; the caller resumes it."""
        return last, False

    def _pass(self, data: bytes) -> Any:
        """Passes one message to the client. Returns the id of the request that it answers, or None."""
        line = self._gate.from_server(b" ".join(data.splitlines()) + b"\n")
        try:
            message = read(line)
        except Unclear:
            message = None
        self._client.write(line)
        if not isinstance(message, dict) or "method" in message:
            return None
        result = message.get("result")
        if isinstance(result, dict) and isinstance(version := result.get("protocolVersion"), str):
            self._version = self._own["mcp-protocol-version"] = version
        return message.get("id")

    def _cancel(self, message: dict[str, Any]) -> None:
        params = message.get("params")
        key = key_of(params.get("requestId")) if isinstance(params, dict) else ""
        if (stream := self._open.get(key)) is not None:
            self._cancelled.add(key)
            stream.close()

    def _headers(self, message: dict[str, Any]) -> dict[str, str]:
        """The headers of a message: those that the protocol copies from the body, and the session's."""
        headers = {"accept": "application/json, text/event-stream", "content-type": "application/json", **self._own}
        params, method = message.get("params"), message.get("method")
        params = params if isinstance(params, dict) else {}
        if version := version_of(message):
            self._version = headers["mcp-protocol-version"] = version
        if isinstance(method, str):
            headers["mcp-method"] = _safe(method)
            if isinstance(name := params.get(_NAMED.get(method, "")), str):
                headers["mcp-name"] = _safe(name)
                headers |= _mirrored(self._schemas.get(name), params.get("arguments"))
        return headers


def _mirrored(schema: Any, arguments: Any) -> dict[str, str]:
    """The arguments that a tool's schema copies to headers (`x-mcp-header`)."""
    mirrored, pending = {}, [(schema, arguments)]
    while pending:
        node, value = pending.pop()
        if not isinstance(node, dict) or value is None:
            continue
        if isinstance(name := node.get("x-mcp-header"), str) and isinstance(value, (str, int, float)):
            mirrored[f"mcp-param-{name.lower()}"] = _safe(str(value).lower() if isinstance(value, bool) else str(value))
        if isinstance(properties := node.get("properties"), dict) and isinstance(value, dict):
            pending.extend((properties[each], value.get(each)) for each in properties)
    return mirrored


def _is_answer(body: bytes) -> bool:
    """Whether it is a message of the protocol. Proxies and failed authentication answer in other forms."""
    try:
        message = json.loads(body, **NUMBERS)
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and "jsonrpc" in message


def _safe(text: str) -> str:
    """Text in the encoding of a header."""
    return text if _SAFE.fullmatch(text) else f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def _events(response: httpx.Response) -> Iterator[tuple[str, bytes]]:
    """The events of a stream: the event id, from which it can be resumed, and the data (WHATWG HTML, 9.2)."""
    event_id, data = "", list[bytes]()
    for raw in lines(response.iter_bytes()):
        line = raw.rstrip(b"\r\n")
        if not line:
            if data or event_id:
                yield event_id, b"\n".join(data)
            data = []
        name, _, value = line.partition(b":")
        if name == b"data":
            data.append(value.removeprefix(b" "))
        elif name == b"id":
            event_id = value.removeprefix(b" ").decode("utf-8", "replace")
