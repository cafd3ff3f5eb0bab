"""Passes the requests of workers on to the providers, with the real key, and counts what comes back."""

from __future__ import annotations

import json
import logging
import math
import secrets
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Protocol

import httpx
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from supervisor.runtime.gateway.providers import Upstream
from supervisor.runtime.gateway.usage import Stream, spent_by
from supervisor.runtime.tasks.usage import Spent

_log = logging.getLogger(__name__)
_MOST = 64 * 1024 * 1024  # bytes of a request
_CONNECTS, _SILENT = 30.0, 900.0  # seconds: a model may think for long
_EVENTS = "text/event-stream"
_LIMITED = 429
_SOON = 60.0  # seconds for which an agent may wait by itself; a longer limit ends its attempt
# Headers of one connection, or of a body that is sent on in another form (RFC 9110, section 7.6.1).
_OF_CONNECTION = frozenset(
    (
        "accept-encoding connection content-encoding content-length host keep-alive proxy-authenticate"
        " proxy-authorization te trailer transfer-encoding upgrade"
    ).split()
)
_OF_CREDENTIALS = frozenset({"authorization", "x-api-key", "x-goog-api-key"})
_CHAT = "chat/completions"
_NO_MONEY = b"insufficient_quota"  # of OpenAI's: no time brings that back
_KEY = "key"  # the parameter of Google's that may hold the key


class Payer(Protocol):
    """Whose requests these are: an attempt of a task. All of it is called in threads. `refusal` says why a provider
    may not be asked any more; empty if it may. `paid` is told what a request has come to so far, again and again.
    `limited` is told for how many seconds the provider itself gives no more; None where it has not said."""

    def refusal(self, provider: str) -> str: ...

    def paid(self, provider: str, request: str, model: str, spent: Spent) -> None: ...

    def limited(self, provider: str, seconds: float | None) -> None: ...


@dataclass(frozen=True, slots=True)
class Account:
    """One worker at one provider."""

    payer: Payer
    upstream: Upstream

    @property
    def provider(self) -> str:
        return self.upstream.provider.name


def client() -> httpx.AsyncClient:
    """What speaks to the providers, through the proxies that the environment of this process names."""
    timeout = httpx.Timeout(_SILENT, connect=_CONNECTS)
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=20)
    return httpx.AsyncClient(timeout=timeout, limits=limits, follow_redirects=False)


async def forward(http: httpx.AsyncClient, account: Account, request: Request) -> Response:
    """The provider's answer to a worker's request, or a refusal in the provider's own form."""
    content = await _body(request)
    if content is None:
        return refused(account.provider, 413, f"a request has at most {_MOST:,} bytes")
    is_paid = request.method == "POST"
    if is_paid and (why := await to_thread.run_sync(account.payer.refusal, account.provider)):
        return refused(account.provider, _LIMITED, f"Supervisor: {why}")
    asked = _object(content) if is_paid else {}
    if request.path_params["path"].endswith(_CHAT):
        content = _with_usage(asked, content)
    try:
        answer = await http.send(_built(http, account, request, content), stream=True)
    except httpx.HTTPError as error:  # its text may hold the address, and that a key
        _log.warning("%s cannot be asked: %s", account.provider, type(error).__name__)
        return refused(account.provider, 502, f"Supervisor: the provider cannot be asked: {type(error).__name__}")
    model = _model(asked, request.path_params["path"])
    return await _answered(account, answer, model) if is_paid else await _whole(account, answer, "")


async def _body(request: Request) -> bytes | None:
    """The content of a request; None if it is too much."""
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > _MOST:
            return None
    return bytes(content)


def _object(content: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, Mapping) else {}


def _with_usage(asked: Mapping[str, Any], content: bytes) -> bytes:
    """The same request. A stream of chat completions tells what it costs only if it is asked to."""
    options = asked.get("stream_options") or {}
    if asked.get("stream") is not True or not isinstance(options, Mapping):
        return content
    return json.dumps({**asked, "stream_options": {**options, "include_usage": True}}).encode()


