"""`supervisor doctor`: checks whether this installation can guard, and names a cure for each problem."""

from __future__ import annotations

import contextlib
import errno
import functools
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import typer

from supervisor.cli.check import PolicyFile
from supervisor.cli.daemon_findings import daemon_findings
from supervisor.cli.door_findings import door_findings
from supervisor.cli.finding import Finding
from supervisor.cli.output import AsJson, console, print_json, styled
from supervisor.cli.unused import without_effect
from supervisor.cli.votes import lost_recently
from supervisor.errors import SupervisorError
from supervisor.policy import OWN_POLICY, Policy, expanded, read_policy

if TYPE_CHECKING:
    from supervisor.adapters.hooks.host import Host
    from supervisor.records.envelope import Signer

_CURES = {
    errno.ENOSPC: "make room on that disk, or change records.path",
    errno.EDQUOT: "raise the quota of this user, or change records.path",
    errno.EROFS: "mount it writable, or change records.path",
    errno.EACCES: "let this user write there, or change records.path",
    errno.EFBIG: "raise the limit on a file's size (ulimit -f)",
    errno.EMFILE: "raise the limit on open files (ulimit -n)",
}


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(epilog="Example: supervisor doctor --policy supervisor.yaml")(doctor)


def doctor(policy: PolicyFile = None, json: AsJson = False) -> None:
    """Check everything that a guard needs, and name a cure for each problem. Exits 1 if something is wrong."""
    findings = [*_installation(), *_deployment(policy), *daemon_findings(policy), *_hosts()]
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
    """supervisord has the same import name; of the two, the one installed last overwrites the other's files."""
    try:
        other = distribution("supervisor")
    except PackageNotFoundError:
        return Finding("import name", "ok", "`supervisor` is this library alone")
    problem = f"supervisord {other.version} is installed too and overwrites the package `supervisor`"
    cure = "pip uninstall supervisor, then reinstall supervisor-guard; run supervisord from its own environment"
    return Finding("import name", "wrong", f"{problem}: {cure}")


def _optional(module: str, extra: str, need: str) -> Finding:
    from importlib.util import find_spec

    if find_spec(module):
        return Finding(module, "ok", "installed")
    return Finding(module, "note", f"not installed; {need} needs pip install 'supervisor-guard[{extra}]'")


def _deployment(policy_file: Path | None) -> Iterator[Finding]:
    from supervisor.cli.allow import exemptions_in

    try:
        policy = read_policy(policy_file) if policy_file else Policy()
        yield Finding(
            "policy",
            "ok",
            str(policy_file) if policy_file else f"the default one; {OWN_POLICY} or SUPERVISOR_POLICY names another",
        )
    except SupervisorError as error:
        yield Finding("policy", "wrong", str(error))
        return
    yield _attempt("catalogue", lambda: _catalogue(policy))
    yield _attempt("records", lambda: _records(policy))
    yield from _key_change(policy)
    yield _attempt("exemptions", lambda: exemptions_in(policy))
    yield _attempt("guard", lambda: _canary(policy))
    yield from (Finding("policy", "note" if each.is_warning else "wrong", str(each)) for each in without_effect(policy))
    yield from door_findings(policy)
    yield from (Finding("votes", level, told) for level, told in lost_recently(policy))


def _hosts() -> Iterator[Finding]:
    """Each host with our hooks in its settings, of this user or of this project, with a live canary."""
    from supervisor.adapters.hooks import HOSTS
    from supervisor.adapters.hooks.settings import our_commands, read
    from supervisor.cli.hooks import settings_file

    for host in HOSTS.values():
        files = [settings_file(host, "user"), settings_file(host, "project")]
        ours = [file for file in dict.fromkeys(files) if our_commands(read(file), file)]
        for file in ours:
            yield _attempt(host.title, functools.partial(_canary_of, host, file))
        if ours and host.note:
            yield Finding(host.title, "note", host.note)
        if not ours and (shutil.which(host.name) or any(file.parent.is_dir() for file in files)):
            yield Finding(host.title, "note", f"not guarded; `supervisor install {host.name}` guards its tools")


def _canary_of(host: Host, file: Path) -> str:
    from supervisor.adapters.hooks.canary import sing
    from supervisor.engine.guard_assets import installed

    return sing(host, file, {line for row in installed() if row["host"] == host.name for line in row["commands"]})


