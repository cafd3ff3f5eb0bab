"""Where the hooks of an agent knock that has no other way to ask: a Unix socket, which only its owner can open."""

from __future__ import annotations

import contextlib
import json
import logging
import shlex
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from supervisor.runtime.drivers.agents.judging import Answer

if TYPE_CHECKING:
    from anyio.abc import ByteStream

_log = logging.getLogger(__name__)
_CLIENT = Path(__file__).with_name("hook.py")
_NAME = "hook"
_LONGEST = 100  # bytes of the path of a socket, of which systems allow 104 or more
_MOST = 32 * 1024 * 1024  # bytes of an event
_READ = 10.0  # seconds for an event to arrive
_OR_REFUSE = '"$@" || { [ $? = 2 ] || echo "Supervisor: the hook has failed, so nothing runs" >&2; exit 2; }'


@dataclass(frozen=True, slots=True)
class Exit:
    """How the hook's command ends. 2 refuses, with a reason on stderr."""

    exit: int = 0
    stdout: str = ""
    stderr: str = ""


def exit_of(answer: Answer) -> Exit:
    """The guard's answer as the end of a hook's command."""
    if answer.refused:
        return Exit(2, "", answer.reason)
    if answer.reason:  # the guard has failed where nothing can be refused
        return Exit(1, "", answer.reason)
    return Exit(0, json.dumps(answer.output) if answer.output else "", "")


def command_of(socket: Path, *, refuses: bool) -> str:
    """The line that a shell runs at an event. A client that cannot even start refuses, where that can be."""
    words = [sys.executable, "-I", "-S", str(_CLIENT), str(socket)]
    return shlex.join(["/bin/sh", "-c", _OR_REFUSE, "supervisor", *words] if refuses else words)


@contextlib.asynccontextmanager
async def opened(home: Path, hear: Callable[[Mapping[str, Any]], Awaitable[Exit]]) -> AsyncIterator[Path]:
    """Serves hooks at a socket in a private folder, and yields its path."""
    with _place(home) as socket:
        async with (
            await anyio.create_unix_listener(socket, mode=0o600) as listener,
            anyio.create_task_group() as tasks,
        ):
            tasks.start_soon(listener.serve, partial(_serve, hear))
            yield socket
            tasks.cancel_scope.cancel()


@contextlib.contextmanager
def _place(home: Path) -> Iterator[Path]:
    """A path in the folder, or where that is too long for a socket, in a folder made for it."""
    if len(bytes(home / _NAME)) <= _LONGEST:
        yield home / _NAME
        return
    with tempfile.TemporaryDirectory(prefix="supervisor-hook-") as folder:
        yield Path(folder) / _NAME


async def _serve(hear: Callable[[Mapping[str, Any]], Awaitable[Exit]], client: ByteStream) -> None:
    """Answers one event. What cannot be read is refused by the client, which gets no answer."""
    async with client:
        try:
            event = await _event(client)
            if event is not None:
                await client.send(json.dumps(asdict(await hear(event))).encode())
        except (anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
            _log.warning("a hook has not waited for its answer: %s", error)


async def _event(client: ByteStream) -> Mapping[str, Any] | None:
    content = b""
    with anyio.move_on_after(_READ):
        async for chunk in client:
            content += chunk
            if len(content) > _MOST:
                return None
        try:
            event = json.loads(content)
        except (ValueError, RecursionError):
            return None
        return event if isinstance(event, Mapping) else None
    return None
