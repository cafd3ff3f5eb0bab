"""`supervisor serve`: the daemon."""

from __future__ import annotations

import logging
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from supervisor.cli.check import PolicyFile
from supervisor.cli.task_views import Database
from supervisor.cli.tasks_api import PROGRAMS_TOKEN, ProgramsToken, people_token, serve_tasks_alone
from supervisor.errors import BadInput

if TYPE_CHECKING:
    from supervisor.service.engines import Opened
    from supervisor.service.places import Places
    from supervisor.service.policies import Policies

SOCKET = "~/.local/state/supervisor/daemon.sock"
_LONGEST = 100  # bytes of a socket's path; the limits of kernels are 104 and 108
SocketFile = Annotated[
    Path, typer.Option("--socket", envvar="SUPERVISOR_SOCKET", help="The Unix socket of the daemon.", metavar="FILE")
]


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(epilog="Example: supervisor serve --port 8650 --policy supervisor.yaml")(serve)


def serve(
    socket: SocketFile = Path(SOCKET),
    port: Annotated[
        int | None,
        typer.Option(help="Also serve HTTP on this port of 127.0.0.1, for clients with the token.", min=0, max=65535),
    ] = None,
    token: Annotated[
        Path | None, typer.Option("--token", help="The file with the token; created if it does not exist.")
    ] = None,
    policy: PolicyFile = None,
    console: Annotated[
        bool,
        typer.Option("--console", help="Serve the review console instead, on 127.0.0.1, port 8651 or that of --port."),
    ] = False,
    records: Annotated[
        Path | None,
        typer.Option("--records", help="With --console: the folder of records; by default the policy's."),
    ] = None,
    tasks: Annotated[
        bool,
        typer.Option("--tasks", help="Serve the API of tasks instead, on 127.0.0.1, port 8652 or that of --port."),
    ] = False,
    tasks_token: ProgramsToken = PROGRAMS_TOKEN,
    database: Database = "",
    rehearse: Annotated[bool, typer.Option("--rehearse", hidden=True)] = False,
    succession: Annotated[str | None, typer.Option("--succession", hidden=True)] = None,
) -> None:
    """Decide for every agent on this machine, over a Unix socket. Edits of policy and taxonomy take effect at once.

    With --console, serve pages on which people judge decisions, and with --tasks, an API of the runtime's tasks: other
    processes, which the daemon does not need.
    """
    token_file = people_token(token)
    if console and tasks:
        raise BadInput("the console and the API of tasks are processes of their own", place="--tasks", code="usage")
    if console:
        from supervisor.cli.console import serve_console

        serve_console(policy, records, port, token_file, database)
        return
    if tasks:
        serve_tasks_alone(database, port, token_file, tasks_token)
        return
    if records is not None:
        raise BadInput("the daemon's folder of records is its policy's", place="--records", code="usage")
    import asyncio
    import signal

    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # until there is something to reload: by default it ends the process

    from supervisor.service.places import Places
    from supervisor.service.policies import Policies
    from supervisor.service.server import Start
    from supervisor.service.server import serve as serve_at
    from supervisor.service.succession import Estate, succeed

    logging.basicConfig(format="%(asctime)s supervisor: %(message)s", level=logging.WARNING)
    places = Places(socket_path(socket), port, token_file)
    own = policy.absolute() if policy else None
    if rehearse:  # whether this version could take over from a running daemon
        _open(Policies(str(own) if own else None), places).supervisor.close()
        return
    command = _command(places, own)
    left = Estate.of_text(succession) if succession else None
    left = asyncio.run(serve_at(Start(partial(_open, places=places), own, command, left), places))
    if left is not None:
        succeed(command, left)


def _command(places: Places, policy: Path | None) -> tuple[str, ...]:
    """The command that starts this daemon again, in whatever version is installed then."""
    words = [sys.executable, "-P", "-m", "supervisor", "serve", "--socket", str(places.socket)]
    words += ["--token", str(places.token)]
    words += ["--port", str(places.port)] if places.port is not None else []
    return (*words, "--policy", str(policy)) if policy else tuple(words)


def socket_path(file: Path) -> Path:
    """The absolute path of a socket. Raises BadInput if it is too long for one."""
    path = file.expanduser().absolute()
    if len(bytes(path)) > _LONGEST:
        raise BadInput(f"a socket's path has at most {_LONGEST} bytes; name another with --socket", place=str(path))
    return path


def _open(files: Policies, places: Places) -> Opened:
    """An engine whose workers are ready."""
    from supervisor.engine.guard_assets import daemon_assets
    from supervisor.engine.supervisor import Supervisor
    from supervisor.evidence.machine.assets import Asset, Sort
    from supervisor.service.engines import Opened
    from supervisor.service.policies import open_policies

    own = daemon_assets(places.socket, places.token, places.port)
    own += [Asset(file, "supervisor", Sort.POLICY) for file in files if file]
    merged = open_policies(files)
    supervisor = Supervisor(merged.policy, catalog=merged.catalog, assets=own)
    try:
        supervisor.start()
    except BaseException:
        supervisor.close()
        raise
    return Opened(supervisor, merged.ignored)
