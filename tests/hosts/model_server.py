"""A model on loopback that follows a script, in the three protocols that the agents speak.

A conversation is recognised by a word in what its user says, so that an agent and its sub-agents each have a script of
their own. How far a script has come is read from the request: it holds every earlier turn.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Call:
    """A turn in which the model calls a tool, which may belong to a namespace of tools (Responses API)."""

    tool: str
    args: Mapping[str, Any]
    namespace: str = ""


Turn = Call | str  # a call, or the model's last words


@dataclass(frozen=True)
class Tokens:
    """What a request has cost: all that the model has read, those among them that came from a cache and those that were
    put into one, and what it has written."""

    input: int = 1
    cached: int = 0
    stored: int = 0
    output: int = 1


@dataclass
class Model:
    """What the model says, by the word that its conversation holds, and everything it has been told. `tokens` is what
    each request costs, by its number; `counted` is what all have cost. The requests of `limited` numbers are refused
    with status 429 and these headers."""

    scripts: Mapping[str, Sequence[Turn]]
    requests: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""
    tokens: Callable[[int], Tokens] = lambda number: Tokens()
    counted: list[Tokens] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    limited: Mapping[int, Mapping[str, str]] = field(default_factory=dict)

    def count(self) -> Tokens:
        """What the request that was heard last costs."""
        self.counted.append(self.tokens(len(self.requests)))
        return self.counted[-1]

    def turn(self, said: str, turns: int) -> Turn:
        script = next((script for word, script in self.scripts.items() if word in said), ())
        return script[turns] if turns < len(script) else "Done."

    @property
    def heard(self) -> str:
        """All that it was told, as one text."""
        return json.dumps(self.requests)

    @property
    def told(self) -> list[str]:
        """What each call has come to and what is said beside it, as the longest conversation of the Messages API has
        it."""
        found = [_told(asked.get("messages", ())) for asked in self.requests]
        return max(found, key=len, default=[])


@contextmanager
def model(**scripts: Sequence[Turn]) -> Iterator[Model]:
    """Serves the scripts, each by the word that its conversation begins with."""
    scripted = Model(scripts)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            asked = json.loads(body or b"{}")
            speak = next((speak for part, speak in _PROTOCOLS.items() if part in self.path), None)
            if speak is None:
                self._send(b"{}", "application/json")
                return
            scripted.requests.append(asked)
            scripted.keys |= {self.headers.get(name, "") for name in ("x-api-key", "Authorization", "x-goog-api-key")}
            if (headers := scripted.limited.get(len(scripted.requests))) is not None:
                self._refuse(headers)
                return
            events = speak(scripted, asked)
            self._send("".join(events).encode(), "text/event-stream")

        def do_GET(self) -> None:
            self._send(b"{}", "application/json")

        def _refuse(self, headers: Mapping[str, str]) -> None:
            data = json.dumps({"type": "error", "error": {"type": "rate_limit_error", "message": "Limit reached"}})
            self.send_response(429)
            for name, value in {
                "Content-Type": "application/json",
                "Content-Length": str(len(data)),
                **headers,
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data.encode())

        def _send(self, data: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    scripted.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield scripted
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _told(messages: Sequence[dict[str, Any]]) -> list[str]:
    """The results of tools, each with what the model is told behind it."""
    told: list[str] = []
    for message in messages:
        content = message["content"]
        for part in content if isinstance(content, list) else [{"type": "text", "text": content}]:
            if part["type"] == "tool_result":
                told.append(json.dumps(part["content"]))
            elif part["type"] == "text" and told and message["role"] != "assistant":
                told[-1] += part["text"]
    return told


def _messages(scripted: Model, asked: dict[str, Any]) -> Iterator[str]:
    """Anthropic's Messages API."""
    messages = asked.get("messages", [])
    turns = sum(message["role"] == "assistant" for message in messages)
    said = json.dumps([message for message in messages if message["role"] == "user"][:1])
    turn = scripted.turn(said, turns) if asked.get("tools") else "Done."
    cost = scripted.count()
    usage = {"input_tokens": cost.input - cost.cached - cost.stored, "output_tokens": cost.output}
    if cost.cached or cost.stored:
        usage |= {"cache_read_input_tokens": cost.cached, "cache_creation_input_tokens": cost.stored}
    begun = usage | {"output_tokens": 1}
    start = {
        "id": f"msg_{len(scripted.requests)}",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [],
    }
    yield _event("message_start", message=start | {"stop_reason": None, "stop_sequence": None, "usage": begun})
    if isinstance(turn, Call):
        block = {"type": "tool_use", "id": f"toolu_{len(scripted.requests)}", "name": turn.tool, "input": {}}
        yield _event("content_block_start", index=0, content_block=block)
        delta = {"type": "input_json_delta", "partial_json": json.dumps(turn.args)}
    else:
        yield _event("content_block_start", index=0, content_block={"type": "text", "text": ""})
        delta = {"type": "text_delta", "text": turn}
    yield _event("content_block_delta", index=0, delta=delta)
    yield _event("content_block_stop", index=0)
    reason = "tool_use" if isinstance(turn, Call) else "end_turn"
    yield _event("message_delta", delta={"stop_reason": reason, "stop_sequence": None}, usage=usage)
    yield _event("message_stop")


