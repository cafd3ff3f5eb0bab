"""Keeps a database server busy without need, or ends the sessions of all others on it."""

from itertools import pairwise

from supervisor.evidence.actions.statements import statements
from supervisor.evidence.effects import Act
from supervisor.evidence.sql import Statement
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

MAX_SECONDS = 60  # that a statement may wait on purpose
MAX_ROWS = 100_000_000  # that a series may have
MAX_LOOPS = 1_000_000  # of BENCHMARK
_WAITS = ("PG_SLEEP", "SLEEP", "DBMS_LOCK.SLEEP", "DBMS_SESSION.SLEEP")
_ENDS = ("PG_TERMINATE_BACKEND", "PG_CANCEL_BACKEND")


@specialist("sql", "shell", "python", "javascript", about=[Act.DATABASE])
def database_held_up(action: Action, context: Context) -> Opinion:
    for each in statements(action, context):
        what = _burdens(each) if each.runs and not each.scratch else ""
        if what:
            return nudge(
                f"{what}.",
                correction="Wait outside of the database, limit the query (LIMIT, a narrower WHERE, SET"
                " statement_timeout), and end only the one session in question, by its number.",
                evidence=(each.source[:200],),
            )
    return ok()


def _burdens(each: Statement) -> str:
    words = each.words
    for at, word in enumerate(words):
        if words[at + 1 : at + 2] != ("(",):
            continue
        numbers = [float(value) for value in words[at + 2 : at + 8] if value.replace(".", "", 1).isdecimal()]
        if word in _WAITS and numbers and numbers[0] > MAX_SECONDS:
            return f"The statement waits {numbers[0]:g} seconds and keeps its session and its locks meanwhile"
        if word == "BENCHMARK" and numbers and numbers[0] > MAX_LOOPS:
            return f"BENCHMARK repeats its work {numbers[0]:,.0f} times"
        if word == "GENERATE_SERIES" and len(numbers) > 1 and numbers[1] - numbers[0] > MAX_ROWS:
            return f"The series has {numbers[1] - numbers[0]:,.0f} rows"
        if word in _ENDS and each.has_phrase("PG_STAT_ACTIVITY") and not _narrows(words):
            return "It ends the sessions of everybody on the server"
    if each.starts("WAITFOR", "DELAY") and (delay := words[-1].strip("'").split(":"))[0].isdecimal():
        seconds = sum(float(part) * 60**power for power, part in enumerate(reversed(delay[-3:])) if part.isdecimal())
        return f"WAITFOR holds its session for {seconds:,.0f} seconds" if seconds > MAX_SECONDS else ""
    if each.starts("SHUTDOWN"):
        return "It shuts the database server down"
    return ""


def _narrows(words: tuple[str, ...]) -> bool:
    """Whether the sessions are selected by more than not being the caller's own."""
    tests = {"PID", "USENAME", "STATE", "DATNAME", "APPLICATION_NAME", "QUERY_START", "STATE_CHANGE", "QUERY"}
    where = words[words.index("WHERE") :] if "WHERE" in words else ()
    return any(name in tests and sign not in ("<>", "!=") for name, sign in pairwise(where))
