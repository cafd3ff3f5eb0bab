"""`supervisor service`: the daemon as a service of systemd or launchd."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from supervisor.cli.check import PolicyFile
from supervisor.cli.hooks import show_change
from supervisor.cli.output import console, styled
from supervisor.cli.serve import SOCKET, SocketFile, socket_path
from supervisor.errors import BadInput
from supervisor.service.unit import Manager, Unit, path_of, unit_of, usual_manager

For = Annotated[Manager | None, typer.Option("--for", help="The service manager; by default the one of this platform.")]
Port = Annotated[int | None, typer.Option(help="Also serve HTTP on this port of 127.0.0.1.", min=0, max=65535)]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Dry = Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")]


def register(app: typer.Typer) -> None:
    """Adds the verbs."""
    told = "Start the daemon at login and keep it running, by systemd or launchd."
    group = typer.Typer(no_args_is_help=True, help=told)
    group.command(epilog="Example: supervisor service install --policy ~/.config/supervisor/policy.yaml")(install)
    group.command(epilog="Example: supervisor service remove")(remove)
    group.command(epilog="Example: supervisor service show --for launchd")(show)
    app.add_typer(group, name="service")


def show(manager: For = None, socket: SocketFile = Path(SOCKET), port: Port = None, policy: PolicyFile = None) -> None:
    """Print the service file, and write nothing."""
    sys.stdout.write(_unit(manager or usual_manager(), socket, port, policy).text)


def install(
    socket: SocketFile = Path(SOCKET),
    port: Port = None,
    policy: PolicyFile = None,
    yes: Yes = False,
    dry_run: Dry = False,
) -> None:
    """Write the service file for this user, and start the daemon by it. Shows the change, and asks first."""
    from supervisor.adapters.hooks.settings import read
    from supervisor.engine.remote.ending import end
    from supervisor.policy import read_policy
    from supervisor.service.unit import check_manager, start

    if policy:
        read_policy(policy)  # a daemon under an invalid policy would not start
    unit = _unit(usual_manager(), socket, port, policy)
    if not dry_run:
        check_manager(unit.manager)
    show_change(unit.path, read(unit.path), unit.text)
    if dry_run:
        return
    _ask(f"Write {unit.path}, and start it?", yes=yes)
    unit.path.parent.mkdir(parents=True, exist_ok=True)
    unit.path.write_text(unit.text, encoding="utf-8")
    end(socket_path(socket))  # one that a hook has started: only one daemon serves at a socket
    start(unit)
    console().print(f"Wrote {styled(str(unit.path), 'bold')}. {unit.manager} keeps the daemon running.")


def remove(yes: Yes = False, dry_run: Dry = False) -> None:
    """End the daemon that the service manager runs, and remove the service file."""
    manager = usual_manager()
    path = path_of(manager)
    if not path.exists():
        console().print(f"There is no {styled(str(path), 'bold')}.")
        return
    console().print(f"Removes {styled(str(path), 'bold')}, and ends the daemon that it runs.")
    if not dry_run:
        _ask(f"Remove {path}?", yes=yes)
        take_out(manager)


def take_out(manager: Manager) -> None:
    """Removes the service. Raises BadInput or OSError."""
    from supervisor.service.unit import forget, stop

    stop(manager)
    path_of(manager).unlink(missing_ok=True)
    forget(manager)


def _unit(manager: Manager, socket: Path, port: int | None, policy: Path | None) -> Unit:
    place = socket_path(socket)
    options = ["--port", str(port)] if port is not None else []
    options += ["--policy", str(policy.expanduser().absolute())] if policy else []
    return unit_of(manager, place, options, place.with_name(f"{place.name}.log"))


def _ask(question: str, *, yes: bool) -> None:
    if not yes and not (sys.stdin is not None and sys.stdin.isatty() and typer.confirm(question)):
        raise BadInput("nothing is changed without a confirmation; --yes gives it", code="not_confirmed")
