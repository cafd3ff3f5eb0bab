"""A live canary: what a host's own settings do with an action that must be refused."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Collection
from pathlib import Path

from supervisor.adapters.hooks.host import TIMEOUT, Host
from supervisor.adapters.hooks.settings import our_commands, read
from supervisor.errors import SupervisorError

_DEADLY = "rm -rf /"


def sing(host: Host, file: Path, installed: Collection[str]) -> str:
    """Runs the command of a settings file as its host does, with a deadly action; how the refusal came. SupervisorError
    where none came in the form that the host understands, or not for that reason.

    Only a command that is one of those `installed` is run: whoever may write the settings, as an agent may a project's,
    could have put anything there that names our client.
    """
    commands = our_commands(read(file), file)
    if foreign := [event for event, line in commands.items() if line not in installed]:
        told = f"{file} has at {', '.join(foreign)} a command that `supervisor install` did not write; it was not run"
        raise SupervisorError(
            f"{told}: look at it, then `supervisor install {host.name}` replaces it", code="foreign_hook"
        )
    if missing := [event for event in host.events if event not in commands]:
        raise SupervisorError(f"no hook of ours at {', '.join(missing)}; `supervisor install {host.name}` adds it")
    before = next(event for event, moment in host.events.items() if moment == "before")
    started = time.perf_counter()
    ran = _run(commands[before], json.dumps(host.canary(_DEADLY)))
    took = (time.perf_counter() - started) * 1000
    _check(host, ran)
    return f"`{_DEADLY}` was refused in {took:.0f} ms, through {file}"


def _run(command: str, event: str) -> subprocess.CompletedProcess[str]:
    """As hosts do, in a shell. The shell is the hosts' choice; the command is our own, and quoted."""
    shell = ["/bin/sh", "-c", command]
    try:
        return subprocess.run(shell, input=event, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        raise SupervisorError(
            f"the hook has not ended after {TIMEOUT} seconds, when the host runs the action"
        ) from None
    except OSError as error:
        raise SupervisorError(f"/bin/sh cannot be run: {error.strerror}") from None


def _check(host: Host, ran: subprocess.CompletedProcess[str]) -> None:
    said = ran.stderr.strip() or "nothing"
    if ran.returncode == 0:
        raise SupervisorError(f"let `{_DEADLY}` pass; it said {said}", code="canary_passed")
    if ran.returncode != 2:
        raise SupervisorError(f"ended with {ran.returncode}, which the host takes for a yes; it said {said}")
    if "guard_failed" in said:
        raise SupervisorError(f"refuses every action, because the guard itself fails: {said}")
    if '"code":"block:' not in said.replace("\\", ""):
        raise SupervisorError(f"refused, but not for what it was: {said}")
    if ran.stdout and not host.echoes:
        raise SupervisorError(f"writes to stdout beside its refusal, which hosts may take for a yes: {ran.stdout!r}")
