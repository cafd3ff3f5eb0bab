"""A server that is a process: it is started, and all that passes on its standard streams goes through the gate."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import IO

from supervisor.adapters.mcp.gate import Gate
from supervisor.adapters.mcp.messages import PARSE_ERROR, Unclear, error, lines

_CHUNK = 64 * 1024
_PATIENCE = 2.0  # seconds that a server has to end when its input has, and again when it is told to


class Client:
    """The client's side: this process's own standard streams. Several threads may write."""

    def __init__(self, source: int = 0, target: int = 1) -> None:
        self._source, self._target = source, target
        self._lock = threading.Lock()
        self._is_gone = False

    def lines(self) -> Iterator[bytes]:
        """What the client says. Read without Python's buffers, whose locks would hold up the end of the process."""
        return lines(iter(lambda: os.read(self._source, _CHUNK), b""))

    def leave(self) -> None:
        """Nothing is told from now on: what still comes, comes too late."""
        with self._lock:
            self._is_gone = True

    def tell(self, line: bytes) -> None:
        """BrokenPipeError where the client is gone."""
        with self._lock:
            if self._is_gone:
                raise BrokenPipeError
            rest = memoryview(line)
            while rest:
                rest = rest[os.write(self._target, rest) :]


def serve_process(command: Sequence[str], gate: Gate, client: Client) -> int:
    """Runs the server until it ends, or the client goes. Returns its exit code."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    told_to_end = signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    threading.Thread(target=_to_server, args=(client, gate, process), daemon=True).start()
    try:
        with _stream(process.stdout) as server:
            _to_client(server, gate, client)
    finally:
        code = _end(process)
        signal.signal(signal.SIGTERM, told_to_end)
    return code


def _to_server(client: Client, gate: Gate, process: subprocess.Popen[bytes]) -> None:
    server = _stream(process.stdin)
    try:
        for line in client.lines():
            passage = gate.from_client(line)
            for answer in passage.reply:
                client.tell(answer)
            for sent, _ in passage.forward:
                server.write(sent)
    except Unclear as problem:
        client.tell(error(None, PARSE_ERROR, str(problem)))
    except OSError:
        """One of both is gone, which the other thread learns too."""
    finally:
        server.close()
        _end(process)


def _stream(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise ValueError("the server was started without its standard streams")
    return stream


def _to_client(server: IO[bytes], gate: Gate, client: Client) -> None:
    try:
        for line in lines(iter(lambda: server.read(_CHUNK), b"")):
            client.tell(gate.from_server(line))
    except Unclear as problem:
        print(f"supervisor: the server's answer ends the connection: {problem}", file=sys.stderr)
    except BrokenPipeError:
        """The client is gone."""


def _end(process: subprocess.Popen[bytes]) -> int:
    """As the protocol has it: its input ends, then it is asked to end, then it is ended."""
    for stop in (process.terminate, process.kill):
        try:
            return process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            stop()
    return process.wait()
