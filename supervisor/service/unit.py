"""The files by which systemd or launchd starts the daemon for one user, and keeps it running."""

from __future__ import annotations

import os
import plistlib
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from supervisor.errors import BadInput

Manager = Literal["systemd", "launchd"]
NAME = "supervisor"
_UNIT = """\
# Written by `supervisor service install`; `supervisor service remove` removes it.
[Unit]
Description=Supervisor, which judges the actions of AI agents
Documentation=man:systemd.service(5)

[Service]
ExecStartPre=-{stop}
ExecStart={serve}
ExecReload=kill -HUP $MAINPID
Restart=on-failure
RestartSec=1
KillMode=mixed
TimeoutStopSec=60
UMask=0077
LockPersonality=true
NoNewPrivileges=true
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictRealtime=true
RestrictSUIDSGID=true
SystemCallArchitectures=native

[Install]
WantedBy=default.target
"""


@dataclass(frozen=True, slots=True)
class Unit:
    """A service file: its manager, its path, and its content."""

    manager: Manager
    path: Path
    text: str


def unit_of(manager: Manager, socket: Path, options: Sequence[str], log: Path) -> Unit:
    """The file that starts `supervisor serve` at a socket with these further options. `log` is launchd's log; systemd
    has the journal. Raises BadInput for an argument with control characters.

    systemd first ends a daemon that a hook has started meanwhile: only one serves at a socket. It signals the daemon
    alone (KillMode=mixed), because workers that end at once would lose the votes of running decisions.
    """
    from supervisor.engine.workers.fork_client import interpreter

    program = [*interpreter(), "-m", "supervisor"]
    serve = [*program, "serve", "--socket", str(socket), *options]
    if wrong := next((word for word in serve if not word.isprintable()), ""):
        raise BadInput("has a character that a service file cannot have", place=ascii(wrong))
    if manager == "systemd":
        stop = [*program, "stop", "--socket", str(socket)]
        text = _UNIT.format(stop=" ".join(map(_quoted, stop)), serve=" ".join(map(_quoted, serve)))
        return Unit(manager, path_of(manager), text)
    agent = {
        "Label": NAME,
        "ProgramArguments": serve,
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ProcessType": "Background",
        "Umask": 0o077,
        "StandardErrorPath": str(log),
    }
    return Unit(manager, path_of(manager), plistlib.dumps(agent, sort_keys=False).decode())


def path_of(manager: Manager) -> Path:
    """The path of the file, for this user."""
    if manager == "systemd":
        folder = Path(os.environ.get("XDG_CONFIG_HOME") or "~/.config").expanduser() / "systemd" / "user"
        return folder / f"{NAME}.service"
    return Path("~/Library/LaunchAgents").expanduser() / f"{NAME}.plist"


def how_to_start(socket: Path) -> str:
    """The command by which this user starts the service at a socket; "" if there is none."""
    path = path_of(manager := usual_manager())
    if not path.is_file() or str(socket) not in path.read_text(encoding="utf-8", errors="replace"):
        return ""
    started = ("systemctl --user start", path.name) if manager == "systemd" else ("launchctl kickstart", _label())
    return " ".join(started)


def usual_manager() -> Manager:
    """The service manager of this platform."""
    return "launchd" if sys.platform == "darwin" else "systemd"


def _quoted(word: str) -> str:
    """A word of ExecStart (systemd.service(5), "Command lines"): `%` and `$` are doubled, and C escapes apply."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"' if set(escaped) & set(" \t'\"\\;") or not escaped else escaped


def check_manager(manager: Manager) -> None:
    """Raises BadInput if this user has no such service manager."""
    if manager == "launchd":
        if not shutil.which("launchctl"):
            raise BadInput("launchctl is not here, so launchd cannot start the daemon", place=manager, code=_NONE)
        return
    if not shutil.which("systemctl"):
        raise BadInput(f"there is no systemd here; {_OTHERWISE}", place=manager, code=_NONE)
    asked = _run("systemctl", "--user", "show-environment")
    if asked.returncode:
        why = " ".join(asked.stderr.split()) or "it does not answer"
        raise BadInput(f"systemd runs no services of this user ({why}); {_OTHERWISE}", place=manager, code=_NONE)


_NONE = "no_service_manager"
_OTHERWISE = "a hook starts the daemon when it needs one, and `supervisor service show` prints a file for elsewhere"


def start(unit: Unit) -> None:
    """Lets the service manager start the daemon now and at each login. Raises BadInput if it does not."""
    if unit.manager == "systemd":
        _must("systemctl", "--user", "daemon-reload")
        _must("systemctl", "--user", "enable", "--now", unit.path.name)
    else:
        _must("launchctl", "bootstrap", _domain(), str(unit.path))


def stop(manager: Manager) -> None:
    """Ends the daemon and no longer starts it. Raises BadInput if the service manager does not do that."""
    if manager == "systemd":
        if shutil.which("systemctl") and not _run("systemctl", "--user", "show-environment").returncode:
            _must("systemctl", "--user", "disable", "--now", path_of(manager).name)
    elif shutil.which("launchctl") and not _run("launchctl", "print", _label()).returncode:
        _must("launchctl", "bootout", _label())


def forget(manager: Manager) -> None:
    """Lets the service manager notice that the file is gone."""
    if manager == "systemd" and shutil.which("systemctl"):
        _run("systemctl", "--user", "daemon-reload")


def _domain() -> str:
    return f"gui/{os.getuid()}"


def _label() -> str:
    return f"{_domain()}/{NAME}"


def _must(*command: str) -> None:
    ended = _run(*command)
    if ended.returncode:
        why = " ".join(ended.stderr.split()) or f"exit code {ended.returncode}"
        raise BadInput(f"`{' '.join(command)}` has failed: {why}", place=command[0], code="service_failed")


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
