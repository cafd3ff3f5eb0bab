"""`supervisor task`: hands out work, and shows what became of it."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from supervisor.cli.output import AsJson, console, one_line, print_json, print_table, styled, table
from supervisor.errors import BadInput
from supervisor.suggestions import choices

if TYPE_CHECKING:
    from supervisor.runtime.store.database import Store
    from supervisor.runtime.store.enqueuing import Enqueue

_SPAN = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)([smhd])", re.ASCII)
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_LOOK = 0.5  # seconds between two looks at a log that grows
COLOURS = {"succeeded": "green", "failed": "red", "waiting": "yellow", "running": "cyan", "cancelled": "dim"}

Database = Annotated[
    str,
    typer.Option(
        "--database",
        help="The database of tasks: sqlite:///FILE, or postgresql://… for many machines.",
        metavar="URL",
        envvar="SUPERVISOR_RUNTIME",
        show_default=False,
    ),
]
Id = Annotated[str, typer.Argument(metavar="TASK", help="The task, by the beginning of its id.")]
Ids = Annotated[list[str], typer.Argument(metavar="TASK…", help="The tasks, by the beginnings of their ids.")]


def register(app: typer.Typer) -> None:
    """Adds the verbs."""
    group = typer.Typer(no_args_is_help=True, help="Hand out work to agents and commands; `supervisor up` does it.")
    group.command(epilog="Example: supervisor task add --worktree --on-failure 'retry*2 escalate' -- make test")(add)
    group.command("list", epilog="Example: supervisor task list --state failed --state waiting")(list_)
    group.command(epilog="Example: supervisor task show 3f2a")(show)
    group.command(epilog="Example: supervisor task cancel 3f2a 77c0")(cancel)
    group.command(epilog="Example: supervisor task retry 3f2a")(retry)
    group.command(epilog="Example: supervisor task logs 3f2a --follow")(logs)
    group.command(epilog="Example: supervisor task answer 3f2a retry")(answer)
    app.add_typer(group, name="task")


def add(
    command: Annotated[
        list[str], typer.Argument(metavar="COMMAND…", help="The program and its arguments; no shell reads them.")
    ],
    title: Annotated[str, typer.Option(help="What it is for. The guard reads it as well.", metavar="TEXT")] = "",
    folder: Annotated[
        Path, typer.Option("--folder", "-C", help="Where it runs.", metavar="DIR", show_default="this folder")
    ] = Path(),
    worktree: Annotated[
        bool, typer.Option("--worktree", help="Run it in a git worktree of its own; its work is kept on a branch.")
    ] = False,
    pool: Annotated[str, typer.Option(help="The workers that may do it.", metavar="NAME")] = "default",
    priority: Annotated[int, typer.Option(help="From 0, the most urgent, to 9.", min=0, max=9)] = 5,
    on_failure: Annotated[
        str,
        typer.Option(
            help="What follows each failure: retry, failover, escalate, fail_parent; retry*2 is twice.", metavar="WORDS"
        ),
    ] = "retry*2",
    wait: Annotated[
        str, typer.Option(help="Before the second attempt; doubled after each failure, at most 5m.", metavar="TIME")
    ] = "5s",
    timeout: Annotated[str, typer.Option(help="For one attempt, such as 30m.", metavar="TIME")] = "",
    deadline: Annotated[str, typer.Option(help="For the task, such as 8h from now.", metavar="TIME")] = "",
    key: Annotated[
        str, typer.Option(help="While a task with this key is open, no second one is added.", metavar="TEXT")
    ] = "",
    after: Annotated[
        list[str] | None, typer.Option(help="A task that has to succeed first; several may be named.", metavar="TASK")
    ] = None,
    parent: Annotated[
        str, typer.Option(help="The task that adds this one.", metavar="TASK", envvar="SUPERVISOR_TASK")
    ] = "",
    env: Annotated[
        list[str] | None, typer.Option(help="A variable for the command; several may be named.", metavar="NAME=VALUE")
    ] = None,
    database: Database = "",
    json: AsJson = False,
) -> None:
    """Add a task: a command that `supervisor up` runs, again if need be, until it is done.

    Prints its id. With the key of a task that is still open, prints the id of that one.
    """
    from supervisor.runtime.store.adding import add as add_task
    from supervisor.runtime.store.queries import full_id
    from supervisor.runtime.tasks.policy import Backoff, FailurePolicy, remedies_of
    from supervisor.runtime.tasks.spec import Spec

    now = time.time()
    with opened(database) as store:
        spec = Spec(
            tuple(command),
            str(folder.absolute()),
            title,
            environment=_variables(env or []),
            worktree=worktree,
            pool=pool,
            priority=priority,
            deadline=now + _span(deadline, "--deadline") if deadline else None,
            timeout=_span(timeout, "--timeout") if timeout else None,
            key=key or None,
            after=tuple(full_id(store, each) for each in after or ()),
            parent=full_id(store, parent) if parent else None,
            policy=FailurePolicy(remedies_of(on_failure), Backoff(first=_span(wait, "--wait"))),
        )
        added = add_task(store, _queue(store), spec, now)
    if json:
        print_json({"id": added.id, "is_new": added.is_new})
    else:
        console().print(f"{'added' if added.is_new else 'there is'} {styled(added.id, 'bold')}")


def list_(
    state: Annotated[
        list[str] | None, typer.Option(help="Only tasks in this state; several may be named.", metavar="STATE")
    ] = None,
    pool: Annotated[str, typer.Option(help="Only tasks of this pool.", metavar="NAME")] = "",
    database: Database = "",
    json: AsJson = False,
) -> None:
    """List tasks, those that were changed last first, and the executors that are alive."""
    from supervisor.runtime.store.queries import counts, list_executors, list_tasks

    with opened(database) as store:
        found = [_masked(each) for each in list_tasks(store, _states(state or []), pool or None)]
        totals, executors = counts(store), list_executors(store)
    if json:
        print_json({"tasks": found, "counts": totals, "executors": executors})
        return
    drawn = table("task", "state", "try", "pool", "title", "why", names=True)
    for each in found:
        why = one_line(each["reason"])
        drawn.add_row(each["id"], state_of(each), str(each["attempt"]), each["pool"], one_line(each["title"]), why)
    if found:
        print_table(drawn)
    told = [f"{number} {name}" for name, number in totals.items()] or ["no tasks"]
    busy = sum(each["active"] for each in executors)
    alive = f"{len(executors)} executors with {busy} attempts" if executors else "no executor: `supervisor up` runs one"
    console().print(f"{', '.join(told)}; {alive}")


def show(id: Id, database: Database = "", json: AsJson = False) -> None:
    """Show a task: how each attempt ended, what it waits for, and what a person is asked."""
    from supervisor.runtime.store.queries import full_id
    from supervisor.runtime.store.queries import show as show_task

    with opened(database) as store:
        found = _masked(show_task(store, full_id(store, id)))
    if json:
        print_json(found)
        return
    out = console()
    out.print(f"{styled(found['id'], 'bold')}  {state_of(found)}  {styled(found['title'], '')}")
    out.print(styled(f"  {' '.join(found['command'])}  in {found['folder']}", "dim"))
    if found["reason"] and found["state"] != "waiting":
        out.print(styled(f"  {found['reason']}", ""))
    for needed in found["after"]:
        out.print(f"  after {styled(needed['id'], '')}, which is {state_of(needed)}")
    for child in found["children"]:
        out.print(f"  has added {styled(child, '')}")
    for attempt in found["attempts"]:
        out.print(_attempt(attempt))
    for question in found["questions"]:
        if question["answered"] is None:
            out.print(f"  {styled(question['text'], 'yellow')}")
            out.print(f"  `supervisor task answer {found['id']}` {' or '.join(question['choices'])}")


def cancel(ids: Ids, database: Database = "") -> None:
    """Cancel tasks with all that they have added. What runs is ended with all of its processes."""
    from supervisor.runtime.store.changes import cancel as cancel_task
    from supervisor.runtime.store.queries import full_id

    with opened(database) as store:
        for id in [full_id(store, each) for each in ids]:
            cancelled = cancel_task(store, id, time.time())
            told = f"cancelled {', '.join(cancelled)}" if cancelled else f"{id} was over already"
            console().print(styled(told, ""))


def retry(ids: Ids, database: Database = "") -> None:
    """Take tasks that have failed, or were cancelled, back to the queue."""
    from supervisor.runtime.store.changes import retry as retry_task
    from supervisor.runtime.store.queries import full_id

    with opened(database) as store:
        for id in [full_id(store, each) for each in ids]:
            retry_task(store, _queue(store), id, time.time())
            console().print(f"queued {styled(id, 'bold')}")


def logs(
    id: Id,
    attempt: Annotated[int | None, typer.Option(help="The number of the attempt, by default the last.", min=1)] = None,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on until the attempt ends.")] = False,
    database: Database = "",
) -> None:
    """Print what an attempt has printed, with secrets masked. The log is on the machine that ran it."""
    from supervisor.runtime.store.queries import full_id
    from supervisor.runtime.store.queries import show as show_task

    with opened(database) as store:
        whole = full_id(store, id)

        def look() -> dict[str, Any]:
            tried = show_task(store, whole)["attempts"]
            found = [each for each in tried if attempt is None or each["number"] == attempt]
            if not found:
                raise BadInput("has no such attempt", place=whole, code="no_attempt")
            return dict(found[-1])

        number = look()["number"]
        _print_log(look, number, follow=follow)


def answer(
    id: Id,
    given: Annotated[str, typer.Argument(metavar="ANSWER", help="retry or give-up.")],
    by: Annotated[str, typer.Option(help="Who answers; by default your login name.", metavar="NAME")] = "",
    database: Database = "",
) -> None:
    """Answer the question of a task that waits. Asks at the terminal, where a person must type yes."""
    from supervisor.cli.review import login_name
    from supervisor.cli.terminal import confirm
    from supervisor.runtime.store.asking import GIVE_UP, RETRY
    from supervisor.runtime.store.changes import answer as answer_task
    from supervisor.runtime.store.queries import full_id
    from supervisor.runtime.store.queries import show as show_task

    if given not in (RETRY, GIVE_UP):
        raise BadInput(f"no answer {given!r}{choices(given, (RETRY, GIVE_UP))}", place="ANSWER", code="usage")
    with opened(database) as store:
        found = _masked(show_task(store, full_id(store, id)))
        asked = [each["text"] for each in found["questions"] if each["answered"] is None]
        if not asked:
            raise BadInput(f"is {found['state']}, and asks nothing", place=found["id"], code="no_question")
        shown = f"{found['id']} {found['title']}\n{' '.join(found['command'])}\n{asked[0]}"
        confirm(shown, f"Type yes to answer {given}:", ("yes",))
        answer_task(store, _queue(store), found["id"], given, by or login_name(), time.time())
    console().print(f"{styled(found['id'], 'bold')}: {given}")


@contextlib.contextmanager
def opened(url: str) -> Iterator[Store]:
    """The database at a URL, or the usual one. Raises NoRuntime."""
    from supervisor.runtime.store.database import USUAL_URL, Store, resolved

    with contextlib.closing(Store(resolved(url or USUAL_URL))) as store:
        yield store


def state_of(task: dict[str, Any]) -> str:
    """A state in its colour."""
    return styled(task["state"], COLOURS.get(task["state"], ""))


def _queue(store: Store) -> Enqueue:
    from supervisor.runtime.execution.engine import Queue, prepare

    prepare(store)
    return Queue(store)


def _span(text: str, option: str) -> float:
    """The seconds in `90s`, `30m`, `8h`, `2d`."""
    match = _SPAN.fullmatch(text.strip().lower())
    if match is None:
        raise BadInput(f"{text[:40]!r} is no length of time; write 90s, 30m, 8h or 2d", place=option, code="bad_time")
    return float(match[1]) * _SECONDS[match[2]]


def _variables(given: list[str]) -> dict[str, str]:
    for each in given:
        if "=" not in each:
            raise BadInput("is not NAME=VALUE", place=each, code="usage")
    return dict(each.split("=", 1) for each in given)


def _states(given: list[str]) -> list[Any]:
    from supervisor.runtime.tasks.states import TaskState

    for each in given:
        if each not in set(TaskState):
            raise BadInput(f"no state {each!r}{choices(each, list(TaskState))}", place="--state", code="usage")
    return [TaskState(each) for each in given]


def _masked(told: dict[str, Any]) -> dict[str, Any]:
    """What people see of a task, without the secrets in its command or in what it says."""
    from supervisor.evidence.secrets import LEAST_SALT, Masker

    return Masker(os.urandom(LEAST_SALT)).mask_output(told)


def _attempt(attempt: dict[str, Any]) -> str:
    began = datetime.fromtimestamp(attempt["started"], UTC).strftime("%Y-%m-%d %H:%M:%S")
    took = f" after {attempt['ended'] - attempt['started']:.0f} s" if attempt["ended"] else ""
    ending = styled(attempt["ending"] or "running", COLOURS.get(attempt["ending"] or "running", "red"))
    why = f": {attempt['reason']}" if attempt["reason"] else ""
    kept = f", kept as {attempt['kept'][:12]}" if attempt["kept"] else ""
    return f"  {attempt['number']}  {began} on {styled(attempt['worker'], '')}  {ending}{took}{styled(why + kept, '')}"


def _print_log(look: Callable[[], dict[str, Any]], number: int, *, follow: bool) -> None:
    """Prints the log of an attempt; with `follow` also what comes until it ends."""
    from supervisor.evidence.secrets import LEAST_SALT, Masker

    masker, file = Masker(os.urandom(LEAST_SALT)), Path(look()["log"])
    if not file.exists():
        raise BadInput("is not on this machine, or nothing was started", place=str(file), code="no_log")
    with file.open("rb") as log:
        while True:
            is_over = bool(look()["ending"]) or look()["number"] != number
            sys.stdout.write(masker.mask_output(log.read().decode(errors="replace")))
            sys.stdout.flush()
            if is_over or not follow:
                return
            time.sleep(_LOOK)