def _responses(scripted: Model, asked: dict[str, Any]) -> Iterator[str]:
    """OpenAI's Responses API."""
    items = asked.get("input", [])
    done = [item for item in items if item.get("type", "").endswith("_call")]
    done += [item for item in items if item.get("role") == "assistant"]
    turn = scripted.turn(json.dumps([item for item in items if item.get("role") == "user"]), len(done))
    number = len(scripted.requests)
    yield _event("response.created", response={"id": f"resp_{number}"})
    if isinstance(turn, Call) and "input" in turn.args:
        item = {"type": "custom_tool_call", "name": turn.tool, "input": turn.args["input"], "call_id": f"call_{number}"}
    elif isinstance(turn, Call):
        item = {"type": "function_call", "name": turn.tool, "arguments": json.dumps(turn.args)}
        item |= {"call_id": f"call_{number}"} | ({"namespace": turn.namespace} if turn.namespace else {})
    else:
        item = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": turn}]}
    item |= {"id": f"item_{number}"}
    yield _event("response.output_item.added", output_index=0, item=item)
    yield _event("response.output_item.done", output_index=0, item=item)
    cost = scripted.count()
    read = {"input_tokens": cost.input, "input_tokens_details": {"cached_tokens": cost.cached}}
    usage = {**read, "output_tokens": cost.output, "output_tokens_details": None}
    total = {"total_tokens": cost.input + cost.output}
    yield _event("response.completed", response={"id": f"resp_{number}", "usage": usage | total})


def _generate(scripted: Model, asked: dict[str, Any]) -> Iterator[str]:
    """Google's Gemini API."""
    contents = asked.get("contents", [])
    turns = sum(len(each["parts"]) for each in contents if each["role"] == "model")
    said = json.dumps([each for each in contents if each["role"] == "user"])
    turn = scripted.turn(said, turns) if asked.get("tools") else "Done."
    part = {"functionCall": {"name": turn.tool, "args": turn.args}} if isinstance(turn, Call) else {"text": turn}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    cost = scripted.count()
    usage = {"promptTokenCount": cost.input, "cachedContentTokenCount": cost.cached}
    usage |= {"candidatesTokenCount": cost.output, "totalTokenCount": cost.input + cost.output}
    yield f"data: {json.dumps({'candidates': [candidate], 'usageMetadata': usage})}\n\n"


def _event(name: str, **more: Any) -> str:
    return f"event: {name}\ndata: {json.dumps({'type': name, **more})}\n\n"


_PROTOCOLS: dict[str, Callable[[Model, dict[str, Any]], Iterator[str]]] = {
    "/v1/messages": _messages,
    "/responses": _responses,
    ":streamGenerateContent": _generate,
}