def _built(http: httpx.AsyncClient, account: Account, request: Request, content: bytes) -> httpx.Request:
    """The request to the provider, with its key in place of the worker's token."""
    upstream, headers = account.upstream, []
    for name, value in request.headers.items():
        secret = upstream.secrets.get(name, "")
        if name in _OF_CREDENTIALS and secret:
            headers.append((name, f"Bearer {secret}" if name == "authorization" else secret))
        elif name not in _OF_CREDENTIALS | _OF_CONNECTION:
            headers.append((name, value))
    if request.query_params.get(_KEY):
        headers += [(name, secret) for name, secret in upstream.secrets.items() if name not in request.headers]
    query = [(name, value) for name, value in request.query_params.multi_items() if name != _KEY]
    base = httpx.URL(upstream.base)
    path = f"{base.path.rstrip('/')}/{request.path_params['path']}"
    url = base.copy_with(path=path, params=query) if query else base.copy_with(path=path)
    headers.append(("accept-encoding", "identity"))
    return http.build_request(request.method, url, headers=headers, content=content)


def _model(asked: Mapping[str, Any], path: str) -> str:
    """The model that is asked: Google has it in the path."""
    named = asked.get("model")
    if isinstance(named, str) and named:
        return named
    _, _, rest = path.partition("models/")
    return rest.partition(":")[0] or "unknown"


async def _answered(account: Account, answer: httpx.Response, model: str) -> Response:
    if answer.status_code == _LIMITED:
        seconds = _retry_after(answer.headers.get("retry-after", ""))
        response = await _whole(account, answer, "")
        if _NO_MONEY not in response.body:
            await to_thread.run_sync(account.payer.limited, account.provider, seconds)
        if seconds is not None and seconds > _SOON:
            response.headers["x-should-retry"] = "false"
            del response.headers["retry-after"]  # some programs would wait as long as that
        return response
    if answer.headers.get("content-type", "").startswith(_EVENTS):
        events = _events(account, answer, model)
        return StreamingResponse(events, answer.status_code, _headers(answer))
    return await _whole(account, answer, model if answer.is_success else "")


async def _events(account: Account, answer: httpx.Response, model: str) -> AsyncIterator[bytes]:
    """The provider's events, each counted before the worker has it."""
    stream, request = Stream(account.provider), secrets.token_hex(8)
    try:
        async for chunk in answer.aiter_raw():
            if stream.feed(chunk):
                await to_thread.run_sync(account.payer.paid, account.provider, request, model, stream.spent)
            yield chunk
    finally:
        await answer.aclose()
        if not stream.spent.tokens:
            _log.warning("%s has not told what a request to %s has cost", account.provider, model)


async def _whole(account: Account, answer: httpx.Response, model: str) -> Response:
    """The provider's answer in one piece. With a model, what it costs is counted."""
    try:
        content = await answer.aread()
    except httpx.HTTPError as error:
        return refused(account.provider, 502, f"Supervisor: the provider's answer is cut off: {type(error).__name__}")
    finally:
        await answer.aclose()
    if model and (spent := spent_by(account.provider, content)).tokens:
        await to_thread.run_sync(account.payer.paid, account.provider, secrets.token_hex(8), model, spent)
    if not answer.is_success:  # some errors quote the key
        for secret in account.upstream.secrets.values():
            content = content.replace(secret.encode(), b"***")
    return Response(content, answer.status_code, _headers(answer))


def _headers(answer: httpx.Response) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name not in _OF_CONNECTION}


def _retry_after(value: str) -> float | None:
    """The seconds of a Retry-After header (RFC 9110, section 10.2.3), which may name a time."""
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - time.time()
        except (TypeError, ValueError):
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def refused(provider: str, status: int, why: str) -> Response:
    """A refusal, as the provider itself would put it. Programs are told not to try again."""
    if provider == "anthropic":
        kind = "rate_limit_error" if status == _LIMITED else "api_error"
        told: dict[str, Any] = {"type": "error", "error": {"type": kind, "message": why}}
    elif provider == "google":
        told = {"error": {"code": status, "message": why, "status": "RESOURCE_EXHAUSTED"}}
    else:
        told = {"error": {"message": why, "type": "insufficient_quota", "code": "insufficient_quota"}}
    return JSONResponse(told, status, {"x-should-retry": "false"})
