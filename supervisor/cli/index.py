"""`supervisor index`: the database in which decisions and labels are looked up, filled from records."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from supervisor.cli.check import PolicyFile
from supervisor.cli.output import AsJson, console, counted, print_json, styled
from supervisor.errors import BadInput

if TYPE_CHECKING:
    from supervisor.feedback.ingest import Progress, Taken
    from supervisor.feedback.store import Store

URL_VARIABLE = "SUPERVISOR_INDEX_URL"  # a URL with a password does not belong on a command line
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
