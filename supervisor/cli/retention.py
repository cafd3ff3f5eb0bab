"""`supervisor records prune`, `export`: how long records stay here, and where else they go."""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from supervisor.cli.check import PolicyFile
from supervisor.cli.output import AsJson, console, counted, print_json, styled
from supervisor.errors import BadInput, BadRecord

if TYPE_CHECKING:
    from supervisor.policy import Policy
    from supervisor.records.prune import Plan

Folder = Annotated[Path | None, typer.Argument(metavar="[PATH]", help="A folder of records; by default the policy's.")]
_DATE = "2026-10-01, or 2026-10-01T12:00:00+02:00; without an offset it is UTC."


def register(app: typer.Typer) -> None:
    """Adds the verbs."""
    group = typer.Typer(no_args_is_help=True, help="Prune old records, and export records to other programs.")
    group.command(epilog="Example: supervisor records prune --keep-days 90 --why retention")(prune)
    group.command(epilog="Example: supervisor records export --format parquet --to exported/")(export)
    app.add_typer(group, name="records")


def prune(
    path: Folder = None,
    before: Annotated[
        str | None, typer.Option(help=f"Remove segments without a record since then: {_DATE}", metavar="DATE")
    ] = None,
    keep_days: Annotated[
        float | None, typer.Option(help="The same, as a number of days before now.", min=1, metavar="N")
    ] = None,
    why: Annotated[str, typer.Option(help="The reason, which the tombstone states.", metavar="TEXT")] = "",
    with_problems: Annotated[
        bool, typer.Option("--with-problems", help="Prune although `verify` finds problems; the tombstone lists them.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would go.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    policy: PolicyFile = None,
    json: AsJson = False,
) -> None:
    """Remove old segments of records. A signed tombstone says what they were, so that `verify` proves the rest."""
    from supervisor.policy import expanded
    from supervisor.records.envelope import open_signer
    from supervisor.records.prune import LEAST_AGE
    from supervisor.records.prune import prune as prune_journal

    limit, given = _limit(before, keep_days), _policy(policy)
    key = expanded(given.records.key)
    if not key.exists():
        raise BadInput(
            "the key that signs the tombstone is not there; --policy names the policy of these records",
            place=str(key),
            code="signing_key",
        )
    plan = prune_journal(
        path or _usual_folder(given),
        open_signer(key),
        limit,
        by=getpass.getuser(),
        why=why,
        least_age=max(LEAST_AGE, timedelta(seconds=given.approval.valid_for)),
        with_problems=with_problems,
        agreed=_agreeing(dry_run=dry_run, yes=yes, json=json),
    )
    if json:
        print_json(_plan_as_json(plan) | {"dry_run": dry_run})


def _agreeing(*, dry_run: bool, yes: bool, json: bool) -> Callable[[Plan], bool]:
    """Shows the plan, and asks unless it is clear whether to go on."""

    def agreed(plan: Plan) -> bool:
        if not json:
            _show(plan)
        if dry_run or not (plan.tombstone.removed or plan.unfinished):
            return False
        if yes or (sys.stdin is not None and sys.stdin.isatty() and typer.confirm("Remove them for ever?")):
            return True
        raise BadInput("nothing is removed without a confirmation; --yes gives it", code="not_confirmed")

    return agreed


def _show(plan: Plan) -> None:
    out, removed = console(), plan.tombstone.removed
    for each in removed:
        out.print(f"{styled(each.segment, 'bold')} {counted(each.records, 'record')}, {each.size:,} bytes")
    for name, why in sorted(plan.stays.items()):
        out.print(f"{styled(name, 'bold')} stays: {styled(why, 'yellow')}")
    for name in plan.unfinished:
        out.print(f"{styled(name, 'bold')} was left by a pruning that was cut off")
    for problem in plan.tombstone.problems:
        out.print(styled(problem, "red"))
    since = plan.tombstone.before[:16].replace("T", " ")
    if removed:
        total = f"{counted(plan.tombstone.records, 'record')} in {counted(len(removed), 'segment')}"
        out.print(f"{total}, none of them since {since}.")
    else:
        out.print(f"Nothing to prune: no closed segment is without a record since {since}.")


def _plan_as_json(plan: Plan) -> dict[str, object]:
    told = plan.tombstone.to_json()
    return {**told, "stays": plan.stays, "unfinished": list(plan.unfinished)}


def export(
    path: Folder = None,
    form: Annotated[
        Literal["jsonl", "parquet", "syslog"], typer.Option("--format", help="The form of the records.")
    ] = "jsonl",
    to: Annotated[
        str,
        typer.Option(
            help="-, a file, a folder (FOLDER/), s3://BUCKET/PREFIX/, or for syslog udp://HOST:PORT, tcp://HOST:PORT,"
            " unix:PATH.",
        ),
    ] = "-",
    since: Annotated[str | None, typer.Option(help=f"Only records since then: {_DATE}", metavar="DATE")] = None,
    until: Annotated[str | None, typer.Option(help="Only records before then.", metavar="DATE")] = None,
    endpoint: Annotated[
        str | None,
        typer.Option("--s3-endpoint", envvar="AWS_ENDPOINT_URL", help="An S3-compatible store's URL.", metavar="URL"),
    ] = None,
    policy: PolicyFile = None,
    json: AsJson = False,
) -> None:
    """Write records for other programs. `verify` checks signatures; this does not. Exits 1 if some cannot be read."""
    from supervisor.records.export import Destination
    from supervisor.records.export import export as export_rows
    from supervisor.records.rows import Span, rows_of

    if form == "parquet" and to == "-" and sys.stdout.isatty():
        raise BadInput("Parquet is no text for a terminal; name a file", place="--to")
    unread: list[BadRecord] = []
    span = Span(_date(since, "--since") if since else None, _date(until, "--until") if until else None)
    folder = path or _usual_folder(_policy(policy))
    count = export_rows(rows_of(folder, span, unread.append), form, Destination(to, endpoint), sys.stdout.buffer)
    for error in unread:
        print(f"supervisor: {error} [{error.code}]", file=sys.stderr)
    if json and to != "-":
        print_json({"records": count, "to": to, "unreadable": [str(each) for each in unread]})
    elif to != "-":
        console().print(f"Exported {counted(count, 'record')} to {styled(to, 'bold')}.")
    raise typer.Exit(1 if unread else 0)


def _limit(before: str | None, keep_days: float | None) -> datetime:
    if (before is None) == (keep_days is None):
        raise BadInput("say which records go, either with --before DATE or with --keep-days N", place="prune")
    if before is not None:
        return _date(before, "--before")
    try:
        return datetime.now(UTC) - timedelta(days=keep_days or 0)
    except OverflowError:
        raise BadInput("is longer ago than dates reach", place="--keep-days") from None


def _date(text: str, place: str) -> datetime:
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise BadInput(f"{text!r} is no date such as 2026-10-01", place=place) from None
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def _policy(file: Path | None) -> Policy:
    from supervisor.policy import Policy, read_policy

    named = file or os.environ.get("SUPERVISOR_POLICY")
    return read_policy(named) if named else Policy()


def _usual_folder(policy: Policy) -> Path:
    from supervisor.policy import expanded

    if policy.records.path is None:
        raise BadRecord("the policy keeps no records; name a folder", code="no_journal")
    return expanded(policy.records.path)
