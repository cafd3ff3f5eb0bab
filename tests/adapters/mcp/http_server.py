"""A small MCP server over streamable HTTP, whose every answer a test chooses."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, dict[str, str], bytes]


class Heard:
    """What the server was sent: methods of HTTP, headers and messages."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, dict[str, str], Any]] = []

    def methods(self) -> list[str]:
        return [
            f"{verb} {said.get('method', '') if isinstance(said, dict) else ''}".strip()
            for verb, _, said in self.requests
        ]


@contextmanager
def serving(answer: Callable[[str, dict[str, str], Any], Answer]) -> Iterator[tuple[str, Heard]]:
    """The URL, and what is heard there."""
    heard = Heard()

    class Handler(BaseHTTPRequestHandler):
        def _any(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            said = json.loads(body) if body else None
            heard.requests.append((self.command, headers, said))
            status, more, content = answer(self.command, headers, said)
            self.send_response(status)
            for name, value in {"content-length": str(len(content)), **more}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)
            self.wfile.flush()
            if "content-length" in more:  # more is to come, and never does
                self.rfile.read(1)

        do_POST = do_GET = do_DELETE = _any

        def log_message(self, *_: Any) -> None:
            """Silence."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/mcp", heard
    finally:
        server.shutdown()
        server.server_close()
