"""A server that is a process. All messages on its standard streams pass through the gate."""

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
_PATIENCE = 2.0  # seconds for a server to end after its input has, and again after SIGTERM


class Client:
    """The client's side: this process's standard streams. Several threads may write."""

    def __init__(self, source: int = 0, target: int = 1) -> None:
        self._source, self._target = source, target
        self._lock = threading.Lock()
        self._is_gone = False

    def lines(self) -> Iterator[bytes]:
        """The client's messages. They are read without Python's buffers, whose locks would delay the process's end."""
        return lines(iter(lambda: os.read(self._source, _CHUNK), b""))

    def leave(self) -> None:
        """Stops all further writing."""
        with self._lock:
            self._is_gone = True

    def write(self, line: bytes) -> None:
        """Writes a line. Raises BrokenPipeError if the client has ended."""
        with self._lock:
            if self._is_gone:
                raise BrokenPipeError
            rest = memoryview(line)
            while rest:
                rest = rest[os.write(self._target, rest) :]


def serve_process(command: Sequence[str], gate: Gate, client: Client) -> int:
    """Runs the server until it or the client ends. Returns the server's exit code."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    earlier_handler = signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    threading.Thread(target=_to_server, args=(client, gate, process), daemon=True).start()
    try:
        with _stream(process.stdout) as server:
            _to_client(server, gate, client)
    finally:
        code = _end(process)
        signal.signal(signal.SIGTERM, earlier_handler)
    return code


def _to_server(client: Client, gate: Gate, process: subprocess.Popen[bytes]) -> None:
    server = _stream(process.stdin)
    try:
        for line in client.lines():
            passage = gate.from_client(line)
            for answer in passage.reply:
                client.write(answer)
            for sent, _ in passage.forward:
                server.write(sent)
    except Unclear as problem:
        client.write(error(None, PARSE_ERROR, str(problem)))
    except OSError:
        """The client or the server has ended; the other thread notices that too."""
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
            client.write(gate.from_server(line))
    except Unclear as problem:
        print(f"supervisor: the server's answer ends the connection: {problem}", file=sys.stderr)
    except BrokenPipeError:
        """The client has ended."""


def _end(process: subprocess.Popen[bytes]) -> int:
    """Ends the server as the protocol says: after the end of its input comes SIGTERM, then SIGKILL."""
    for stop in (process.terminate, process.kill):
        try:
            return process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            stop()
    return process.wait()
