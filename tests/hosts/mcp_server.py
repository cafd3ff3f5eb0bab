"""An MCP server over stdio with one tool, `run_command`, which writes what it is told to run into a file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

TOOL = {
    "name": "run_command",
    "description": "Runs a command.",
    "inputSchema": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
}


def answer(method: str, given: dict[str, Any], ran: Path) -> dict[str, Any]:
    if method == "initialize":
        info = {"name": "runner", "version": "1"}
        return {"protocolVersion": given["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/call":
        with ran.open("a") as file:
            file.write(given["arguments"]["command"] + "\n")
        return {"content": [{"type": "text", "text": "ran"}]}
    return {"tools": [TOOL]} if method == "tools/list" else {}


if __name__ == "__main__":
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" in asked:
            result = answer(asked["method"], asked.get("params", {}), Path(sys.argv[1]))
            print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
