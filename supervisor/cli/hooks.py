"""`supervisor hook` and `supervisor install`: command-line agents."""

from __future__ import annotations

import difflib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal
from urllib.parse import quote

import typer

from supervisor.cli.check import PolicyFile
from supervisor.cli.output import console, styled
from supervisor.cli.serve import SOCKET, SocketFile, socket_path
from supervisor.errors import BadInput
from supervisor.suggestions import choices

if TYPE_CHECKING:
    from supervisor.adapters.hooks import Host
    from supervisor.service.policies import Policies

Name = Annotated[str, typer.Argument(metavar="HOST", help="claude, codex, gemini or cursor.")]
Scope = Literal["project", "user"]
_COLOURS = {"+": "green", "-": "red", "@": "dim"}


def register(app: typer.Typer) -> None:
    """Adds the verbs."""
    app.command(epilog="Example: supervisor hook claude < event.json")(hook)
    app.command(epilog="Example: supervisor install claude --scope project")(install)


def hook(
    host: Name,
    on_failure: Annotated[
        Literal["closed", "open", "observe"], typer.Option(help="What happens to an action if the guard fails.")
    ] = "closed",
    socket: SocketFile = Path(SOCKET),
    policy: PolicyFile = None,
) -> None:
    """Answer one event of a host, given as JSON on stdin; `supervisor install` writes a faster command.

    Exits 0 if the agent may go on, 2 with the reason on stderr if not.
    """
    from supervisor.adapters.hooks.client import main
    from supervisor.adapters.hooks.host import WITHIN

    known, named = _host(host), [str(policy.resolve())] if policy else []
    raise typer.Exit(main("ask", str(socket_path(socket)), known.name, on_failure, str(WITHIN), *named))


def install(
    host: Name,
    scope: Annotated[Scope, typer.Option(help="The settings of this project, or of this user.")] = "user",
    undo: Annotated[bool, typer.Option("--undo", help="Remove our hooks again.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")] = False,
    socket: SocketFile = Path(SOCKET),
    policy: PolicyFile = None,
) -> None:
    """Put the guard before every tool of a command-line agent. Shows the change of its settings, and asks first."""
    from supervisor.adapters.hooks.settings import installed, read, removed, write

    known = _host(host)
    file = settings_file(known, scope)
    before = read(file)
    after = (
        removed(known, before, file)
        if undo
        else installed(known, before, file, _commands(known, file, scope, socket, policy))
    )
    out = console()
    if after == before:
        if not dry_run:
            _note(known, file, after, None if undo else (socket, policy))
        out.print(f"{styled(str(file), 'bold')} needs no change.")
        return
    show_change(file, before, after)
    if dry_run:
        return
    if not yes and not (sys.stdin is not None and sys.stdin.isatty() and typer.confirm(f"Write {file}?")):
        raise BadInput("nothing is written without a confirmation; --yes gives it", code="not_confirmed")
    if not undo:  # listed before it is written, and unlisted after it is removed: our hooks are always in the list
        _note(known, file, after, (socket, policy))
    write(file, after)
    if undo:
        asked = _socket_of(file) or socket_path(socket)
        _note(known, file, after, None)
        _end_unused(asked)
    out.print(f"Wrote {styled(str(file), 'bold')}." if after else f"Removed {styled(str(file), 'bold')}.")
    if not undo:
        if known.note:
            out.print(styled(known.note, "yellow"))
        out.print("`supervisor doctor` shows whether a refusal arrives.")


def _socket_of(file: Path) -> Path | None:
    """The socket that the hooks in a settings file ask."""
    from supervisor.engine.guard_assets import installed

    return next((Path(row["socket"]) for row in installed() if row["file"] == str(file.absolute())), None)


def _end_unused(socket: Path) -> None:
    """Ends the daemon that the removed hooks asked, unless other hooks or a service use it."""
    from supervisor.engine.guard_assets import installed
    from supervisor.engine.remote.ending import end
    from supervisor.service.unit import path_of, usual_manager

    if any(row["socket"] == str(socket) for row in installed()) or path_of(usual_manager()).exists():
        return
    if pid := end(socket):
        console().print(f"Ended the daemon (process {pid}): no other hook asks it.")


def settings_file(host: Host, scope: Scope) -> Path:
    """The settings file of a host. The host's own environment variable may move it."""
    if scope == "user" and host.home and os.environ.get(host.home):
        return Path(os.environ[host.home]) / host.file
    return host.settings(Path.home() if scope == "user" else Path.cwd())


def _note(host: Host, file: Path, text: str, how: tuple[Path, Path | None] | None) -> None:
    """Lists our commands in a settings file, with their socket and policy, so that the guard knows its own hooks;
    removes the file from the list if `how` is None."""
    from supervisor.adapters.hooks.settings import our_commands
    from supervisor.engine.guard_assets import forget_installed, note_installed

    if how is None:
        forget_installed(file.absolute())
        return
    socket, policy = how
    named = policy.resolve() if policy else None
    note_installed(host.name, file.absolute(), socket_path(socket), named, our_commands(text, file).values())


def _commands(host: Host, file: Path, scope: Scope, socket: Path, policy: Path | None) -> dict[str, str]:
    from supervisor.adapters.hooks.settings import command
    from supervisor.service.policies import read_policies

    place, named = socket_path(socket), policy.resolve() if policy else None
    hooks = read_policies(_policies(host, scope, place, named)).policy.hooks
    mode: Literal["open", "closed"] = "open" if hooks.on_failure == "ok" else "closed"
    return {event: command(host, event, place, mode, named, file.absolute()) for event in host.events}


def _policies(host: Host, scope: Scope, socket: Path, named: Path | None) -> Policies:
    """The policies that the daemon will have for the events of these hooks."""
    from supervisor.service.policies import Choice, Policies

    choice = Choice(None, socket)
    if scope == "project":
        return choice.of(host.name, quote(os.fsencode(named)) if named else None)
    return Policies(str(named)) if named else choice.own


def _host(name: str) -> Host:
    from supervisor.adapters.hooks import HOSTS

    if name not in HOSTS:
        raise BadInput(f"no host {name!r}{choices(name, HOSTS)}", place="HOST")
    return HOSTS[name]


def show_change(file: Path, before: str, after: str) -> None:
    """Shows the change of a file as a diff."""
    lines = (before.splitlines(), after.splitlines(), str(file), str(file))
    for line in difflib.unified_diff(*lines, lineterm=""):
        console().print(styled(line, _COLOURS.get(line[:1], "")))
