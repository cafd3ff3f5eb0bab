"""`supervisor log` and its verbs."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from supervisor.cli.check import PolicyFile
from supervisor.cli.log.choice import Choice, known_specialist, records_folder
from supervisor.cli.log.listing import Listing, as_json
from supervisor.cli.log.times import FORMS, moment, second_of
from supervisor.cli.output import AsJson, console, counted, print_json, styled
from supervisor.errors import BadInput, BadRecord, NoRecords
from supervisor.intake.files import open_file
from supervisor.records.following import Following
from supervisor.records.newest import Found, newest
from supervisor.records.verify import segment_paths

USUAL = 50  # decisions
PAUSE = 0.5  # seconds between two looks for new records
_PAGE = 1_000  # decisions of a page
_MOST_WHOLE = 5  # decisions at one time that `log show` tells whole

Folder = Annotated[Path | None, typer.Argument(metavar="[PATH]", help="A folder of records; by default the policy's.")]
Since = Annotated[str | None, typer.Option(help=f"Only from then on: {FORMS}.", metavar="TIME")]
Until = Annotated[str | None, typer.Option(help="Only before then.", metavar="TIME")]
SessionName = Annotated[str | None, typer.Option(help="Only sessions whose name begins so.", metavar="NAME")]
Agent = Annotated[str | None, typer.Option(help="Only this agent.", metavar="NAME")]
VerdictName = Annotated[str | None, typer.Option("--verdict", help="Only this verdict.", metavar="VERDICT")]
SpecialistId = Annotated[
    str | None,
    typer.Option("--specialist", help="Only where this one objected, or could not judge.", metavar="ID"),
]
Last = Annotated[int | None, typer.Option("--last", "-n", help=f"How many, the newest ({USUAL}).", min=1)]
Follow = Annotated[bool, typer.Option("--follow", "-f", help="Go on with new decisions as they are made.")]
Page = Annotated[
    Path | None, typer.Option("--html", help=f"Write a page instead ({_PAGE:,} decisions).", metavar="FILE")
]


class _ListsByDefault(TyperGroup):
    """`supervisor log` without a verb of its own lists. A folder named like a verb is written `./show`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args if args and args[0] in self.commands else ["list", *args])


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    log = typer.Typer(cls=_ListsByDefault, help="Show what was decided: `log` lists, `log show ID` tells one whole.")
    log.command("list", epilog="Example: supervisor log --since 2h --verdict block, then: supervisor log show ID")(
        list_decisions
    )
    log.command(
        "show",
        epilog="Example: supervisor log show c3bbce62, or: supervisor log show --at 03:14:09",
    )(show)
    app.add_typer(log, name="log", rich_help_panel="Commands")


def list_decisions(
    path: Folder = None,
    since: Since = None,
    until: Until = None,
    session: SessionName = None,
    agent: Agent = None,
    only: VerdictName = None,
    specialist: SpecialistId = None,
    last: Last = None,
    follow: Follow = False,
    html: Page = None,
    json: AsJson = False,
    policy: PolicyFile = None,
) -> None:
    """Show what was decided, oldest first. `supervisor log show ID` tells all about one decision.

    Exits 1 if there are no records, or some of them cannot be read.
    """
    if html is not None and (follow or json):
        raise BadInput("a page excludes --follow and --json", place="--html", code="usage")
    choice = _choice(since, until, session, agent, only, specialist)
    folder = _with_records(records_folder(path, policy))
    unread: list[BadRecord] = []
    following = Following(folder) if follow else None
    count = last or (_PAGE if html is not None else USUAL)
    ends = following.ends if following else None
    records = newest(folder, count, choice.wants(unread.append), unread.append, since=choice.since, ends=ends)
    if specialist and not records:
        known_specialist(specialist, policy)
    if html is not None:
        _write_page(html, records, choice)
    else:
        show_all = _printer(choice, json=json)
        show_all(records)
        if not follow:
            _tell_rest(len(records), count, choice)
    warn_of(unread, json=json)
    if following is not None:
        _follow(following, choice, show_all, json=json)
    raise typer.Exit(1 if unread else 0)


def show(
    name: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="The beginning of a decision's id, or of its record's address.")
    ] = None,
    path: Folder = None,
    at: Annotated[
        str | None,
        typer.Option(help="What was decided then, or last before then: 03:14:09.", metavar="TIME"),
    ] = None,
    session: SessionName = None,
    agent: Agent = None,
    json: AsJson = False,
    policy: PolicyFile = None,
) -> None:
    """Tell all about one decision: what was proposed, in which session and after what, what each objecting specialist
    said, who could not judge and why, whether a person was asked, what ran, and what came out.

    Exits 1 if there is no such decision.
    """
    if at is not None and name is not None and path is None:
        path, name = Path(name), None
    if (name is None) == (at is None):
        raise BadInput("name a decision, or a time with --at", place="ID", code="usage")
    times = second_of(at, "--at", datetime.now(UTC)) if at else None
    folder, unread = _with_records(records_folder(path, policy)), list[BadRecord]()
    choice = _choice(None, None, session, agent, None, None)
    found = _at(*times, folder, choice, unread) if times else _named(name or "", folder, choice, unread)
    if len(found) > _MOST_WHOLE and not json:
        Listing(choice.scenes).show(found)
        told = counted(len(found), "decision")
        print(f"supervisor: {told} then; `log show ID` tells one of them whole", file=sys.stderr)
    else:
        _tell(folder, found, json=json)
    warn_of(unread, json=json)
    raise typer.Exit(1 if unread else 0)