def _attempt(what: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(what, "ok", look())
    except SupervisorError as error:
        return Finding(what, "wrong", str(error))


def _catalogue(policy: Policy) -> str:
    from supervisor.catalog.catalog import counted_in_force, in_force

    started = time.perf_counter()
    in_force(policy)
    took = (time.perf_counter() - started) * 1000
    return f"failure modes: {counted_in_force(policy)}; read in {took:.0f} ms"


def _records(policy: Policy) -> str:
    """Writes a record with the configured key to a temporary folder inside the configured one, reads it back and
    removes it. The deployment's own journal is not touched."""
    from supervisor.errors import RecordFailed
    from supervisor.records.envelope import open_signer

    if policy.records.path is None:
        return "none are kept (records.path)"
    folder = expanded(policy.records.path)
    signer = open_signer(expanded(policy.records.key))
    try:
        with _made(folder), TemporaryDirectory(prefix="doctor-", dir=folder) as probe:
            _record_and_read(Path(probe), signer, sync=policy.records.durability == "sync")
    except OSError as error:
        problem = f"cannot be written: {error.strerror}; {_cure(error)}"
        raise RecordFailed(problem, place=str(folder)) from None
    except RecordFailed as error:
        raise RecordFailed(f"{error.message}; {_cure(error.__cause__)}", place=str(folder)) from None
    return f"{folder}, signed with key {signer.key_id}; a record was written there, read back and verified"


@contextlib.contextmanager
def _made(folder: Path) -> Iterator[None]:
    """Creates the folder for the check alone: a lost folder must not be replaced by an empty one unnoticed."""
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    yield
    if is_new:
        with contextlib.suppress(OSError):  # another process uses it already
            folder.rmdir()


def _cure(error: BaseException | None) -> str:
    number = error.errno if isinstance(error, OSError) else None
    return _CURES.get(number or 0, "change records.path")


def _key_change(policy: Policy) -> Iterator[Finding]:
    """A finding if a key other than the configured one has signed the records so far."""
    from supervisor.records.envelope import open_signer
    from supervisor.records.keys import published_keys
    from supervisor.records.register import read_register

    if policy.records.path is None:
        return
    with contextlib.suppress(SupervisorError, OSError):  # the check of the records or `verify` reports it
        folder, signer = expanded(policy.records.path), open_signer(expanded(policy.records.key))
        register = read_register(folder, published_keys(folder)[0])
        if register and register.key_id != signer.key_id:
            change = f"{signer.key_id}, but records in {folder} were signed by {register.key_id} until now"
            yield Finding("signing key", "note", change)


def _record_and_read(folder: Path, signer: Signer, *, sync: bool) -> None:
    from supervisor.errors import BadRecord, RecordFailed
    from supervisor.history import address_of
    from supervisor.records.journal import Journal
    from supervisor.records.read import read_records
    from supervisor.records.verify import verify

    journal = Journal(folder, signer, sync=sync)
    line = journal.append("probe", {"text": "x" * 3000}, address_of(b""))
    journal.close()
    unread: list[BadRecord] = []
    read = {record.address for record in read_records(folder, unread.append)}
    problems = verify(folder).problems
    if address_of(line) not in read or problems:
        why = [*(each.message for each in unread), *(each.message for each in problems), "it is not there"][0]
        raise RecordFailed(f"a record that was just written does not read back: {why}", place=str(folder.parent))


def _canary(policy: Policy) -> str:
    """A live denial: this installation blocks an action that must be blocked. Its record, and the question if a person
    is asked, go to a temporary folder."""
    from dataclasses import replace

    import anyio

    from supervisor.engine.supervisor import Supervisor

    with TemporaryDirectory(prefix="supervisor-doctor-") as folder:
        records = replace(policy.records, path=f"{folder}/records", key=f"{folder}/key.pem")
        supervisor = Supervisor(replace(policy, records=records))
        try:
            action = supervisor.action("bash", {"command": "rm -rf /"}, "shell")
            decision = anyio.run(supervisor.decide, action)
        finally:
            supervisor.close()
    if decision.allowed:
        raise SupervisorError("let `rm -rf /` pass; check authority and taxonomy.disabled", code="canary_passed")
    how = "a person is asked" if decision.is_asked else decision.verdict.label
    return f"`rm -rf /` was stopped in {decision.elapsed_ms:.1f} ms ({how})"
