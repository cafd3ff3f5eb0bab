"""`supervisor task`: hands out work, and answers for people."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from supervisor.cli.output import AsJson, console, print_json, styled
from supervisor.cli.task_cost import cost
from supervisor.cli.task_morning import morning
from supervisor.cli.task_views import Database, Id, drivers, list_, logs, masked, opened, show
from supervisor.errors import BadInput

if TYPE_CHECKING:
    from supervisor.runtime.store.database import Store
    from supervisor.runtime.store.enqueuing import Enqueue
    from supervisor.runtime.tasks.spec import Driver

_SPAN = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)([smhd])", re.ASCII)
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}

MaxCost = Annotated[
    float | None,
    typer.Option(help="US dollars that it may spend before a person is asked.", min=0, metavar="USD"),
]
MaxTokens = Annotated[
    int | None, typer.Option(help="Tokens that its models may read and write.", min=0, metavar="NUMBER")
]
MaxTreeCost = Annotated[
    float | None, typer.Option(help="US dollars for it and all tasks that it adds.", min=0, metavar="USD")
]
MaxTreeTokens = Annotated[
    int | None, typer.Option(help="Tokens for it and all tasks that it adds.", min=0, metavar="NUMBER")
]
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
    group.command(epilog="Example: supervisor task steer 3f2a 'leave the API as it is'")(steer)
    group.command(epilog="Example: supervisor task cost --days 7")(cost)
    group.command(epilog="Example: supervisor task drivers --json")(drivers)
    group.command(epilog="Example: supervisor task morning --since 8h")(morning)
    app.add_typer(group, name="task")


def add(
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="COMMAND…",
            help="The program and its arguments; no shell reads them. By default the driver's own.",
            show_default=False,
        ),
    ] = None,
    driver: Annotated[
        str, typer.Option(help="How the program is driven; `supervisor task drivers` lists them.", metavar="NAME")
    ] = "shell",
    prompt: Annotated[str, typer.Option(help="What an agent is asked to do.", metavar="TEXT")] = "",
    pty: Annotated[
        bool,
        typer.Option("--pty", help="Give the command a terminal; its needless prompts are answered, the others asked."),
    ] = False,
    title: Annotated[str, typer.Option(help="What it is for. The guard reads it as well.", metavar="TEXT")] = "",
    folder: Annotated[
        Path, typer.Option("--folder", "-C", help="Where it runs.", metavar="DIR", show_default="this folder")
    ] = Path(),
    worktree: Annotated[
        bool, typer.Option("--worktree", help="Run it in a git worktree of its own; its work is kept on a branch.")
    ] = False,
    pool: Annotated[str, typer.Option(help="The workers that may do it.", metavar="NAME")] = "default",
    priority: Annotated[int, typer.Option(help="From 0, the most urgent, to 9.", min=0, max=9)] = 5,
    preemptible: Annotated[
        bool, typer.Option("--preemptible", help="It may be interrupted for a more urgent task, and goes on later.")
    ] = False,
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
    max_cost: MaxCost = None,
    max_tokens: MaxTokens = None,
    max_tree_cost: MaxTreeCost = None,
    max_tree_tokens: MaxTreeTokens = None,
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
    """Add a task: a command or an agent that `supervisor up` runs, again if need be, until it is done.

    Prints its id. With the key of a task that is still open, prints the id of that one.
    """
    from supervisor.policy.spending import Cap
    from supervisor.runtime.store.adding import add as add_task
    from supervisor.runtime.store.queries import full_id
    from supervisor.runtime.tasks.policy import Backoff, FailurePolicy, remedies_of
    from supervisor.runtime.tasks.spec import PROGRAMS, Spec

    now = time.time()
    with opened(database) as store:
        spec = Spec(
            tuple(command) if command else PROGRAMS.get(driver, ()),
            str(folder.absolute()),
            title,
            driver=cast("Driver", driver),
            prompt=prompt,
            pty=pty,
            environment=_variables(env or []),
            worktree=worktree,
            pool=pool,
            priority=priority,
            preemptible=preemptible,
            deadline=now + _span(deadline, "--deadline") if deadline else None,
            timeout=_span(timeout, "--timeout") if timeout else None,
            key=key or None,
            after=tuple(full_id(store, each) for each in after or ()),
            parent=full_id(store, parent) if parent else None,
            policy=FailurePolicy(remedies_of(on_failure), Backoff(first=_span(wait, "--wait"))),
            cap=Cap(max_cost, max_tokens),
            tree_cap=Cap(max_tree_cost, max_tree_tokens),
        )
        added = add_task(store, _queue(store), spec, now)
    if json:
        print_json({"id": added.id, "is_new": added.is_new})
    else:
        console().print(f"{'added' if added.is_new else 'there is'} {styled(added.id, 'bold')}")


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


def answer(
    id: Id,
    given: Annotated[str, typer.Argument(metavar="ANSWER", help="One of those that it offers, or a text.")],
    note: Annotated[str, typer.Option(help="Why, for the agent.", metavar="TEXT")] = "",
    by: Annotated[str, typer.Option(help="Who answers; by default your login name.", metavar="NAME")] = "",
    database: Database = "",
) -> None:
    """Answer the question of a task that waits. Asks at the terminal, where a person must type yes."""
    from supervisor.cli.review import login_name
    from supervisor.cli.terminal import confirm
    from supervisor.runtime.store.changes import answer as answer_task
    from supervisor.runtime.store.changes import check_answer
    from supervisor.runtime.store.queries import full_id
    from supervisor.runtime.store.queries import show as show_task

    with opened(database) as store:
        found = masked(show_task(store, full_id(store, id)))
        asked = [each for each in found["questions"] if each["answered"] is None]
        if not asked:
            raise BadInput(f"is {found['state']}, and asks nothing", place=found["id"], code="no_question")
        check_answer(given, asked[0]["choices"])
        shown = f"{found['id']} {found['title']}\n{' '.join(found['command'])}\n{asked[0]['text']}"
        confirm(shown, f"Type yes to answer {given}:", ("yes",))
        told = (found["id"], given, by or login_name(), time.time())
        answer_task(store, _queue(store), *told, note=note, question=asked[0]["id"])
    console().print(f"{styled(found['id'], 'bold')}: {styled(given, '')}")


def steer(
    id: Id,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What the agent is told.")],
    by: Annotated[str, typer.Option(help="Who says so; by default your login name.", metavar="NAME")] = "",
    database: Database = "",
) -> None:
    """Say something to an agent while it works. Asks at the terminal, where a person must type yes.

    The agent hears it between two calls, or else after its turn; the guard takes it as a part of the task.
    """
    from supervisor.cli.review import login_name
    from supervisor.cli.terminal import confirm
    from supervisor.runtime.drivers.known import STEERABLE
    from supervisor.runtime.store.queries import full_id
    from supervisor.runtime.store.queries import show as show_task
    from supervisor.runtime.store.steering import check_steerable
    from supervisor.runtime.store.steering import steer as steer_task

    with opened(database) as store:
        found = masked(show_task(store, full_id(store, id)))
        check_steerable(found["id"], found["driver"], found["state"], STEERABLE)
        confirm(f"{found['id']} {found['title']}\n{text}", "Type yes to tell the agent:", ("yes",))
        steer_task(store, found["id"], text, by or login_name(), STEERABLE, time.time())
    console().print(f"{styled(found['id'], 'bold')} is told")


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
