"""`supervisor status`, `reload` and `stop`: the running daemon."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from supervisor.cli.output import AsJson, console, counted, print_json, printable, styled
from supervisor.cli.serve import SOCKET, SocketFile, socket_path
from supervisor.errors import NoDaemon

if TYPE_CHECKING:
    from supervisor.engine.remote.client import Remote

_TIGHTENS = "a project's policy can only make the user's stricter; `projects.may_loosen` of the user's policy trusts it"


def register(app: typer.Typer) -> None:
    """Adds the verbs."""
    app.command(epilog="Example: supervisor status --json")(status)
    app.command(epilog="Example: supervisor reload")(reload)
    app.command(epilog="Example: supervisor stop")(stop)


def status(socket: SocketFile = Path(SOCKET), json: AsJson = False) -> None:
    """Show the running daemon: its version, its policies, what is in force and what is wrong.

    Exits 1 if no daemon answers, or if an edit or an upgrade has not taken effect.
    """
    with _daemon(socket) as remote:
        found = remote.status()
    if json:
        print_json({"supervisor": found.pop("version"), **found})
    else:
        _show(found)
    raise typer.Exit(0 if found["status"] == "ok" else 1)


def reload(socket: SocketFile = Path(SOCKET), json: AsJson = False) -> None:
    """Let the daemon read its policies, taxonomy and specialists again. It follows edits of these files by itself.

    Exits 1 if no daemon answers, or if one of them cannot be read: then its earlier version stays in force.
    """
    with _daemon(socket) as remote:
        policies = remote.reload()
    if json:
        print_json({"policies": policies})
    for each in [] if json else policies:
        console().print(f"{_mark(each)} {styled(_files(each), 'bold')}: {styled(_change(each), '')}")
    raise typer.Exit(1 if any(each["problem"] for each in policies) else 0)


def stop(socket: SocketFile = Path(SOCKET), json: AsJson = False) -> None:
    """End the daemon, and wait until it has ended. The next event of a hook starts it again.

    Exits 1 if there is no daemon, or if it does not end.
    """
    from supervisor.engine.remote.ending import end
    from supervisor.service.unit import how_to_start

    place, started = socket_path(socket), time.monotonic()
    try:
        pid = end(place)
    except NoDaemon as error:
        raise _without(error) from None
    if pid is None:
        raise _without(NoDaemon("no daemon runs here", place=str(place)))
    took = time.monotonic() - started
    if json:
        print_json({"pid": pid, "socket": str(place), "seconds": round(took, 3)})
    else:
        start = how_to_start(place)
        again = f"; `{start}` starts the service, which is now stopped" if start else ""
        told = f"Process {pid} has ended, after {took:.1f} s. The next event of a hook starts the daemon again{again}."
        console().print(styled(told, ""))


@contextlib.contextmanager
def _daemon(socket: Path) -> Iterator[Remote]:
    """The daemon that SUPERVISOR_URL names, else the one at the socket. Exits 1 if it does not answer."""
    from supervisor.engine.remote.client import Remote
    from supervisor.engine.remote.ending import holder

    place = socket_path(socket)
    url = os.environ.get("SUPERVISOR_URL") or f"unix:{place}"
    with contextlib.closing(Remote.at(url)) as remote:
        try:
            yield remote
        except NoDaemon as error:
            pid = None if "SUPERVISOR_URL" in os.environ or place.exists() else holder(place)
            problem = NoDaemon(f"process {pid} is starting, and does not listen yet", place=str(place))
            raise _without(error if pid is None else problem) from None


def _without(error: NoDaemon) -> typer.Exit:
    """Reports that there is no daemon: something that does not hold, and no wrong use."""
    cure = "a hook starts it at its next event, and `supervisor serve` at once"
    print(f"supervisor: {printable(str(error))}; {cure} [{error.code}]", file=sys.stderr)
    return typer.Exit(1)


def _show(found: dict[str, Any]) -> None:
    out = console()
    out.print(styled(f"Supervisor {found['version']}, process {found['pid']}, since {found['since']}", "bold"))
    port = f" and 127.0.0.1:{found['port']}" if found["port"] is not None else ""
    out.print(styled(f"  at {found['socket']}{port}", ""))
    out.print(f"  {counted(found['decisions'], 'decision')}, {counted(found['sessions'], 'session')}")
    if found["upgrade"]:
        out.print(f"{styled('✗', 'red')} {styled('the installed version cannot take over', 'bold')}: "
                  f"{styled(found['upgrade'], '')}")  # fmt: skip
    for each in found["unusable"]:
        out.print(f"{_mark(each)} {styled(_files(each), 'bold')}")
        out.print(styled(f"  cannot be used, so every action under it is refused: {each['problem']}", ""))
    for each in found["policies"]:
        out.print(f"{_mark(each)} {styled(_files(each), 'bold')}")
        for line in _lines(each):
            out.print(styled(f"  {line}", ""))


def _lines(policy: dict[str, Any]) -> Iterator[str]:
    yield f"digest {policy['digest']}, loaded {policy['loaded']}"
    yield _in_force(policy["failure_modes"])
    if policy["problem"]:
        yield f"the last edit has no effect, and the earlier version stays in force: {policy['problem']}"
    if policy["ignored"]:
        yield f"without effect: {', '.join(policy['ignored'])} ({_TIGHTENS})"


_REASONS = {
    "disabled": "disabled by the policy (taxonomy.disabled)",
    "preview": "in preview (taxonomy.preview turns them on)",
    "without_model": "judged by a model, and none is configured (doors.model)",
}


def _in_force(counts: dict[str, int]) -> str:
    off = [f"{counts[name]} {reason}" for name, reason in _REASONS.items() if counts.get(name)]
    return f"{counts['in_force']} of {counts['known']} failure modes in force" + (f"; {', '.join(off)}" if off else "")


def _mark(policy: dict[str, Any]) -> str:
    return styled("✗", "red") if policy["problem"] else styled("✓", "green")


def _files(policy: dict[str, Any]) -> str:
    user = policy["user"] or "the default policy"
    return f"{user}, with the project's {policy['project']}" if policy["project"] else user


def _change(policy: dict[str, Any]) -> str:
    if policy["problem"]:
        return f"cannot be used, so its earlier version stays in force: {policy['problem']}"
    if policy["before"] == policy["digest"]:
        return f"read again; the policy is the same ({policy['digest']})"
    return f"{policy['before'] or 'not in use before'} → {policy['digest']}"
