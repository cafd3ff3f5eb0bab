"""The API of tasks: `supervisor serve --tasks` alone, `supervisor up --serve` beside an executor."""

from __future__ import annotations

import contextlib
import logging
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from supervisor.errors import BadInput

if TYPE_CHECKING:
    from supervisor.runtime.store.database import Store
    from supervisor.service.tasks.app import Tokens
    from supervisor.service.tasks.running import Beside

PORT = 8652
_NEEDED = ("starlette", "uvicorn", "websockets")

ProgramsToken = Annotated[
    Path,
    typer.Option(
        "--tasks-token",
        help="The file with the token of programs, which opens the API of tasks but answers no question; created if"
        " it does not exist.",
        metavar="FILE",
    ),
]
PROGRAMS_TOKEN = Path("~/.config/supervisor/tasks-token")


def serve_tasks_alone(database: str, port: int | None, people: Path, programs: Path) -> None:
    """Serves the API on 127.0.0.1 until it is ended. Raises BadInput if a package of it is not there, and NoRuntime."""
    with _packages():
        from supervisor.service.tasks.running import serve_tasks
    from supervisor.cli.task_views import opened
    from supervisor.service.tasks.board import Board

    logging.basicConfig(format="%(asctime)s supervisor: %(message)s", level=logging.WARNING)
    with opened(database) as store, _listener(port) as listener:
        tokens = _tokens(people, programs)
        serve_tasks(Board(store), listener, tokens, lambda: _tell(listener, programs))


@contextlib.contextmanager
def served_beside(store: Store, port: int | None, people: Path, programs: Path) -> Iterator[Beside]:
    """Serves the API in a thread, as long as the context lasts. Raises what `serve_tasks_alone` raises."""
    with _packages():
        from supervisor.service.tasks.running import Beside
    from supervisor.service.tasks.board import Board

    with _listener(port) as listener:
        beside = Beside(Board(store), listener, _tokens(people, programs))
        _tell(listener, programs)
        try:
            yield beside
        finally:
            beside.close()


def people_token(named: Path | None) -> Path:
    """The file with the token of people."""
    from supervisor.engine.remote.transport import TOKEN_FILE

    return (named or Path(TOKEN_FILE)).expanduser().absolute()


def _tokens(people: Path, programs: Path) -> Tokens:
    from supervisor.service.places import token_in
    from supervisor.service.tasks.app import Tokens

    of_programs = programs.expanduser().absolute()
    if of_programs == people:
        raise BadInput("programs and people have a token each", place="--tasks-token", code="usage")
    return Tokens(token_in(people), token_in(of_programs))


def _listener(port: int | None) -> socket.socket:
    from supervisor.service.places import on_port

    wanted = PORT if port is None else port
    try:
        listener = on_port(wanted, None)
    except OSError as error:
        raise BadInput(f"port {wanted}: {error.strerror}", place="--port", code="no_port") from None
    if listener is None:
        raise BadInput("the API needs a port", place="--port", code="usage")
    return listener


def _tell(listener: socket.socket, programs: Path) -> None:
    from supervisor.cli.output import console, styled

    at = f"http://127.0.0.1:{listener.getsockname()[1]}/v1/"
    told = f"the API of tasks is at {styled(at, 'bold')}, and the token of programs in {programs.expanduser()}"
    console(error=True).print(told)


@contextlib.contextmanager
def _packages() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _NEEDED:
            raise
        missing = f"the API needs {error.name}: pip install 'supervisor-guard[runtime]'"
        raise BadInput(missing, place="--serve", code="missing_extra") from None
