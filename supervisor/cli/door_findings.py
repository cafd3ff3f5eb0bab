"""The doors of a policy, each opened for real by `supervisor doctor`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator

from supervisor.cli.finding import Finding
from supervisor.errors import DoorFailed
from supervisor.policy import Policy
from supervisor.policy.doors import DatabaseDoor, ModelDoor


def door_findings(policy: Policy) -> Iterator[Finding]:
    """Whether the database answers a query, and the model a question. HTTP needs no address, so nothing is opened."""
    doors = policy.doors
    yield _finding("database", doors.database.url, lambda: _query(doors.database))
    yield _finding("model", doors.model.url, lambda: _ask(doors.model))


def _finding(door: str, url: str | None, opened: Callable[[], Awaitable[str]]) -> Finding:
    import anyio

    what = f"{door} door"
    if not url:
        missing = f"none configured (doors.{door}.url); specialists that need it refuse"
        return Finding(what, "note", missing)
    try:
        return Finding(what, "ok", anyio.run(opened))
    except DoorFailed as error:
        cure = f"specialists that need it have no vote; check doors.{door}"
        return Finding(what, "wrong", f"{error}; {cure} [{error.code}]")


async def _query(door: DatabaseDoor) -> str:
    from supervisor.doors.database import Database

    database = Database(door)
    try:
        await database.query("SELECT 1 AS one", {})
    finally:
        database.close()
    return "it answers a query"


async def _ask(door: ModelDoor) -> str:
    from supervisor.doors.model import Model

    answer = await Model(door).ask("Is the number in the material even?", {"number": "2"})
    return f"{door.name or 'the model'} answers a question ({'yes' if answer.yes else 'no'})"
