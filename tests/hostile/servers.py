"""The servers that the doors lead to, in a process of their own, so that they hold up nobody else's event loop.

`python -m tests.hostile.servers` prints their ports and serves until its standard input is closed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.hostile.model_server import model
from tests.hostile.processes import MARK
from tests.hostile.web_server import web
from tests.hostile.wire_server import wire

_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Ports:
    """Where they listen, on the loopback."""

    web: int
    model: int
    wire: int


@contextmanager
def serving() -> Iterator[Ports]:
    """Starts them, and stops them."""
    environment = {name: value for name, value in os.environ.items() if name != MARK}
    command = [sys.executable, "-m", __name__]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=_ROOT, env=environment
    ) as process:
        assert process.stdin
        assert process.stdout
        try:
            yield Ports(**json.loads(process.stdout.readline()))
        finally:
            process.stdin.close()


def main() -> None:
    with web() as web_port, model() as model_port, wire() as wire_port:
        print(json.dumps({"web": web_port, "model": model_port, "wire": wire_port}), flush=True)
        sys.stdin.read()
        os._exit(0)  # whoever still waits for an answer has gone


if __name__ == "__main__":
    main()
