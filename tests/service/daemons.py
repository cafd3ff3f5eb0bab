"""A daemon in a process of its own, under a tiny taxonomy."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conftest import TinyTaxonomy
from tests.engine.waiting import eventually


def end_daemon(where: Path) -> None:
    """Ends the daemon that a hook has started for a socket."""
    lock = where.with_name(f"{where.name}.lock")
    assert eventually(lambda: lock.exists() and lock.read_text())
    os.kill(int(lock.read_text()), signal.SIGTERM)
    assert eventually(lambda: not where.exists())


@dataclass
class Daemon:
    """A running daemon, and how to reach it."""

    folder: Path
    tiny: TinyTaxonomy
    process: subprocess.Popen[bytes] | None = None

    @property
    def socket(self) -> Path:
        return self.folder / "d.sock"

    @property
    def url(self) -> str:
        return f"unix:{self.socket}"

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text()

    @property
    def port(self) -> int:
        return int(re.findall(r"'127.0.0.1', (\d+)", self.log)[-1])

    @property
    def token(self) -> str:
        return (self.folder / "token").read_text().strip()

    def command(self) -> list[str]:
        places = ("--socket", self.socket, "--port", 0, "--token", self.folder / "token", "--policy", self.tiny.policy)
        return [sys.executable, "-m", "supervisor", "serve", *map(str, places)]

    def start(self) -> None:
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(self.command(), stdout=log, stderr=log)
        self.wait_until(lambda: self.socket.exists() and self.log.count("127.0.0.1") and self.answers())

    def answers(self) -> bool:
        try:
            return bool(self.get("/health"))
        except (OSError, ValueError):
            return False

    def wait_until(self, holds: Callable[[], Any]) -> None:
        assert eventually(holds), self.log

    def reload(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGHUP)

    def stop(self) -> int:
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(30)

    def connect(self) -> socket.socket:
        """Waits in the queue where it is full."""
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(str(self.socket))
        except OSError:
            connection.close()
            raise
        connection.settimeout(30)
        return connection

    def exchange(self, raw: bytes) -> bytes:
        """What is answered to these bytes, until the daemon closes."""
        with self.connect() as connection:
            connection.sendall(raw)
            answer = b""
            while more := connection.recv(65536):
                answer += more
            return answer

    def get(self, path: str) -> Any:
        body = self.exchange(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        return json.loads(body.partition(b"\r\n\r\n")[2])
