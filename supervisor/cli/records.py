"""`supervisor verify`, `replay`: records are verified and replayed."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from supervisor.cli.output import AsJson, console, counted, print_json, styled
from supervisor.errors import BadRecord, NoRecords, SupervisorError

if TYPE_CHECKING:
    from supervisor.engine.replay import Replayed
    from supervisor.records.envelope import Signer
    from supervisor.records.verify import Report

Journal = Annotated[Path, typer.Argument(metavar="PATH", help="A folder of records.")]
_INNER = "SUPERVISOR_REPLAY_PROCESS"


def register(app: typer.Typer) -> None:
    """Adds the verbs."""
    app.command(epilog="Example: supervisor verify records --key trusted.pem")(verify)
    app.command(epilog="Example: supervisor replay records")(replay)


def verify(
    path: Journal,
    key: Annotated[
        Path | None,
        typer.Option(help="Trust only this public key (PEM), not those in the folder.", metavar="FILE"),
    ] = None,
    since: Annotated[
        Path | None,
        typer.Option(help="Compare with an earlier report of `verify --json`, kept elsewhere.", metavar="FILE"),
    ] = None,
    signing_key: Annotated[
        Path | None,
        typer.Option(
            help="Prove with this private key what a killed writer had not signed yet. By default the policy's key.",
            metavar="FILE",
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Find every record that was changed, dropped, swapped or added. Exits 1 if there is one."""
    from supervisor.records.verify import read_report
    from supervisor.records.verify import verify as verify_journal

    earlier = read_report(since) if since else None
    report = verify_journal(path, key, earlier, _signer(signing_key))
    if json:
        print_json(asdict(report))
    else:
        _show_report(report, str(key or "brought by the folder itself"))
    raise typer.Exit(1 if report.problems else 0)


def _signer(named: Path | None) -> Signer | None:
    """The signing key: the named one, else the one of the user's policy if this user can read it. Raises BadRecord if
    the named one does not exist, RecordFailed if it cannot be read."""
    from supervisor.policy import Policy, expanded, own_policy_file, read_policy
    from supervisor.records.envelope import open_signer

    if named is not None:
        if not named.exists():
            raise BadRecord("there is no such file", place=str(named), code="no_key")
        return open_signer(named)
    file = own_policy_file()
    try:
        key = expanded((read_policy(file) if file else Policy()).records.key)
        return open_signer(key) if key.exists() else None
    except (SupervisorError, OSError) as error:  # records verify without it, unless a writer was killed
        print(f"supervisor: verified without the signing key: {error}", file=sys.stderr)
        return None


def _show_report(report: Report, brought: str) -> None:
    out = console()
    for each, style in (*((each, "red") for each in report.problems), *((each, "yellow") for each in report.notes)):
        out.print(f"{styled(each.place, 'bold')}: {styled(each.message, style)} {styled(each.code, 'dim')}")
    problems = counted(len(report.problems), "problem")
    held = styled(problems, "red") if report.problems else styled("all hold", "green")
    out.print(f"{counted(report.records, 'record')} in {counted(report.segments, 'segment')}: {held}")
    keys = f"{', '.join(report.keys)} ({brought})"
    out.print(styled(f"verified with {'key' if len(report.keys) == 1 else 'keys'} {keys}", "dim"))
    if not report.problems:
        out.print(styled(_told_of_signatures(report), "yellow" if report.unsigned else "dim"))
    if report.unsealed:
        out.print(styled(f"{report.unsealed} not sealed: still being written, or its process was killed", "yellow"))
    if report.exposed != 0:
        most = "an unknown number of" if report.exposed is None else f"at most {report.exposed}"
        out.print(styled(f"{most} records may be missing from the ends of segments without a sound head", "yellow"))


def _told_of_signatures(report: Report) -> str:
    """How many records a signature covers, in words."""
    if not report.unsigned:
        return "every record is under a signature: its own, or that of a later record or seal over the chain"
    signed, rest = f"{report.records - report.unsigned:,}", counted(report.unsigned, "record")
    return f"{signed} under a signature; {rest} at the ends of open segments not yet, but the signing key's MACs hold"


def replay(path: Journal, json: AsJson = False) -> None:
    """Run every decision again, offline, in a fresh process.

    Exits 1 if any result differs, if some record cannot be read, or if there are none.
    """
    from supervisor.records.verify import segment_paths

    if not segment_paths(path):
        raise NoRecords("no records there", place=str(path))
    if os.environ.get(_INNER) != "1":
        raise typer.Exit(_in_fresh_process())
    import anyio

    unread: list[BadRecord] = []
    results = anyio.run(_replay_all, path, unread.append)
    if not results and not unread:
        raise NoRecords("no decision among the records there", place=str(path))
    differing = [each for each in results if each.differences or each.missing]
    if json:
        report = {"decisions": len(results), "differing": [asdict(each) for each in differing]}
        print_json(report | {"unreadable": [_unreadable(each) for each in unread]})
    else:
        _show_replay(results, differing)
    _warn_of(unread)
    raise typer.Exit(1 if differing or unread else 0)


def _unreadable(error: BadRecord) -> dict[str, str]:
    return {"place": error.place, "code": error.code, "message": error.message}


def _warn_of(unread: list[BadRecord]) -> None:
    """Reports each line that could not be read, since the other output is incomplete without it."""
    for error in unread:
        print(f"supervisor: {error} [{error.code}]", file=sys.stderr)


def _in_fresh_process() -> int:
    """Runs the same command with another hash seed, so that a dependence on the order of a set becomes visible."""
    from supervisor.engine.workers.fork_client import import_environment, interpreter

    seed = str(int.from_bytes(os.urandom(2)))
    environment = {**import_environment(), _INNER: "1", "PYTHONHASHSEED": seed}
    command = [*interpreter(), "-m", "supervisor", *sys.argv[1:]]
    return subprocess.run(command, env=environment, check=False).returncode


async def _replay_all(path: Path, unread: Callable[[BadRecord], None]) -> list[Replayed]:
    from supervisor.engine.replay import Replayer

    results = []
    spinner = console(error=True).status("running decisions again")
    with spinner as progress, contextlib.closing(Replayer()) as replayer:
        async for each in replayer.replay(path, unread):
            results.append(each)
            if len(results) % 100 == 0:
                progress.update(f"running decisions again: {len(results)}")
    return results


def _show_replay(results: list[Replayed], differing: list[Replayed]) -> None:
    out = console()
    for each in differing:
        out.print(f"{styled(each.place, 'bold')} {styled(each.id, 'dim')} {styled(each.missing, 'red')}")
        for difference in each.differences:
            why = " (its version changed)" if difference.what in each.changed_versions else ""
            out.print(f"  {styled(difference.what + why, 'bold')}")
            out.print(f"    then {styled(str(difference.recorded), 'dim')}")
            out.print(f"    now  {styled(str(difference.replayed), 'red')}")
    same = styled("all the same", "green") if not differing else styled(f"{len(differing)} come out otherwise", "red")
    out.print(f"{counted(len(results), 'decision')} run again: {same}")
