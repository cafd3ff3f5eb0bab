"""Drops a column or a table in a migration before its values are copied to where they are to be."""

import ast
import re
from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Event, Flow, Query, Spot, analysis, spot
from supervisor.evidence.changes.asked import task_mentions
from supervisor.evidence.effects import Act
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Finding, Opinion, Refusal, flag, nudge, ok, refuse, specialist

_REBUILDS = ("drop", "destructive", "wipe", "recreat", "from scratch", "throw away", "throwaway")


@specialist("python", "javascript", "sql", "file_write", "file_edit", "shell", about=[Act.ANALYSIS, Act.CODE])
def migration_drops_before_copy(action: Action, context: Context) -> Opinion:
    rebuilt = judged(action, context, "wipe")
    if isinstance(rebuilt, Finding) and rebuilt.reason:
        return flag(rebuilt.reason) if task_mentions(action, context, *_REBUILDS) else rebuilt
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS) if isinstance(rebuilt, Refusal) else rebuilt
    for found in read.spots(_dropped, _in_query):
        return nudge(
            f"{found.where}`{found.text}` drops {found.about} before its values are copied, and they cannot be"
            " copied afterwards.",
            correction=f"Add the new place, copy the values, check that none is missing, and drop {found.about} in"
            " a later migration.",
            evidence=(found.text,),
        )
    return ok()


def _dropped(flow: Flow) -> Iterator[Spot]:
    upgrades = [event for event in flow.events if event.function != "downgrade"]
    gone: dict[str, Event] = {}
    added: set[str] = set()
    for event in upgrades:
        texts = [str(each.const) for each in event.args if isinstance(each.const, str)]
        if event.method in ("drop_column", "drop_table", "RemoveField", "DeleteModel") and texts:
            gone[texts[-1]] = event
            if event.method == "drop_column" and texts[0] in added and not _copies(upgrades, event.line):
                yield spot(flow, event.line, about=texts[-1])
        elif event.method in ("add_column", "AddField") and texts:
            added.add(texts[0])
        elif event.method in ("execute", "RunSQL", "exec_driver_sql"):
            for name, drop in gone.items():
                if any(re.search(rf"\b{re.escape(name)}\b", text) for text in (*texts, *_inner(event))):
                    yield spot(flow, drop.line, event.line, about=name)


def _inner(event: Event) -> list[str]:
    """The texts inside `op.execute(text("…"))`."""
    return [
        each.value for each in ast.walk(event.node) if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]


def _copies(events: list[Event], line: int) -> bool:
    """Whether anything before a line moves values: a statement, or a function that the migration runs."""
    return any(
        each.method in ("execute", "RunPython", "RunSQL", "bulk_insert", "scalar") and each.line < line
        for each in events
    )


def _in_query(query: Query) -> Iterator[Spot]:
    from sqlglot import exp

    named = {each.name.lower() for each in query.tree.find_all(exp.Column, exp.Table)}
    for before in query.before:
        if isinstance(before, exp.Drop) and isinstance(query.tree, (exp.Insert, exp.Update)):
            table = before.find(exp.Table)
            read = {each.name.lower() for each in query.tree.find_all(exp.Table)} if table is not None else set()
            made = [each.find(exp.Table) for each in query.before if isinstance(each, exp.Create)]
            remade = table is not None and any(each is not None and each.name == table.name for each in made)
            if table is not None and table.name.lower() in read and not remade:
                yield Spot(query.line, before.sql()[:120], table.name)
        elif isinstance(before, exp.Alter) and isinstance(query.tree, (exp.Insert, exp.Update)):
            for part in before.args.get("actions") or ():
                dropped = part.find(exp.Column) if isinstance(part, exp.Drop) else None
                column = dropped.name.lower() if dropped is not None else ""
                if column and column in named:
                    yield Spot(query.line, before.sql()[:120], column)
