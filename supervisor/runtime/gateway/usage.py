"""What a response of a provider says that its request has cost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from supervisor.runtime.tasks.usage import Spent

_DATA = b"data:"
_LONGEST = 32 * 1024 * 1024  # bytes of one event


def spent_in(provider: str, told: Any) -> Spent:
    """What a body, or one event of a stream, says that was spent so far; nothing if it says nothing."""
    if isinstance(told, list):  # a stream of Google's that is one list
        found = Spent()
        for each in told:
            found = found.greatest(spent_in(provider, each))
        return found
    return _READERS[provider](told) if isinstance(told, Mapping) else Spent()


def _anthropic(told: Mapping[str, Any]) -> Spent:
    usage = _map(_map(told, "message") or told, "usage")
    cached, stored = _count(usage, "cache_read_input_tokens"), _count(usage, "cache_creation_input_tokens")
    read = _count(usage, "input_tokens") + cached + stored
    return Spent(read, cached, _count(usage, "output_tokens"), stored=stored)


def _openai(told: Mapping[str, Any]) -> Spent:
    """The Responses API, or that of chat completions."""
    usage = _map(_map(told, "response") or told, "usage")
    if "prompt_tokens" in usage:
        cached = _count(_map(usage, "prompt_tokens_details"), "cached_tokens")
        return Spent(_count(usage, "prompt_tokens"), cached, _count(usage, "completion_tokens"))
    cached = _count(_map(usage, "input_tokens_details"), "cached_tokens")
    return Spent(_count(usage, "input_tokens"), cached, _count(usage, "output_tokens"))


def _google(told: Mapping[str, Any]) -> Spent:
    usage = _map(told, "usageMetadata")
    written = _count(usage, "candidatesTokenCount") + _count(usage, "thoughtsTokenCount")
    read = _count(usage, "promptTokenCount") + _count(usage, "toolUsePromptTokenCount")
    return Spent(read, _count(usage, "cachedContentTokenCount"), written)


_READERS: Mapping[str, Callable[[Mapping[str, Any]], Spent]] = {
    "anthropic": _anthropic,
    "openai": _openai,
    "google": _google,
}


def _map(told: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = told.get(name)
    return found if isinstance(found, Mapping) else {}


def _count(told: Mapping[str, Any], name: str) -> int:
    found = told.get(name)
    return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else 0


class Stream:
    """Reads a stream of events (https://html.spec.whatwg.org/multipage/server-sent-events.html) beside its way to the
    worker. `spent` is what was told so far."""

    def __init__(self, provider: str) -> None:
        self._provider, self._rest, self._drops = provider, bytearray(), False
        self.spent = Spent()

    def feed(self, chunk: bytes) -> bool:
        """Takes in what comes next. Returns whether it has told more."""
        before = self.spent
        for line in self._lines(chunk):
            if line.startswith(_DATA):
                self.spent = self.spent.greatest(spent_in(self._provider, _json(line.removeprefix(_DATA))))
        return self.spent != before

    def _lines(self, chunk: bytes) -> Iterator[bytes]:
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            if not self._drops:
                yield bytes(self._rest) + end
            self._rest.clear()
            self._drops = False
        self._rest += rest
        if len(self._rest) > _LONGEST:
            self._rest.clear()
            self._drops = True


def spent_by(provider: str, body: bytes) -> Spent:
    """What a whole body says that was spent."""
    return spent_in(provider, _json(body))


def _json(content: bytes) -> Any:
    """The value; None for what is no JSON, such as the end of a stream."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None
