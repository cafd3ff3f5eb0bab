"""`supervisor doctor`: whether this installation can guard anything, and what to do where it cannot."""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from tempfile import TemporaryFile

import typer

from supervisor.cli.check import PolicyFile
from supervisor.cli.output import AsJson, console, print_json, styled
from supervisor.errors import BadInput, SupervisorError
from supervisor.policy import Policy, read_policy


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at. `level` is `ok`, `note` (works with less) or `wrong` (does not guard)."""

    what: str
    level: str
    told: str


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(epilog="Example: supervisor doctor --policy supervisor.yaml")(doctor)


def doctor(policy: PolicyFile = None, json: AsJson = False) -> None:
    """Look at everything that a guard needs, and say what to do where it lacks. Exits 1 if something is wrong."""
    findings = [*_installation(), *_deployment(policy), _daemon(policy), *_hosts()]
    if json:
        print_json([asdict(finding) for finding in findings])
    else:
        marks = {"ok": styled("✓", "green"), "note": styled("·", "yellow"), "wrong": styled("✗", "red")}
        for finding in findings:
            console().print(f"{marks[finding.level]} {styled(finding.what, 'bold')}: {styled(finding.told, '')}")
    raise typer.Exit(1 if any(finding.level == "wrong" for finding in findings) else 0)


def _installation() -> Iterator[Finding]:
    yield Finding("python", "ok", sys.version.split()[0])
    yield _name_clash()
    for module, extra, need in (("psycopg", "postgres", "a PostgreSQL database"), ("sklearn", "learn", "training")):
        yield _optional(module, extra, need)


def _name_clash() -> Finding:
    """supervisord is installed under the same import name; whichever was installed last wins, file by file."""
    try:
        other = distribution("supervisor")
    except PackageNotFoundError:
        return Finding("import name", "ok", "`supervisor` is this library alone")
    told = f"supervisord {other.version} is installed too and overwrites the package `supervisor`"
    cure = "pip uninstall supervisor, then reinstall supervisor-guard; run supervisord from its own environment"
    return Finding("import name", "wrong", f"{told}: {cure}")


def _optional(module: str, extra: str, need: str) -> Finding:
    from importlib.util import find_spec

    if find_spec(module):
        return Finding(module, "ok", "installed")
    return Finding(module, "note", f"not installed; {need} needs pip install 'supervisor-guard[{extra}]'")


def _deployment(policy_file: Path | None) -> Iterator[Finding]:
    try:
        policy = read_policy(policy_file) if policy_file else Policy()
        yield Finding(
            "policy", "ok", str(policy_file) if policy_file else "the default one; SUPERVISOR_POLICY names another"
        )
    except SupervisorError as error:
        yield Finding("policy", "wrong", str(error))
        return
    yield _attempt("catalogue", lambda: _catalogue(policy))
    yield _attempt("records", lambda: _records(policy))
    yield _attempt("guard", lambda: _canary(policy))
    for door, url in (("database", policy.doors.database.url), ("model", policy.doors.model.url)):
        told = "configured" if url else f"none configured (doors.{door}.url); specialists that need it refuse"
        yield Finding(f"{door} door", "ok" if url else "note", told)


def _daemon(policy_file: Path | None) -> Finding:
    from supervisor.cli.serve import SOCKET, socket_path
    from supervisor.errors import NoDaemon
    from supervisor.remote import Remote

    url = os.environ.get("SUPERVISOR_URL")
    try:
        place = url or f"unix:{socket_path(Path(os.environ.get('SUPERVISOR_SOCKET') or SOCKET))}"
    except BadInput as error:
        return Finding("daemon", "wrong", str(error))
    try:
        with contextlib.closing(Remote.at(place)) as remote:
            health = remote.health()
    except NoDaemon as error:
        told = f"{error}; every guard that asks it refuses" if url else f"none at {place}; a hook starts one"
        return Finding("daemon", "wrong" if url else "note", told)
    if health["status"] != "ok":
        return Finding("daemon", "wrong", f"{place} decides under an old policy: {health.get('problem')}")
    told = f"{place} decides with {health['failure_modes']} failure modes"
    if policy_file and _digest(policy_file) != health["policy"]:
        return Finding("daemon", "note", f"{told}, but not under {policy_file} as it stands; SIGHUP reloads its own")
    return Finding("daemon", "ok", told)


def _digest(policy_file: Path) -> str:
    try:
        return read_policy(policy_file).digest()
    except SupervisorError:  # said already, where the policy is looked at
        return ""


def _hosts() -> Iterator[Finding]:
    """Each host in whose settings we stand, of this user or of this project, with a live canary."""
    from supervisor.cli.hooks import settings_file
    from supervisor.hooks import HOSTS
    from supervisor.hooks.canary import sing
    from supervisor.hooks.settings import our_commands

    for host in HOSTS.values():
        files = [settings_file(host, "user"), settings_file(host, "project")]
        ours = [file for file in dict.fromkeys(files) if file.exists() and our_commands(file.read_text("utf-8"), file)]
        for file in ours:
            yield _attempt(host.title, functools.partial(sing, host, file))
        if ours and host.note:
            yield Finding(host.title, "note", host.note)
        if not ours and (shutil.which(host.name) or any(file.parent.is_dir() for file in files)):
            yield Finding(host.title, "note", f"not guarded; `supervisor install {host.name}` puts us before its tools")


def _attempt(what: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(what, "ok", look())
    except SupervisorError as error:
        return Finding(what, "wrong", str(error))


def _catalogue(policy: Policy) -> str:
    from supervisor.catalog import in_force

    started = time.perf_counter()
    catalog = in_force(policy)
    took = (time.perf_counter() - started) * 1000
    return f"failure modes: {len(catalog.entries)} in force of {len(catalog.known)}, read in {took:.0f} ms"


def _records(policy: Policy) -> str:
    from supervisor.errors import RecordFailed
    from supervisor.records.envelope import open_signer

    if policy.records.path is None:
        return "none are kept (records.path)"
    folder = Path(policy.records.path).expanduser()
    signer = open_signer(Path(policy.records.key).expanduser())
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with TemporaryFile(dir=folder) as probe:
            probe.write(b"probe")
    except OSError as error:
        raise RecordFailed(f"cannot be written: {error.strerror}; change records.path", place=str(folder)) from None
    return f"{folder}, signed with key {signer.key_id}"


def _canary(policy: Policy) -> str:
    """A live denial: what must be blocked is, by the installation as it stands."""
    from dataclasses import replace

    import anyio

    from supervisor.engine import Supervisor

    supervisor = Supervisor(replace(policy, records=replace(policy.records, path=None)))
    try:
        action = supervisor.action("bash", {"command": "rm -rf /"}, "shell")
        decision = anyio.run(supervisor.decide, action)
    finally:
        supervisor.close()
    if decision.allowed:
        raise SupervisorError("let `rm -rf /` pass; look at authority and taxonomy.disabled", code="canary_passed")
    return f"`rm -rf /` was stopped in {decision.elapsed_ms:.1f} ms ({decision.verdict.label})"
