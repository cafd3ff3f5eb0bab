"""Destroys a table, a schema or a database, or empties one whole."""

import re
from collections.abc import Iterator

from supervisor.evidence.actions.queries import databases_named
from supervisor.evidence.actions.statements import statements, tables_made_before
from supervisor.evidence.changes.asked import word_of
from supervisor.evidence.changes.clauses import fold, said_by_user
from supervisor.evidence.changes.names import has_name
from supervisor.evidence.changes.ownership import is_asked_for, is_for_tests
from supervisor.evidence.changes.settled import is_settled
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import Word, is_asked, is_for_trial
from supervisor.evidence.effects import Act
from supervisor.evidence.prose.thing_words import mentions_word, words_for
from supervisor.evidence.sql import Statement
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, nudge, ok, specialist

_ASKS = frozenset({Verb.DELETE, Verb.RESET})
_HOLDS_DATA = frozenset({"database", "keyspace", "schema", "table"})


@specialist("sql", "shell", "python", "javascript", about=[Act.DATABASE])
def table_dropped(action: Action, context: Context) -> Opinion:
    return max(_findings(action, context), key=lambda finding: finding.verdict, default=ok())


def _findings(action: Action, context: Context) -> Iterator[Finding]:
    script = statements(action, context)
    for place, each in enumerate(script):
        destroys = each.verb in ("drop", "truncate") and each.target in _HOLDS_DATA
        if not destroys or not each.runs or each.scratch:
            continue
        if each.writes and all(name in tables_made_before(action, context) for name in each.writes):
            continue
        rebuilt = {name for later in script[place + 1 :] if later.verb == "create" for name in later.writes}
        yield _finding(each, rebuilt, action, context)


def _finding(each: Statement, rebuilt: set[str], action: Action, context: Context) -> Finding:
    names, evidence = ", ".join(each.writes) or "(unnamed)", (each.source[:200],)
    what = f"{each.verb.upper()} {each.target.upper()} {names}"
    if each.verb == "drop" and each.writes and action.kind == "sql" and rebuilt.issuperset(each.writes):
        return nudge(
            f"{what} loses the rows of the old table before the new one is created.",
            correction=f"Keep the rows: change {names} with ALTER TABLE, use CREATE TABLE IF NOT EXISTS, or create"
            " the new table under another name and copy the rows into it.",
            evidence=evidence,
        )
    if each.writes and all(_is_settled(name, context) for name in each.writes):
        return ok()
    if each.writes and all(_is_named_partition(name, context) for name in each.writes):
        return flag(f"{what} destroys its data.", confidence=0.5, evidence=evidence)
    again = rebuilt.issuperset(each.writes) or all(map(is_for_tests, each.writes))
    is_database = each.target in ("database", "keyspace") and all(_is_told_of(name, context) for name in each.writes)
    kinds = words_for("database" if is_database else "table")
    asked = word_of(Act.DATABASE, "", context, text=action.text("command"), kinds=kinds)
    if asked is not Word.SILENT and asked is not Word.CONTRARY and is_for_trial(_ASKS, context):
        return flag(f"{what} destroys its data.", confidence=0.5, evidence=evidence)
    for_tests = action.kind != "sql" and bool(each.writes) and again  # as set-up code of tests does
    if for_tests or _is_trial(action, context) or is_asked_for(each, action, context):
        return flag(f"{what} destroys its data.", confidence=0.5, evidence=evidence)
    return block(f"{what} destroys its data, and nothing can restore it.", evidence=evidence)


def _is_told_of(name: str, context: Context) -> bool:
    """Whether a part of a database's name is a word of the request: `shop_lab`, "the lab database"."""
    said = set(re.findall(r"[^\W\d_]{3,}", fold(said_by_user(context))))
    return not said.isdisjoint(re.findall(r"[^\W\d_]{3,}", fold(name)))


def _is_settled(name: str, context: Context) -> bool:
    """Whether the user names a table or schema, with or without what contains it, and the session has seen it."""
    parts = (name, name.rpartition(".")[2])
    return any(is_settled(word_of(Act.DATABASE, each, context), each, context) for each in parts)


_PART = re.compile(
    r"^(?:\w+\.)?([a-z][a-z_]{2,60}?)_(?:p_?|y)?(\d[\d_mwdq]{3,12})$"
)  # `visits_2015`, `visits_p2015_03`
_FAILS = re.compile(r"(?i)\b(?:error|failed|failure|cannot|fehler|échec|fallo|falha|ошибк\w*)\b")


def _is_named_partition(name: str, context: Context) -> bool:
    """Whether a table is a partition of one whose partitions the user wants gone, and no output tells of a failure with
    it: "dump, check and drop the old partitions of visits"."""
    found, said = _PART.match(name.lower()), fold(said_by_user(context))
    if found is None or not has_name(said, (found[1],)) or not mentions_word(said, "partition"):
        return False
    last = name.lower().rpartition(".")[2]
    lines = (line for step in context.history for line in step.text.lower().splitlines())
    return is_asked(_ASKS, context) and not any(last in line and _FAILS.search(line) for line in lines)


def _is_trial(action: Action, context: Context) -> bool:
    """Whether the names of the databases in use mark them as disposable."""
    named = databases_named(action, context)
    return bool(named) and all(map(is_for_tests, named))
