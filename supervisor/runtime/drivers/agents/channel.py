"""Messages to and from a running agent: one JSON object a line, and a deadline on every request."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from typing import IO, Any

import anyio
from anyio import to_thread

from supervisor.errors import SupervisorError

_LONGEST = 32 * 1024 * 1024  # bytes of a line that is read
_WRITTEN = 30.0  # seconds in which an agent has to read what it is sent
Message = Mapping[str, Any]


class NoReply(SupervisorError):
    """An agent has not replied in time, or has replied that it cannot do what it is asked."""

    code = "no_reply"


class Lines:
    """Cuts a stream into lines. A line that is too long is dropped, and counted."""

    def __init__(self, longest: int = _LONGEST) -> None:
        self._longest = longest
        self._rest = bytearray()
        self._drops = False
        self.dropped = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that a chunk completes."""
        *ends, rest = chunk.split(b"\n")
        found = []
        for end in ends:
            line = self._taken(end)
            if line is not None:
                found.append(line)
        if not self._drops:
            self._rest += rest
            if len(self._rest) > self._longest:
                self._drops = True
                self._rest.clear()
        return found

    def _taken(self, end: bytes) -> bytes | None:
        line, drops = bytes(self._rest) + end, self._drops or len(self._rest) + len(end) > self._longest
        self._rest.clear()
        self._drops = False
        self.dropped += drops
        return None if drops else line


def message_of(line: bytes) -> Message | None:
    """The object in a line; None if it holds none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, Mapping) else None


class Channel:
    """Sends messages to an agent's standard input, and pairs replies with requests."""

    def __init__(self, pipe: Callable[[], IO[bytes] | None]) -> None:
        """`pipe` gives the agent's standard input once it has started."""
        self._pipe = pipe
        self._lock = anyio.Lock()
        self._awaited: dict[str, Callable[[Message | None], None]] = {}

    async def send(self, message: Message) -> None:
        """Sends a message. Raises NoReply if the agent does not read it in time, or has closed its input."""
        line = json.dumps(message).encode() + b"\n"
        try:
            with anyio.fail_after(_WRITTEN):
                async with self._lock:
                    await to_thread.run_sync(self._write, line, abandon_on_cancel=True)
        except TimeoutError:
            raise NoReply(f"it has not read what it was sent for {_WRITTEN:g} s") from None
        except (OSError, ValueError):  # ValueError: the pipe was closed here
            raise NoReply("it does not read its input any more") from None

    async def request(self, key: str, message: Message, within: float) -> Message:
        """Sends a request, and waits so many seconds for the reply that `resolve` gets under this key. Raises
        NoReply."""
        sender, receiver = anyio.create_memory_object_stream[Message | None](1)
        self._awaited[key] = sender.send_nowait
        try:
            with sender, receiver, anyio.fail_after(within):
                await self.send(message)
                reply = await receiver.receive()
        except TimeoutError:
            raise NoReply(f"it has not replied for {within:g} s to {key}") from None
        finally:
            self._awaited.pop(key, None)
        if reply is None:
            raise NoReply(f"it refuses {key}")
        return reply

    def resolve(self, key: str, reply: Message | None) -> bool:
        """Hands a reply to who awaits it; None is a refusal. Returns whether anybody does."""
        give = self._awaited.pop(key, None)
        if give is not None:
            give(reply)
        return give is not None

    async def close(self) -> None:
        """Closes the agent's input: nothing more will come."""
        with anyio.move_on_after(_WRITTEN):
            async with self._lock:
                await to_thread.run_sync(self._close, abandon_on_cancel=True)

    def _write(self, line: bytes) -> None:
        pipe = self._pipe()
        if pipe is None:
            raise OSError("it has no input")
        pipe.write(line)
        pipe.flush()

    def _close(self) -> None:
        pipe = self._pipe()
        if pipe is not None:
            with contextlib.suppress(OSError):  # it has gone already, with what it had not read
                pipe.close()
