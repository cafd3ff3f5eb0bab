"""The running daemon, as `supervisor doctor` finds it: its version, its records, and the policy of each host."""

from __future__ import annotations

import contextlib
import os
import shlex
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.cli.finding import Finding
from supervisor.errors import BadInput, NoDaemon, SupervisorError
from supervisor.policy import Policy, expanded, read_policy
from supervisor.version import VERSION

if TYPE_CHECKING:
    from supervisor.engine.remote.client import Remote

_MODES = ("closed", "open", "observe")
_FOLLOWS = 3.0  # seconds in which a daemon follows an edit, even on a busy machine


def daemon_findings(policy_file: Path | None) -> Iterator[Finding]:
    """What is found at SUPERVISOR_URL, else at the socket."""
    from supervisor.cli.serve import SOCKET, socket_path
    from supervisor.engine.remote.client import Remote

    url = os.environ.get("SUPERVISOR_URL")
    try:
        place = url or f"unix:{socket_path(Path(os.environ.get('SUPERVISOR_SOCKET') or SOCKET))}"
        with contextlib.closing(Remote.at(place)) as remote:
            yield _of_daemon(remote, place, policy_file)
            if place.startswith("unix:"):
                yield from _of_hosts(remote)
    except BadInput as error:
        yield Finding("daemon", "wrong", str(error))
    except NoDaemon as error:
        problem = f"{error}; every guard that asks it refuses" if url else f"none at {place}; a hook starts one"
        yield Finding("daemon", "wrong" if url else "note", problem)


def _of_daemon(remote: Remote, place: str, policy_file: Path | None) -> Finding:
    health = remote.health()
    if health.get("version") != VERSION:
        problem = f"{place} is version {health.get('version')}, and this is {VERSION}"
        return Finding("daemon", "wrong", f"{problem}; `supervisor stop` ends it, and a hook starts this one")
    found = remote.status()
    problems = [each["problem"] for each in (*found["policies"], *found["unusable"]) if each["problem"]]
    if problems or found["upgrade"]:
        told = "; ".join([*problems, *filter(None, [found["upgrade"]])])
        return Finding("daemon", "wrong", f"{place} has not followed an edit or an upgrade: {told}")
    if lost := _lost(policy_file, health):
        return Finding("daemon", "wrong", f"{place} {lost}")
    state = f"{place} decides with {health['failure_modes']} failure modes under {_named(found['files'])}"
    if policy_file and str(policy_file.absolute()) not in found["files"]:
        note = f"{state}, not under {policy_file}; `supervisor serve --policy` or `supervisor install` names it"
        return Finding("daemon", "note", note)
    if not _follows(remote, found):
        return Finding("daemon", "wrong", f"{state}, in an earlier version; `supervisor reload` says why")
    return Finding("daemon", "ok", state)


def _of_hosts(remote: Remote) -> Iterator[Finding]:
    """The policy that holds for each host here: for the hooks in this user's settings, and in this project's."""
    from supervisor.adapters.hooks import HOSTS
    from supervisor.adapters.hooks.settings import our_commands, read
    from supervisor.cli.hooks import settings_file

    for host in HOSTS.values():
        for file in dict.fromkeys((settings_file(host, "user"), settings_file(host, "project"))):
            try:
                lines = our_commands(read(file), file).values()
                for policy in dict.fromkeys(map(_policy_in, lines)):
                    yield _of_hook(remote, host.name, file, policy)
            except BadInput as error:
                yield Finding(f"{host.title}'s policy", "wrong", str(error))


def _of_hook(remote: Remote, host: str, file: Path, policy: str | None) -> Finding:
    what, found = f"{host}'s policy", remote.status(host, policy)
    state = f"{_named(found['files'])} for the hooks in {file}"
    for each in found["unusable"]:
        if policy in (each["user"], each["project"]):
            return Finding(what, "wrong", f"every action is refused: {each['problem']}")
    ruling = next(each for each in found["policies"] if _files(each) == found["files"])
    if not _follows(remote, found, host, policy):
        return Finding(what, "wrong", f"{state}, in an earlier version; `supervisor reload` says why")
    if ruling["ignored"]:
        reason = "a project's policy can only make yours stricter; `projects.may_loosen` of yours trusts it"
        return Finding(what, "note", f"{state}; without effect: {', '.join(ruling['ignored'])} ({reason})")
    return Finding(what, "ok", state)


def _follows(remote: Remote, found: dict[str, Any], host: str = "", policy: str | None = None) -> bool:
    """Whether the daemon has the policy that its files contain now, or will have it in a moment."""
    from supervisor.service.policies import Policies, read_policies

    deadline = time.monotonic() + _FOLLOWS
    while True:
        ruling = next(each for each in found["policies"] if _files(each) == found["files"])
        try:
            if read_policies(Policies(ruling["user"], ruling["project"])).policy.digest() == found["policy"]:
                return True
        except SupervisorError:  # it cannot be read, so it was edited
            pass
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)
        found = remote.status(host, policy)


def _policy_in(command: str) -> str | None:
    """The policy that a hook's command names, if any: it follows the mode and the seconds."""
    try:
        words = shlex.split(command.removesuffix(" || exit 2"))
    except ValueError:  # `install` did not write it, and the canary reports it
        return None
    place = next((number for number, word in enumerate(words) if word in _MODES), len(words))
    rest = [word for word in words[place + 1 :] if not word.isdecimal()]
    return rest[0] if rest else None


def _files(ruling: dict[str, Any]) -> list[str]:
    return [file for file in (ruling["user"], ruling["project"]) if file]


def _named(files: list[str]) -> str:
    return " and ".join(files) or "the default policy"


def _lost(policy_file: Path | None, health: dict[str, Any]) -> str:
    """The problem of a daemon's records, or "": they are not where it wrote them, or not where its policy (read here
    as well) expects them."""
    recording = health.get("records", {})
    if recording.get("problem"):
        return f"has lost records: {recording['problem']}; restore the folder, and run `supervisor verify`"
    policy = _policy_of(policy_file)
    if policy is None or policy.digest() != health["policy"] or policy.records.path is None:
        return ""
    folder = expanded(policy.records.path)
    try:
        found = os.stat(folder)
    except OSError as error:
        return f"writes records that are not at {folder}: {error.strerror}" if recording.get("folder") else ""
    if recording.get("folder") in ("", None, f"{found.st_dev}:{found.st_ino}"):
        return ""
    return f"writes records to a folder other than {folder} here: a mount, a container or a swap hides one of them"


def _policy_of(policy_file: Path | None) -> Policy | None:
    try:
        return read_policy(policy_file) if policy_file else Policy()
    except SupervisorError:  # the check of the policy reports it
        return None
