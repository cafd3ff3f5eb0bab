"""A model for the `claude` program: Anthropic's Messages API on loopback, which plays a script of tool calls."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Script:
    """What the model proposes: a call for each entry, and then the end. It goes on when it is told of a call."""

    def __init__(self, calls: list[tuple[str, dict[str, Any]]]) -> None:
        self._calls = calls
        self.told: list[str] = []

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The next content block. Requests without tools (titles, summaries) are no part of the conversation."""
        if not request.get("tools"):
            return {"type": "text", "text": "notes"}
        parts = [part for each in request["messages"] if isinstance(each["content"], list) for part in each["content"]]
        self.told = [_text(part.get("content")) for part in parts if part.get("type") == "tool_result"]
        if len(self.told) == len(self._calls):
            return {"type": "text", "text": "done"}
        name, args = self._calls[len(self.told)]
        return {"type": "tool_use", "id": f"toolu_{len(self.told):04}", "name": name, "input": args}


def _text(content: Any) -> str:
    return content if isinstance(content, str) else " ".join(str(part.get("text", "")) for part in content or ())


@contextmanager
def serving(script: Script) -> Iterator[str]:
    """The URL under which the model answers."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            if "count_tokens" in self.path:
                return self._send("application/json", json.dumps({"input_tokens": 1}))
            block = script.answer(request)
            events = _events(block, request["model"]) if request.get("stream") else None
            if events is None:
                return self._send("application/json", json.dumps(_message(block, request["model"])))
            lines = (f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
            return self._send("text/event-stream", "".join(lines))

        def do_GET(self) -> None:
            self._send("application/json", "{}")

        def _send(self, kind: str, body: str) -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: Any) -> None:
            """Silence."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def _message(block: dict[str, Any], model: str) -> dict[str, Any]:
    reason = "tool_use" if block["type"] == "tool_use" else "end_turn"
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": [block]}
    return {**message, "stop_reason": reason, "stop_sequence": None, "usage": usage}


def _events(block: dict[str, Any], model: str) -> list[dict[str, Any]]:
    message = _message(block, model)
    if block["type"] == "tool_use":
        start = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    else:
        start, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
    return [
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": message["stop_reason"], "stop_sequence": None},
            "usage": {"output_tokens": 1},
        },
        {"type": "message_stop"},
    ]
