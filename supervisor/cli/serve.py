"""`supervisor serve`: the daemon."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from supervisor.cli.check import PolicyFile
from supervisor.errors import BadInput

if TYPE_CHECKING:
    from supervisor.engine.supervisor import Supervisor
    from supervisor.service.server import Places

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
) -> None:
    """Decide for every agent on this machine, over a Unix socket. SIGHUP reloads policy and taxonomy."""
    import asyncio

    from supervisor.engine.remote.transport import TOKEN_FILE
    from supervisor.service.server import Places
    from supervisor.service.server import serve as serve_at

    logging.basicConfig(format="%(asctime)s supervisor: %(message)s", level=logging.WARNING)
    places = Places(socket_path(socket), port, (token or Path(TOKEN_FILE)).expanduser())
    asyncio.run(serve_at(lambda: _open(policy, places), places))


def socket_path(file: Path) -> Path:
    """The absolute path of a socket. Raises BadInput if it is too long for one."""
    path = file.expanduser().absolute()
    if len(bytes(path)) > _LONGEST:
        raise BadInput(f"a socket's path has at most {_LONGEST} bytes; name another with --socket", place=str(path))
    return path


def _open(policy: Path | None, places: Places) -> Supervisor:
    """An engine whose workers are ready."""
    from supervisor.engine.guard_assets import daemon_assets
    from supervisor.engine.supervisor import Supervisor
    from supervisor.policy import Policy, read_policy

    own = daemon_assets(places.socket, places.token, places.port)
    supervisor = Supervisor(read_policy(policy) if policy else Policy(), assets=own)
    try:
        supervisor.start()
    except BaseException:
        supervisor.close()
        raise
    return supervisor
