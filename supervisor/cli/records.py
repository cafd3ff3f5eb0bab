"""`supervisor verify`, `replay`, `log`: records are verified, replayed and shown."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from supervisor.cli.output import (
    COLOURS,
    AsJson,
    console,
    counted,
    one_line,
    print_json,
    print_table,
    styled,
    table,
    verdict,
)
from supervisor.decision.exemptions import SHORT
from supervisor.errors import BadInput, BadRecord

if TYPE_CHECKING:
    from rich.text import Text

    from supervisor.engine.replay import Replayed
    from supervisor.records.read import Record
    from supervisor.records.verify import Report

Journal = Annotated[Path, typer.Argument(metavar="PATH", help="A folder of records.")]
_INNER = "SUPERVISOR_REPLAY_PROCESS"


def register(app: typer.Typer) -> None:
    """Adds the verbs."""
    app.command(epilog="Example: supervisor verify records --key trusted.pem")(verify)
    app.command(epilog="Example: supervisor replay records")(replay)
    app.command(epilog="Example: supervisor log records --verdict block --last 20")(log)


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
    json: AsJson = False,
) -> None:
    """Find every record that was changed, dropped, swapped or added. Exits 1 if there is one."""
    from supervisor.records.verify import read_report
    from supervisor.records.verify import verify as verify_journal

    report = verify_journal(path, key, read_report(since) if since else None)
    if json:
        print_json(asdict(report))
    else:
        _show_report(report, str(key or "brought by the folder itself"))
    raise typer.Exit(1 if report.problems else 0)


def _show_report(report: Report, brought: str) -> None:
    out = console()
    for each, style in (*((each, "red") for each in report.problems), *((each, "yellow") for each in report.notes)):
        out.print(f"{styled(each.place, 'bold')}: {styled(each.message, style)} {styled(each.code, 'dim')}")
    problems = counted(len(report.problems), "problem")
    held = styled(problems, "red") if report.problems else styled("all hold", "green")
    out.print(f"{counted(report.records, 'record')} in {counted(report.segments, 'segment')}: {held}")
    keys = f"{', '.join(report.keys)} ({brought})"
    out.print(styled(f"verified with {'key' if len(report.keys) == 1 else 'keys'} {keys}", "dim"))
    if report.unsealed:
        out.print(styled(f"{report.unsealed} not sealed: still being written, or its process was killed", "yellow"))
    if report.exposed != 0:
        most = "an unknown number of" if report.exposed is None else f"at most {report.exposed}"
        out.print(styled(f"{most} records may be missing from the ends of segments without a sound head", "yellow"))


def replay(path: Journal, json: AsJson = False) -> None:
    """Run every decision again, offline, in a fresh process. Exits 1 if any result differs."""
    if os.environ.get(_INNER) != "1":
        raise typer.Exit(_in_fresh_process())
    import anyio

    unread: list[BadRecord] = []
    results = anyio.run(_replay_all, path, unread.append)
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


def log(
    path: Annotated[
        Path | None, typer.Argument(metavar="[PATH]", help="A folder of records; by default the policy's.")
    ] = None,
    only: Annotated[str | None, typer.Option("--verdict", help="Only decisions with this verdict.")] = None,
    session: Annotated[str | None, typer.Option(help="Only this session.")] = None,
    last: Annotated[int, typer.Option(help="How many, counted from the newest.", min=1)] = 50,
    json: AsJson = False,
) -> None:
    """Show what was decided, oldest first."""
    if only not in (None, *COLOURS):
        raise BadInput(f"no verdict {only!r}; there are {', '.join(COLOURS)}", place="--verdict")
    unread: list[BadRecord] = []
    records = [
        record
        for record in _decisions(path or _usual_folder(), unread.append)
        if only in (None, record.predicate["decision"]["verdict"]) and session in (None, record.predicate["session"])
    ]
    records = sorted(records, key=lambda record: str(record.predicate["time"]))[-last:]
    if json:
        for record in records:
            print_json({"record": record.address, "place": record.place, "kind": record.kind, **record.predicate})
        for error in unread:
            print_json({"unreadable": _unreadable(error)})
    else:
        _show_log(records)
    _warn_of(unread)
    raise typer.Exit(1 if unread else 0)


def _show_log(records: list[Record]) -> None:
    drawn = table("time", "session", "action", "verdict", "by", names=True)
    for record in records:
        decision = record.predicate["decision"]
        session_name = one_line((record.predicate["session"] or "")[:8])
        state = record.predicate.get("approval", {}).get("state", "")
        lifted = {str(each.get("id"))[:SHORT] for each in record.predicate.get("exemptions", {}).values()}
        told = ", ".join([state, *(f"allowed by {id}" for id in sorted(lifted))]) if lifted else state
        by = one_line(", ".join(decision["by"]) + (f" ({told.removeprefix(', ')})" if told else ""))
        when = record.predicate["time"][:19].replace("T", " ")
        drawn.add_row(styled(when, "dim"), session_name, _action(record), verdict(decision["verdict"]), by)
    print_table(drawn)


def _decisions(path: Path, unread: Callable[[BadRecord], None]) -> Iterator[Record]:
    from supervisor.records.read import read_records

    for record in read_records(path, unread):
        if record.kind not in ("decision", "outcome"):
            continue
        if _is_decision(record.predicate):
            yield record
        else:
            unread(BadRecord("the record has no decision", place=record.place, code="not_a_decision"))


def _is_decision(predicate: dict[str, Any]) -> bool:
    """Whether a record has the parts that are shown: any program can write a line, signed or not."""
    try:
        texts = (
            predicate["time"],
            predicate["session"] or "",
            predicate["action"]["tool"],
            *predicate["decision"]["by"],
        )
        is_whole = predicate["decision"]["verdict"] in COLOURS and isinstance(predicate["action"]["args"], dict)
        return (
            is_whole
            and all(isinstance(each, str) for each in texts)
            and isinstance(predicate.get("approval", {}), dict)
            and isinstance(lifted := predicate.get("exemptions", {}), dict)
            and all(isinstance(each, dict) for each in lifted.values())
        )
    except (KeyError, TypeError):
        return False


def _action(record: Record) -> Text:
    action: dict[str, Any] = record.predicate["action"]
    values = " ".join(str(value) for value in action["args"].values())
    ran = " (after it ran)" if record.kind == "outcome" else ""
    return one_line(f"{action['tool']}{ran} {values}"[:1000])


def _usual_folder() -> Path:
    from supervisor.policy import Policy, own_policy_file, read_policy

    named = own_policy_file()
    path = (read_policy(named) if named else Policy()).records.path
    if path is None:
        raise BadRecord("the policy keeps no records; name a folder", code="no_journal")
    return Path(path).expanduser()
