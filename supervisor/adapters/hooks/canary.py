"""A live canary: checks that a host's own settings refuse an action that must be refused."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Collection
from pathlib import Path

from supervisor.adapters.hooks.host import TIMEOUT, Host
from supervisor.adapters.hooks.settings import our_commands, read
from supervisor.errors import SupervisorError

_DEADLY = "rm -rf /"


def sing(host: Host, file: Path, installed: Collection[str]) -> str:
    """Runs the command of a settings file as its host does, with a deadly action. Returns a report of the refusal.
    Raises SupervisorError if the action was not refused, in a form that the host understands, for its deadliness.

    Only a command among those `installed` is run: an agent may write a project's settings, and could put any command
    there that names our client.
    """
    commands = our_commands(read(file), file)
    if foreign := [event for event, line in commands.items() if line not in installed]:
        problem = (
            f"{file} has at {', '.join(foreign)} a command that `supervisor install` did not write; it was not run"
        )
        raise SupervisorError(
            f"{problem}: look at it, then `supervisor install {host.name}` replaces it", code="foreign_hook"
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
    """Runs it in a shell, as hosts do. The command is our own, and quoted."""
    shell = ["/bin/sh", "-c", command]
    try:
        return subprocess.run(shell, input=event, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        raise SupervisorError(
            f"the hook has not ended after {TIMEOUT} seconds; then the host runs the action"
        ) from None
    except OSError as error:
        raise SupervisorError(f"/bin/sh cannot be run: {error.strerror}") from None


def _check(host: Host, ran: subprocess.CompletedProcess[str]) -> None:
    stderr = ran.stderr.strip() or "nothing"
    if ran.returncode == 0:
        raise SupervisorError(f"let `{_DEADLY}` pass; its stderr: {stderr}", code="canary_passed")
    if ran.returncode != 2:
        raise SupervisorError(
            f"ended with {ran.returncode}, which allows the action in this host; its stderr: {stderr}"
        )
    if "guard_failed" in stderr:
        raise SupervisorError(f"refuses every action, because the guard itself fails: {stderr}")
    if not re.search('"code":"(?:block|asked):', stderr.replace("\\", "")):  # `asked`: until a person answers
        raise SupervisorError(f"refused the action, but for another reason: {stderr}")
    if ran.stdout and not host.echoes:
        raise SupervisorError(f"writes to stdout beside its refusal, which may allow the action: {ran.stdout!r}")