def _tell(folder: Path, found: list[Found], *, json: bool) -> None:
    from supervisor.cli.log.show import print_story
    from supervisor.cli.log.story import story_of

    for number, each in enumerate(found):
        story = story_of(folder, each, lambda _: None)  # the search has reported what cannot be read
        if json:
            print_json(story.to_json())
        else:
            print_story(story, first=number == 0)


def _choice(
    since: str | None,
    until: str | None,
    session: str | None,
    agent: str | None,
    only: str | None,
    specialist: str | None,
) -> Choice:
    now = datetime.now(UTC)
    times = [moment(each, option, now).isoformat() if each else "" for each, option in _bounds(since, until)]
    return Choice(times[0], times[1], session or "", agent or "", only or "", specialist or "")


def _bounds(since: str | None, until: str | None) -> tuple[tuple[str | None, str], tuple[str | None, str]]:
    return (since, "--since"), (until, "--until")


def _with_records(folder: Path) -> Path:
    """The folder, if it has records. Raises BadRecord or NoRecords."""
    if not segment_paths(folder):
        raise NoRecords("no records there; name the folder that the policy's records.path names", place=str(folder))
    return folder


def _printer(choice: Choice, *, json: bool) -> Callable[[list[Found]], None]:
    def print_lines(records: list[Found]) -> None:
        for each in records:
            as_json(each, choice.scenes)

    return print_lines if json else Listing(choice.scenes).show


def _tell_rest(shown: int, count: int, choice: Choice) -> None:
    """Says on stderr what the list may leave out: standard output is for decisions alone."""
    if shown == count:
        print(f"supervisor: the newest {count:,}; -n shows more", file=sys.stderr)
    elif not shown:
        print("supervisor: no decision matches", file=sys.stderr)


def _follow(following: Following, choice: Choice, show_all: Callable[[list[Found]], None], *, json: bool) -> None:
    """Prints new decisions until the reader leaves or the person at the terminal interrupts."""
    unread: list[BadRecord] = []
    with contextlib.suppress(KeyboardInterrupt):
        sys.stdout.flush()
        for records in following.follow(unread.append, lambda: time.sleep(PAUSE)):
            wanted = choice.wants(unread.append)
            show_all([record for record in records if wanted(record)])
            warn_of(unread, json=json)
            unread.clear()
            sys.stdout.flush()


def _named(name: str, folder: Path, choice: Choice, unread: list[BadRecord]) -> list[Found]:
    """The decision whose id, or whose record's address, begins with a name. Raises BadInput or NoRecords."""
    begin, wants = name.lower(), choice.wants(unread.append)
    if not begin.isalnum():
        raise BadInput("an id has only letters and digits", place="ID")

    def wanted(record: Found) -> bool:
        return wants(record) and (record.predicate["id"].startswith(begin) or record.address.startswith(begin))

    whole = len(begin) >= _WHOLE
    found = newest(folder, 1 if whole else 2, wanted, unread.append)
    if not found:
        raise NoRecords(f"no decision with the id {name!r}; `supervisor log` shows them", place=str(folder))
    if len(found) > 1:
        raise BadInput(f"several decisions begin so, as {found[0].predicate['id']}; give more of it", place=name)
    return found


_WHOLE = 16  # digits of an id that belong to one decision for sure


def _at(begin: datetime, end: datetime, folder: Path, choice: Choice, unread: list[BadRecord]) -> list[Found]:
    """The decisions between two moments, or the last one before. Raises NoRecords."""
    first, last, wants = begin.isoformat(), end.isoformat(), choice.wants(unread.append)
    found = newest(folder, USUAL, lambda record: record.time <= last and wants(record), unread.append)
    if not found:
        raise NoRecords(f"no decision at or before {first[:19]} UTC", place=str(folder))
    return [each for each in found if each.time >= first] or found[-1:]


def _write_page(file: Path, records: list[Found], choice: Choice) -> None:
    from supervisor.cli.log.page import page

    written = page(records, choice.scenes, datetime.now(UTC)).encode("utf-8", "replace")
    with open(open_file(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "wb") as target:  # only its owner may read it
        target.write(written)
    console().print(f"Wrote {styled(str(file), 'bold')}: {len(records):,} decisions.")


def warn_of(unread: list[BadRecord], *, json: bool) -> None:
    """Reports each line that could not be read, since the other output is incomplete without it."""
    for error in sorted(unread, key=_line_of):
        if json:
            print_json({"unreadable": {"place": error.place, "code": error.code, "message": error.message}})
        print(f"supervisor: {error} [{error.code}]", file=sys.stderr)


def _line_of(error: BadRecord) -> tuple[str, int]:
    """The segment and the number of the line: segments are read from their ends."""
    segment, _, number = error.place.rpartition(":")
    return (segment, int(number)) if number.isdecimal() else (error.place, 0)
