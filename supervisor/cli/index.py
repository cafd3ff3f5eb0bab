"""`supervisor index`: the database in which decisions and labels are looked up, filled from records."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from supervisor.cli.check import PolicyFile
from supervisor.cli.output import AsJson, console, counted, print_json, styled, verdict
from supervisor.errors import BadInput

if TYPE_CHECKING:
    from supervisor.feedback.ingest import Progress, Taken
    from supervisor.feedback.items import Objection
    from supervisor.feedback.store import Store

URL_VARIABLE = "SUPERVISOR_INDEX_URL"  # a URL with a password does not belong on a command line
_WORDS = 100  # characters of the user's words
Folders = Annotated[
    list[Path] | None,
    typer.Option(
        "--records", help="A folder of records; several may be named. By default the policy's.", metavar="DIR"
    ),
]
Url = Annotated[
    str,
    typer.Option(
        help="The database, by default a file beside the first folder; postgresql://… for many machines.",
        metavar="URL",
        envvar=URL_VARIABLE,
        show_default=False,
    ),
]


def register(app: typer.Typer) -> None:
    """Adds the verb and its subcommands."""
    group = typer.Typer(no_args_is_help=True, help="Keep the index: decisions and labels in a database, for queries.")
    group.command(epilog="Example: supervisor index rebuild --records machine-1 --records machine-2")(rebuild)
    group.command(epilog="Example: supervisor index update --url postgresql://reviews@db/supervisor")(update)
    group.command(epilog="Example: supervisor index status --json")(status)
    group.command(epilog="Example: supervisor index feedback force_push_to_shared_branch --json")(feedback)
    app.add_typer(group, name="index")


def rebuild(
    records: Folders = None,
    url: Url = "",
    drop_others: Annotated[
        bool, typer.Option("--drop-others", help="Also drop what comes from folders that are not named.")
    ] = False,
    policy: PolicyFile = None,
    json: AsJson = False,
) -> None:
    """Empty the index and fill it anew from records. Goes on with one that was cut off.

    Exits 1 if something does not verify: that is reported and left out.
    """
    from supervisor.feedback import ingest

    def run(store: Store, folders: list[Path], progress: Progress) -> Taken:
        return ingest.rebuild(store, folders, progress, drop_others=drop_others)

    _fill(run, records, url, policy, json=json)


def update(records: Folders = None, url: Url = "", policy: PolicyFile = None, json: AsJson = False) -> None:
    """Add what was recorded since the last update. Only records that verify are taken.

    Exits 1 if something does not verify: that is reported and left out.
    """
    from supervisor.feedback import ingest

    _fill(ingest.update, records, url, policy, json=json)


def status(records: Folders = None, url: Url = "", policy: PolicyFile = None, json: AsJson = False) -> None:
    """Show what the index has, and how much of the records it lacks. Exits 1 if it lacks some."""
    from supervisor.feedback.state import state_of

    folders = _folders(records, policy)
    with opened(url, folders[0]) as store, store.reading() as connection:
        found = state_of(connection, folders)
    if json:
        print_json({"url": store.place, **found.to_json()})
    else:
        out = console()
        out.print(f"{styled(store.place, 'bold')}")
        out.print(", ".join(counted(number, name.rstrip("s")) for name, number in found.counts.items()))
        behind = f"{found.behind_bytes:,} bytes of records are not in it yet; `supervisor index update` adds them"
        out.print(styled(behind, "yellow") if found.behind_bytes else styled("it has all records", "green"))
        if found.is_rebuilding:
            out.print(styled("a rebuild was cut off; `supervisor index rebuild` goes on", "yellow"))
    raise typer.Exit(1 if found.behind_bytes or found.is_rebuilding else 0)


def feedback(
    specialist: Annotated[str, typer.Argument(help="A failure mode, as `supervisor list` names it.")],
    last: Annotated[int, typer.Option("--last", "-n", help="How many, the newest.", min=1, max=100_000)] = 50,
    records: Folders = None,
    url: Url = "",
    policy: PolicyFile = None,
    json: AsJson = False,
) -> None:
    """Show the feedback log of one specialist, after an update: what it objected to, the user's words before it, the
    correction, whether the agent heeded it, and what people said."""
    from supervisor.feedback import ingest
    from supervisor.feedback.queries import objections_of

    folders = _folders(records, policy)
    with opened(url, folders[0]) as store:
        taken = ingest.update(store, folders)
        with store.reading() as connection:
            found = objections_of(connection, specialist, last)
    for each in found:
        seen = _recorded(each, folders)
        if json:
            said = {"verdict": each.verdict, "reason": each.reason, "heeded": each.heeded, "label": each.label}
            print_json({**each.item.to_json(), **said, **seen, "said": list(each.said)})
        else:
            _show_objection(each, seen)
    if not json:
        console().print(styled(f"{counted(len(found), 'objection')} of {specialist}", "dim"))
    _report(taken)


def _recorded(objection: Objection, folders: list[Path]) -> dict[str, Any]:
    """The task, the whole action and the correction, from the record: empty if it is in none of the folders."""
    from supervisor.records.located import located

    item = objection.item
    stored = (located(folder, item.record, datetime.fromisoformat(item.time)) for folder in folders)
    record = next((each.record for each in stored if each is not None), None)
    if record is None:
        return {"task": None, "action": None, "correction": ""}
    own = (each for each in record.predicate["opinions"] if each["specialist"] == objection.specialist)
    correction = next((str(each.get("correction", "")) for each in own), "")
    task = record.content(record.predicate["scene"])["task"]
    return {"task": task, "action": record.predicate["action"], "correction": correction}


def _show_objection(each: Objection, seen: dict[str, Any]) -> None:
    out, item = console(), each.item
    after = "" if each.heeded == "unknown" else f"; {each.heeded}"
    judged = "".join(
        f"; {said['by']}: {said['word'].replace('_', ' ')} {said['verdict']}".rstrip() for said in each.said
    )
    out.print(f"{verdict(each.verdict)} {item.time[:16]} {styled(item.summary, '')}")
    if task := " ".join((seen["task"] or "").split()):
        out.print(f"  {styled(f'after the words “{task[:_WORDS]}”', 'dim')}")
    out.print(f"  {styled(f'{each.reason}{after}{judged}', 'dim')}")
    if seen["correction"]:
        out.print(f"  {styled(seen['correction'], 'dim')}")


def index_url() -> str:
    """The database that the environment names; "" for the usual one."""
    return os.environ.get(URL_VARIABLE, "")


@contextlib.contextmanager
def opened(url: str, folder: Path) -> Iterator[Store]:
    """The index at a URL, or the usual one of a folder of records. Raises NoIndex."""
    from supervisor.feedback.store import Store, usual_place

    with contextlib.closing(Store(url or usual_place(folder))) as store:
        yield store


def _fill(
    run: Callable[[Store, list[Path], Progress], Taken],
    records: list[Path] | None,
    url: str,
    policy: Path | None,
    *,
    json: bool,
) -> None:
    folders = _folders(records, policy)
    spinner = console(error=True).status("reading records")
    with opened(url, folders[0]) as store:
        with spinner as shown:
            taken = run(store, folders, lambda so_far: shown.update(f"reading records: {so_far.records:,}"))
        if json:
            print_json(_to_json(store, taken))
        else:
            told = f"{counted(taken.records, 'record')} from {counted(taken.segments, 'segment')}"
            console().print(f"added {styled(told, 'bold')} to {styled(store.place, '')}")
    _report(taken)


def _report(taken: Taken) -> NoReturn:
    """Tells what does not verify. Exits 1 if there is something."""
    for error in taken.unread:
        console(error=True).print(styled(f"supervisor: {error} [{error.code}]; not taken", ""))
    raise typer.Exit(1 if taken.unread else 0)


def _to_json(store: Store, taken: Taken) -> dict[str, Any]:
    unread = [{"place": each.place, "code": each.code, "message": each.message} for each in taken.unread]
    return {"url": store.place, "segments": taken.segments, "records": taken.records, "unreadable": unread}


def _folders(records: list[Path] | None, policy: Path | None) -> list[Path]:
    """The folders that are named, or else the policy's. Raises BadInput for one that is not there."""
    from supervisor.cli.deployment import Deployment

    folders = records or [Deployment.of(policy).records]
    for folder in folders:
        if not folder.is_dir():
            raise BadInput("is not a folder of records", place=str(folder), code="no_journal")
    return folders
