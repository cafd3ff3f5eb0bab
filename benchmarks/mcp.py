"""The time that `supervisor mcp` adds to a tool call of an MCP server.

    python -m benchmarks.mcp [--calls N] [--json]

The server answers at once and the client only waits, so the difference is the guard. Each call is made both ways, one
after the other in changing order, and the paired difference is reported, in milliseconds. One server has a few tools;
the other has fifty with long descriptions, which the specialists for descriptions read.
"""

from __future__ import annotations

import argparse
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
LISTED = len(CALLS), 50
WARM_UP = 20  # calls, which start workers and fill caches
LONG = "Takes what it is given, looks it up in the index, and returns what it has found there, page by page. "


class Server:
    """A process with an MCP server."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self._number = 0

    def ask(self, method: str, **params: Any) -> float:
        """The milliseconds until the answer."""
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
    for number in range(-WARM_UP, calls):
        name = list(CALLS)[number % len(CALLS)]
        for way in sorted(ways, reverse=number % 2 == 1):
            one = ways[way].ask("tools/call", name=name, arguments=CALLS[name])
            if number >= 0:
                took[way].append(one)
    for each in ways.values():
        each.close()
    return took


def summary(took: dict[str, list[float]]) -> dict[str, float]:
    added = sorted(guarded - direct for direct, guarded in zip(took["direct"], took["guarded"], strict=True))
    p50s = {f"{way}_p50": statistics.median(times) for way, times in took.items()}
    return {**p50s, "added_p50": statistics.median(added), "added_p99": added[int(len(added) * 0.99)]}


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.mcp", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--calls", type=int, default=400, help="calls each way (400)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results = {f"{tools} tools listed": summary(measured(tools, options.calls, Path(folder))) for tools in LISTED}
    if options.json:
        print(json.dumps({"ms": results, "calls": options.calls, "machine": machine()}))
        return
    columns = list(next(iter(results.values())))
    print(f"{'a tool call, ms':20}" + "".join(f"{each:>14}" for each in columns))
    for name, row in results.items():
        print(f"{name:20}" + "".join(f"{row[each]:14.2f}" for each in columns))
    print(machine())


if __name__ == "__main__":
    main()
