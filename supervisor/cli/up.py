"""`supervisor up`: runs tasks."""

from __future__ import annotations

import contextlib
import logging
import re
import signal
import socket
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from supervisor.cli.check import PolicyFile
from supervisor.cli.output import console, styled
from supervisor.cli.task_views import Database, opened
from supervisor.cli.tasks_api import PROGRAMS_TOKEN, ProgramsToken, people_token, served_beside
from supervisor.errors import BadInput

if TYPE_CHECKING:
    from supervisor.runtime.store.database import Store

_LOGS, _WORKTREES = Path("~/.local/state/supervisor/logs"), Path("~/.local/share/supervisor/worktrees")
_LOOK = 0.5  # seconds between two looks whether anything is left to do
_LEAST_LEASE = 1.0  # seconds
_LONGEST_NAME = 40


def register(app: typer.Typer) -> None:
    """Adds the verb."""
    app.command(epilog="Example: supervisor up --slots 8")(up)


def up(
    pool: Annotated[str, typer.Option(help="The pool whose tasks it does.", metavar="NAME")] = "default",
    slots: Annotated[int, typer.Option(help="Attempts at a time, of each executor of this pool.", min=1, max=1000)] = 4,
    name: Annotated[
        str, typer.Option(help="Its name, by default that of this machine. A failover goes to another name.")
    ] = "",
    lease: Annotated[
        float, typer.Option(help="After so many seconds without a sign of life, others take over its work.")
    ] = 15.0,
    logs: Annotated[Path, typer.Option(help="The folder of what commands print.", metavar="DIR")] = _LOGS,
    worktrees: Annotated[Path, typer.Option(help="The folder of worktrees.", metavar="DIR")] = _WORKTREES,
    unhooked: Annotated[
        bool, typer.Option("--unhooked", help="Also start agents on which the guard's hooks are not installed.")
    ] = False,
    until_idle: Annotated[
        bool, typer.Option("--until-idle", help="End when no task of the pool is queued or running.")
    ] = False,
    serve: Annotated[
        bool, typer.Option("--serve", help="Also serve the API of tasks, on 127.0.0.1, port 8652 or that of --port.")
    ] = False,
    port: Annotated[int | None, typer.Option(help="With --serve: the port.", min=0, max=65535)] = None,
    token: Annotated[
        Path | None, typer.Option("--token", help="With --serve: the file with the token of people.", metavar="FILE")
    ] = None,
    tasks_token: ProgramsToken = PROGRAMS_TOKEN,
    policy: PolicyFile = None,
    database: Database = "",
) -> None:
    """Run tasks until it is interrupted. Every command is judged by the guard before it starts.

    Any number of these may run, on one machine or, with PostgreSQL, on many: each takes over what another leaves.
    """
    from supervisor.policy import SpendingPolicy, read_policy
    from supervisor.runtime.drivers.guarding import CommandGuard
    from supervisor.runtime.drivers.known import drivers_of
    from supervisor.runtime.execution.executor import RunningExecutor, Settings
    from supervisor.runtime.execution.lease import Timing
    from supervisor.runtime.tasks.spec import check_name

    if lease < _LEAST_LEASE:
        raise BadInput(f"is at least {_LEAST_LEASE:g} seconds", place="--lease", code="usage")
    worker = name or _machine()
    check_name(worker, "--name")
    check_name(pool, "--pool")
    if port is not None and not serve:
        raise BadInput("is the port of --serve", place="--port", code="usage")
    logging.basicConfig(format="%(asctime)s supervisor: %(message)s", level=logging.WARNING)
    with opened(database) as store:
        asked = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: asked.set())
        timing = Timing(lease, "boottime" if store.is_postgres else "monotonic")
        guard = CommandGuard(policy, allows_unhooked=unhooked)
        guard.open()
        spending = read_policy(policy).spending if policy else SpendingPolicy()
        settings = Settings(
            worker,
            pool,
            slots,
            logs,
            worktrees=worktrees,
            timing=timing,
            drivers=drivers_of(guard),
            guard=guard,
            spending=spending,
        )
        places = (port, people_token(token), tasks_token)
        with served_beside(store, *places) if serve else contextlib.nullcontext() as api:
            running = RunningExecutor(store, settings)
            console().print(f"{styled(worker, 'bold')} does tasks of pool {styled(pool, 'bold')}, {slots} at a time")
            try:
                while not asked.wait(_LOOK) and not (until_idle and _is_idle(store, pool)):
                    if api is not None:
                        api.check()
            finally:
                running.close()
                guard.close()


def _is_idle(store: Store, pool: str) -> bool:
    from supervisor.runtime.store.queries import list_tasks
    from supervisor.runtime.tasks.states import TaskState

    return not list_tasks(store, (TaskState.QUEUED, TaskState.RUNNING), pool, most=1)


def _machine() -> str:
    """The name of this machine, as the name of a worker."""
    found = re.sub(r"[^a-z0-9_-]+", "-", socket.gethostname().lower()).strip("-_")
    return found[:_LONGEST_NAME] or "worker"
