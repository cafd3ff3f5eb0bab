"""The SQL statements that an action runs, and the tables that the session created."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace

from supervisor.action import Action, Context, Step, strings_in
from supervisor.evidence import reader
from supervisor.evidence.actions.dialects import dialect_of
from supervisor.evidence.actions.own_containers import is_in_own_container
from supervisor.evidence.actions.queries import Query, queries
from supervisor.evidence.history.past import names_in_history
from supervisor.evidence.sql import MAX_CHARS, Statement, creates_table, read


@reader
def statements(action: Action, context: Context) -> tuple[Statement, ...]:
    """The statements that an action runs: of a query tool, and of clients in scripts and code.

    Raises Unreadable beyond MAX_CHARS, if nested too deeply, and as the readers of scripts and code do.
    """
    declared = dialect_of(action, context)
    return tuple(
        replace(each, scratch=True) if query.throwaway or _is_contained(query, action, context) else each
        for query in queries(action, context)
        for each in read(query.text, query.dialect or declared)
    )


def _is_contained(query: Query, action: Action, context: Context) -> bool:
    """Whether its client runs in a container that the session made for itself."""
    return query.command is not None and query.command.is_contained and is_in_own_container(action, context)


@reader
def tables_made_before(action: Action, context: Context) -> Set[str]:
    """The tables that earlier steps of this session created, which are the agent's own."""
    return names_in_history(context, _tables_made)


def _tables_made(step: Step) -> Iterator[str]:
    if step.failed or step.kind not in ("sql", "shell", "python"):
        return
    texts = [text for _, text in strings_in(step.args) if len(text) <= MAX_CHARS and "create" in text.lower()]
    if step.kind != "sql" and texts:
        texts = [query.text for query in queries(Action(step.tool, step.args, step.kind), Context())]
    for text in texts:
        yield from (name for each in read(text) if creates_table(each) for name in each.writes)
