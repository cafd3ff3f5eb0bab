"""What people see of tasks: `supervisor task list`, `show`, `logs` and `drivers`."""

from __future__ import annotations

import contextlib
import os
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
    from supervisor.runtime.tasks.caps import Sum

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


def list_(
    state: Annotated[
        list[str] | None, typer.Option(help="Only tasks in this state; several may be named.", metavar="STATE")
    ] = None,
    pool: Annotated[str, typer.Option(help="Only tasks of this pool.", metavar="NAME")] = "",
    database: Database = "",
    json: AsJson = False,
) -> None:
    """List tasks, those that were changed last first, and the executors that are alive."""
    from supervisor.runtime.store.ledger import spent_by_task
    from supervisor.runtime.store.queries import counts, list_executors, list_tasks

    with opened(database) as store:
        found = [masked(each) for each in list_tasks(store, _states(state or []), pool or None)]
        totals, executors = counts(store), list_executors(store)
        spent = spent_by_task(store)
    for each in found:
        each["spent"] = spent_json(spent.get(each["id"]))
    if json:
        print_json({"tasks": found, "counts": totals, "executors": executors})
        return
    drawn = table("task", "state", "try", "pool", "spent", "title", "why", names=True)
    for each in found:
        about = (str(each["attempt"]), each["pool"], spent_told(spent.get(each["id"])), one_line(each["title"]))
        drawn.add_row(each["id"], state_of(each), *about, one_line(each["reason"]))
    if found:
        print_table(drawn)
    told = [f"{number} {name}" for name, number in totals.items()] or ["no tasks"]
    busy = sum(each["active"] for each in executors)
    alive = f"{len(executors)} executors with {busy} attempts" if executors else "no executor: `supervisor up` runs one"
    console().print(f"{', '.join(told)}; {alive}")


def show(id: Id, database: Database = "", json: AsJson = False) -> None:
    """Show a task: how each attempt ended, what it has spent, what it waits for, and what a person is asked."""
    from supervisor.runtime.store.ledger import spent_by_attempt, spent_by_task, spent_in_tree
    from supervisor.runtime.store.queries import full_id
    from supervisor.runtime.store.queries import show as show_task

    with opened(database) as store:
        found = masked(show_task(store, full_id(store, id)))
        spent, by_attempt = spent_by_task(store, [found["id"]]).get(found["id"]), spent_by_attempt(store, found["id"])
        in_tree = spent_in_tree(store, found["id"])
    for attempt in found["attempts"]:
        attempt["spent"] = spent_json(by_attempt.get(attempt["number"]))
    if json:
        print_json({**found, "spent": spent_json(spent), "tree_spent": spent_json(in_tree)})
        return
    out = console()
    out.print(f"{styled(found['id'], 'bold')}  {state_of(found)}  {styled(found['title'], '')}")
    out.print(styled(f"  {' '.join(found['command'])}  in {found['folder']}", "dim"))
    if found["prompt"]:
        out.print(styled(f"  {one_line(found['prompt'])}", "dim"))
    if found["preemptible"]:
        out.print(styled(f"  priority {found['priority']}; it gives way to more urgent tasks", "dim"))
    if found["reason"] and found["state"] != "waiting":
        out.print(styled(f"  {found['reason']}", ""))
    for needed in found["after"]:
        out.print(f"  after {styled(needed['id'], '')}, which is {state_of(needed)}")
    for child in found["children"]:
        out.print(f"  has added {styled(child, '')}")
    if in_tree.tokens:
        whole = f"; {spent_told(in_tree)} with all that it has added" if found["children"] else ""
        out.print(f"  spent {styled(spent_told(spent) or 'nothing', '')}{styled(whole, '')}")
    for attempt in found["attempts"]:
        out.print(_attempt(attempt, by_attempt.get(attempt["number"])))
    for said in found["messages"]:
        heard = "" if said["heard"] else " (not heard yet)"
        out.print(f"  {styled(said['by'], '')} has said{heard}: {one_line(said['text'])}")
    for question in found["questions"]:
        if question["answered"] is None:
            out.print(f"  {styled(question['text'], 'yellow')}")
            offered = " or ".join(question["choices"]) or "your answer"
            out.print(f"  `supervisor task answer {found['id']}` {offered}")


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


def drivers(json: AsJson = False) -> None:
    """List the drivers: what each can do with its agent."""
    from dataclasses import asdict, fields

    from supervisor.runtime.drivers.driver import Capabilities
    from supervisor.runtime.drivers.known import CAPABILITIES

    if json:
        print_json({name: asdict(can) for name, can in CAPABILITIES.items()})
        return
    columns = [field.name for field in fields(Capabilities)]
    drawn = table("driver", *columns, names=True)
    for name, can in CAPABILITIES.items():
        drawn.add_row(name, *("yes" if getattr(can, each) else "" for each in columns))
    print_table(drawn)


@contextlib.contextmanager
def opened(url: str) -> Iterator[Store]:
    """The database at a URL, or the usual one. Raises NoRuntime."""
    from supervisor.runtime.store.database import USUAL_URL, Store, resolved

    with contextlib.closing(Store(resolved(url or USUAL_URL))) as store:
        yield store


def state_of(task: dict[str, Any]) -> str:
    """A state in its colour."""
    return styled(task["state"], COLOURS.get(task["state"], ""))


def masked(told: dict[str, Any]) -> dict[str, Any]:
    """What people see of a task, without the secrets in its command or in what it says."""
    from supervisor.evidence.secrets import LEAST_SALT, Masker

    return Masker(os.urandom(LEAST_SALT)).mask_output(told)


def _states(given: list[str]) -> list[Any]:
    from supervisor.runtime.tasks.states import TaskState

    for each in given:
        if each not in set(TaskState):
            raise BadInput(f"no state {each!r}{choices(each, list(TaskState))}", place="--state", code="usage")
    return [TaskState(each) for each in given]


def spent_json(spent: Sum | None) -> dict[str, Any]:
    """A sum as plain values. `unpriced` are the models whose price is not known: the dollars are without them."""
    from supervisor.runtime.tasks.caps import Sum

    found = spent or Sum()
    return {"tokens": found.tokens, "dollars": found.dollars, "unpriced": list(found.unpriced)}


def spent_told(spent: Sum | None) -> str:
    """A sum for people; empty if nothing was spent."""
    from supervisor.runtime.tasks.caps import told

    return told(spent) if spent is not None and spent.tokens else ""


def _attempt(attempt: dict[str, Any], spent: Sum | None) -> str:
    began = datetime.fromtimestamp(attempt["started"], UTC).strftime("%Y-%m-%d %H:%M:%S")
    took = f" after {attempt['ended'] - attempt['started']:.0f} s" if attempt["ended"] else ""
    ending = styled(attempt["ending"] or "running", COLOURS.get(attempt["ending"] or "running", "red"))
    why = f": {attempt['reason']}" if attempt["reason"] else ""
    kept = f", kept as {attempt['kept'][:12]}" if attempt["kept"] else ""
    told = why + kept + (f"; {spent_told(spent)}" if spent is not None and spent.tokens else _said(attempt))
    return f"  {attempt['number']}  {began} on {styled(attempt['worker'], '')}  {ending}{took}{styled(told, '')}"


def _said(attempt: dict[str, Any]) -> str:
    """What its agent has said that an attempt has spent, where nothing was counted meanwhile."""
    if attempt["input_tokens"] is None:
        return ""
    money = "" if attempt["cost"] is None else f", ${attempt['cost']:.4f}"
    return f"; {attempt['input_tokens']:,} tokens read, {attempt['output_tokens']:,} written{money}"


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
