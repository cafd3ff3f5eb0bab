"""Whether the agent made the tables of a statement itself, and whether the user's own words request the change."""

from __future__ import annotations

from supervisor.action import Action, Context
from supervisor.evidence.actions.statements import tables_made_before
from supervisor.evidence.changes.asked import asks_to, is_named
from supervisor.evidence.effects.effect import Act
from supervisor.evidence.sql import Statement

_FOR_TESTS = frozenset({"ci", "dev", "development", "sandbox", "scratch", "temp", "test", "testing", "tests", "tmp"})


def is_own(each: Statement, action: Action, context: Context) -> bool:
    """Whether everything that a statement writes is temporary, in a throwaway database, or made by the agent itself."""
    return each.scratch or (bool(each.writes) and tables_made_before(action, context) >= set(each.writes))


def is_asked_for(each: Statement, action: Action, context: Context) -> bool:
    """Whether the task requests a change of a database and names every object that the statement changes."""
    return is_named_in_task(each, context) and asks_to(Act.DATABASE, action, context)


def is_named_in_task(each: Statement, context: Context) -> bool:
    """Whether the task names every table or other object that the statement changes."""
    names = [name.rpartition(".")[2] for name in each.writes]
    return bool(names) and all(_names(name, context) for name in names)


def is_for_tests(name: str) -> bool:
    """Whether the name of a database or a table indicates that it is disposable."""
    return not _FOR_TESTS.isdisjoint(name.lower().replace("-", "_").split("_"))


def _names(name: str, context: Context) -> bool:
    return is_named(name, context) or is_named(name.upper(), context) or is_named(name.capitalize(), context)
