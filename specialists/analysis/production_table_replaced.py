"""Replaces a whole table in production by what a job happens to have, instead of adding or merging its rows."""

import re
from collections.abc import Iterator

from supervisor.evidence.actions.queries import is_live
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.analysis import NO_ANALYSIS, Event, Flow, Query, Spot, analysis, spot
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "sql", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def production_table_replaced(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    ran = _full_refresh(action, context) if action.kind == "shell" else ""
    if read is None and not ran:
        return ok() if action.kind == "shell" else refuse(NO_ANALYSIS)
    spots = read.spots(_replaced, _in_query) if read is not None else iter(())
    for found in [Spot(0, ran)] if ran else spots:
        if ran or _LIVE.search(found.about) or is_live(action, context):
            return nudge(
                f"{found.where}`{found.text}` drops every row of a table in production and puts what this run has"
                " in its place.",
                correction='Load into a staging table and merge by key, or append: if_exists="append", WRITE_APPEND,'
                " INSERT … ON CONFLICT, an incremental dbt run. If a full reload is wanted, ask, and keep a"
                " copy of the"
                " table first.",
                evidence=(found.text,),
            )
    return ok()


_LIVE = re.compile(r"(?i)(?<![a-z])(?:prod|production|live)(?![a-z])")
_OWN = re.compile(r"(?i)(?<![a-z])(?:stg|staging|tmp|temp|test|tests|dev|scratch|sandbox|backup|copy)(?![a-z])")


def _replaced(flow: Flow) -> Iterator[Spot]:
    for event in flow.events:
        line = flow.source(event.line)
        if (_replaces(event) or "WRITE_TRUNCATE" in line) and not _OWN.search(_table(event)):
            yield spot(flow, event.line, about=flow.text)


def _replaces(event: Event) -> bool:
    if event.method in ("to_sql", "to_gbq", "write_database", "copy_to_table"):
        return str(event.const("if_exists", "if_table_exists")) == "replace"
    if event.method in ("saveAsTable", "insertInto"):
        return "overwrite" in event.name or any(note == "overwrite" for note in event.receiver.notes("mode"))
    return event.method == "LoadJobConfig" and "TRUNCATE" in str(event.const("write_disposition"))


def _table(event: Event) -> str:
    return " ".join(
        str(value.const) for value in (*event.args, *event.options.values()) if isinstance(value.const, str)
    )


def _in_query(query: Query) -> Iterator[Spot]:
    from sqlglot import exp

    tree = query.tree
    replaces = isinstance(tree, exp.Create) and tree.args.get("replace") and tree.args.get("kind") == "TABLE"
    overwrites = isinstance(tree, exp.Insert) and tree.args.get("overwrite")
    if replaces or overwrites:
        name = tree.this.sql()
        if not _OWN.search(name):
            yield Spot(query.line, query.text[:120], name)


def _full_refresh(action: Action, context: Context) -> str:
    """A dbt command that builds tables of production anew."""
    for command in script(action, context).named("dbt"):
        words = command.args
        target = [words[at + 1] for at, word in enumerate(words[:-1]) if word in ("-t", "--target", "--profile")]
        target += [word.partition("=")[2] for word in words if word.startswith(("--target=", "--profile="))]
        if "--full-refresh" in words or "-f" in words[1:]:
            live = target or [context.task or ""]
            if any(_LIVE.search(each) for each in live):
                return command.text[:160]
    return ""
