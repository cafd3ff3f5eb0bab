"""A server behind a URL (streamable HTTP): what the client says is posted, what streams back goes through the gate."""

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

_STATELESS = "2026-07-28"  # from this revision on, closing a stream is what cancels a request
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_SAFE = re.compile(r"(?!=\?base64\?)[!-~](?:[ -~]*[!-~])?")
_LONGEST = 1_000  # characters that are told of what a server wants
_TRIES = 3  # to resume a stream that ended early
_TIMEOUT = httpx.Timeout(30.0, read=None)  # seconds; a tool may take as long as it needs


def serve_url(url: str, headers: Mapping[str, str], gate: Gate, schemas: Mapping[str, Any], client: Client) -> int:
    """Passes messages until the client goes. Redirects are not followed: they could lead past what was approved."""
    with httpx.Client(timeout=_TIMEOUT, headers=dict(headers)) as http:
        server = _Server(url, http, gate, schemas, client)
        try:
            for line in client.lines():
                passage = gate.from_client(line)
                for answer in passage.reply:
                    client.tell(answer)
                for sent, message in passage.forward:
                    server.send(sent, message)
        except Unclear as problem:
            client.tell(error(None, PARSE_ERROR, str(problem)))
        except BrokenPipeError:
            """The client is gone."""
        finally:
            client.leave()
            server.leave()
    return 0


class _Server:
    def __init__(self, url: str, http: httpx.Client, gate: Gate, schemas: Mapping[str, Any], client: Client) -> None:
        self._url, self._http, self._gate, self._schemas, self._client = url, http, gate, schemas, client
        self._own: dict[str, str] = {}  # headers that the server's answers have given us
        self._open: dict[str, httpx.Response] = {}  # streams by the request that they answer
        self._cancelled: set[str] = set()
        self._version = ""

    def send(self, line: bytes, message: Any) -> None:
        """A request is answered in a thread of its own; anything else is accepted before the next is sent."""
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
            with contextlib.suppress(BrokenPipeError):  # the client is gone
                work(*args)

        threading.Thread(target=run, daemon=True).start()

    def leave(self) -> None:
        """The session ends; a server that knows no sessions need not hear of it."""
        if "mcp-session-id" in self._own:
            try:
                self._http.request("DELETE", self._url, headers=self._own, timeout=5.0)
            except httpx.HTTPError:
                """It will notice by itself."""

    def _ask(self, line: bytes, message: dict[str, Any]) -> None:
        key, headers = key_of(message.get("id")), self._headers(message)
        self._cancelled.discard(key)  # it may have been the name of an earlier one
        try:
            with self._http.stream("POST", self._url, content=line.rstrip(), headers=headers) as response:
                self._open[key] = response
                problem = self._answer(response, message)
        except (httpx.HTTPError, httpx.StreamError, Unclear) as failure:
            problem = f"{type(failure).__name__}: {failure}"
        finally:
            self._open.pop(key, None)
        if problem and "id" in message and "method" in message and key not in self._cancelled:
            self._client.tell(error(message["id"], INTERNAL_ERROR, f"the server gave no answer: {problem}"))

    def _answer(self, response: httpx.Response, message: dict[str, Any]) -> str:
        """Passes on what comes back. Returns why there is no answer, where there is none."""
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if message.get("method") == "initialize" and "mcp-session-id" in response.headers:
            self._own["mcp-session-id"] = response.headers["mcp-session-id"]
        is_error = response.status_code >= 300
        if kind == "application/json" and (body := response.read().strip()) and (not is_error or _is_answer(body)):
            self._pass(body)
            return ""
        if is_error:
            wanted = response.headers.get("www-authenticate", "")
            return f"HTTP {response.status_code}" + (f", it wants {clean(wanted)[:_LONGEST]}" if wanted else "")
        if kind != "text/event-stream":
            return f"content of type {kind or 'unknown'}" if response.status_code != 202 else "it only accepted"
        return self._streamed(response, message)

    def _streamed(self, response: httpx.Response, message: dict[str, Any]) -> str:
        """A stream that ends before its answer is taken up where it ended, if the server has given it a mark."""
        last = ""
        for attempt in range(_TRIES):
            if attempt:
                time.sleep(attempt)
                headers = {**self._headers({}), "last-event-id": last}
                with self._http.stream("GET", self._url, headers=headers) as again:
                    mark, answered = self._events(again, message)
            else:
                mark, answered = self._events(response, message)
            if answered or not (last := mark or last):
                return "" if answered else "its stream ended"
        return "its stream ended"

    def _listen(self) -> None:
        """What the server says unasked. Most have nothing to say there, and refuse."""
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
        """Passes on the messages of a stream of events. Returns its last mark, and whether the request is answered."""
        last = ""
        try:
            for mark, data in _events(response):
                last = mark or last
                if data and self._pass(data) == request.get("id", self):
                    return last, True
        except (httpx.RemoteProtocolError, httpx.ReadError):
            """It ended in the middle, which is an end too."""
        return last, False

    def _pass(self, data: bytes) -> Any:
        """One message to the client. Returns the id of what it answers, or None."""
        line = self._gate.from_server(b" ".join(data.splitlines()) + b"\n")
        try:
            message = read(line)
        except Unclear:
            message = None
        self._client.tell(line)
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
        """What the protocol wants said in headers too, of what the body says."""
        told = {"accept": "application/json, text/event-stream", "content-type": "application/json", **self._own}
        params, method = message.get("params"), message.get("method")
        params = params if isinstance(params, dict) else {}
        if version := version_of(message):
            self._version = told["mcp-protocol-version"] = version
        if isinstance(method, str):
            told["mcp-method"] = _safe(method)
            if isinstance(name := params.get(_NAMED.get(method, "")), str):
                told["mcp-name"] = _safe(name)
                told |= _mirrored(self._schemas.get(name), params.get("arguments"))
        return told


def _mirrored(schema: Any, arguments: Any) -> dict[str, str]:
    """Arguments that a tool's schema wants in headers (`x-mcp-header`)."""
    told, pending = {}, [(schema, arguments)]
    while pending:
        node, value = pending.pop()
        if not isinstance(node, dict) or value is None:
            continue
        if isinstance(name := node.get("x-mcp-header"), str) and isinstance(value, (str, int, float)):
            told[f"mcp-param-{name.lower()}"] = _safe(str(value).lower() if isinstance(value, bool) else str(value))
        if isinstance(properties := node.get("properties"), dict) and isinstance(value, dict):
            pending.extend((properties[each], value.get(each)) for each in properties)
    return told


def _is_answer(body: bytes) -> bool:
    """Whether it is a message of the protocol. What refuses a token, or stands before the server, speaks another."""
    try:
        message = json.loads(body, **NUMBERS)
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and "jsonrpc" in message


def _safe(text: str) -> str:
    """Text as a header takes it."""
    return text if _SAFE.fullmatch(text) else f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def _events(response: httpx.Response) -> Iterator[tuple[str, bytes]]:
    """The events of a stream: the mark from which it can be resumed, and the data (WHATWG HTML, 9.2)."""
    mark, data = "", list[bytes]()
    for raw in lines(response.iter_bytes()):
        line = raw.rstrip(b"\r\n")
        if not line:
            if data or mark:
                yield mark, b"\n".join(data)
            data = []
        name, _, value = line.partition(b":")
        if name == b"data":
            data.append(value.removeprefix(b" "))
        elif name == b"id":
            mark = value.removeprefix(b" ").decode("utf-8", "replace")
