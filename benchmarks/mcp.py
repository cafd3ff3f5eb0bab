"""What the guard before an MCP server costs: a tool call through `supervisor mcp`, and the same call without it.

    python -m benchmarks.mcp [calls]

The server is a process that answers at once, and the client one that only waits, so what differs is the guard. Calls
of both take turns. The figures are for a server with one tool, and for one that describes fifty of them at length,
which the specialists for descriptions read. Milliseconds.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.report import machine

SERVER = """
import json, sys
tools = json.loads(sys.argv[1])
for line in sys.stdin.buffer:
    asked = json.loads(line)
    result = {"tools": tools} if asked["method"] == "tools/list" else {"content": [{"type": "text", "text": "done"}]}
    sys.stdout.buffer.write(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}).encode() + b"\\n")
    sys.stdout.buffer.flush()
"""
CALLS = {
    "read_file": {"path": "src/app.py"},
    "write_file": {"path": "src/app.py", "content": "def run() -> int:\n    return 0\n"},
    "run_command": {"command": "git status --short && pytest -q tests"},
    "create_issue": {"title": "Leak", "body": "The pool grows by one connection a minute."},
}
LONG = "Takes what it is given, looks it up in the index, and returns what it has found there, page by page. "


class Server:
    """One process that speaks MCP."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self._number = 0

    def ask(self, method: str, **params: Any) -> float:
        """Milliseconds until the answer."""
        assert self._process.stdin
        assert self._process.stdout
        self._number += 1
        asked = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        started = time.perf_counter()
        self._process.stdin.write(json.dumps(asked).encode() + b"\n")
        answer = b""
        while not answer.endswith(b"\n"):
            answer += self._process.stdout.read(1 << 20)
        took = (time.perf_counter() - started) * 1000
        assert json.loads(answer)["result"].get("isError") is None, answer
        return took

    def close(self) -> None:
        self._process.communicate()


def measured(tools: int, calls: int, folder: Path) -> dict[str, list[float]]:
    listed = [{"name": name, "description": "Does it."} for name in CALLS]
    listed += [{"name": f"look_up_{number}", "description": LONG * 5} for number in range(tools - len(CALLS))]
    server = [sys.executable, "-c", SERVER, json.dumps(listed)]
    guard = [sys.executable, "-m", "supervisor", "mcp", "--records", str(folder / str(tools)), "--", *server]
    ways = {"direct": Server(server), "guarded": Server(guard)}
    took: dict[str, list[float]] = {way: [] for way in ways}
    for each in ways.values():
        each.ask("tools/list")
    for number in range(calls + 20):
        name = list(CALLS)[number % len(CALLS)]
        for way, each in ways.items():
            one = each.ask("tools/call", name=name, arguments=CALLS[name])
            if number >= 20:  # the first ones start workers and fill caches
                took[way].append(one)
    for each in ways.values():
        each.close()
    return took


def main() -> None:
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    print(f"{'a tool call, ms':32} {'direct p50':>10} {'guarded p50':>12} {'p99':>7} {'added':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for tools in (len(CALLS), 50):
            took = measured(tools, calls, Path(folder))
            direct, guarded = (statistics.median(times) for times in took.values())
            worst = sorted(took["guarded"])[int(calls * 0.99)]
            print(f"{f'{tools} tools listed':32} {direct:10.2f} {guarded:12.2f} {worst:7.2f} {guarded - direct:7.2f}")
    print(machine())


if __name__ == "__main__":
    main()
