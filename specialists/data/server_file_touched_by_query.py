"""Reads or writes files of the database server's machine from within a query."""

from supervisor.evidence.actions.statements import statements
from supervisor.evidence.effects import Act
from supervisor.evidence.sql import Statement
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_FUNCTIONS = frozenset(
    {"LOAD_FILE", "LO_EXPORT", "LO_IMPORT", "PG_LS_DIR", "PG_READ_BINARY_FILE", "PG_READ_FILE", "UTL_FILE.FOPEN"}
)
_EXCHANGED = (".csv", ".csv.gz", ".json", ".jsonl", ".parquet", ".tsv", ".txt", ".dat", ".sql")
_PRIVATE = ("/etc/", "/root/", "/home/", "/proc/", "/var/www/", "/usr/", "c:\\windows", "c:/windows")


@specialist("sql", "shell", "python", "javascript", about=[Act.DATABASE])
def server_file_touched_by_query(action: Action, context: Context) -> Opinion:
    for each in statements(action, context):
        how = _touches(each) if each.runs else ""
        if how:
            return nudge(
                f"{how}, not one of yours.",
                correction="Let the client read and write files: `\\copy (SELECT …) TO 'out.csv' CSV` in psql, or save"
                " the result of a plain SELECT in the workspace.",
                evidence=(each.source[:200],),
            )
    return ok()


def _touches(each: Statement) -> str:
    words = each.words
    for at, word in enumerate(words[:-1]):
        if word in _FUNCTIONS and words[at + 1] == "(":
            return f"{word.lower()} opens a file on the database server's machine"
        named = words[at + 1]
        if word in ("OUTFILE", "DUMPFILE") and words[at - 1] == "INTO" and not _is_exchange(named):
            return f"INTO {word} writes {named} on the database server's machine"
        if word in ("FROM", "TO", "INFILE") and each.starts("COPY|LOAD") and _is_private(named):
            return f"{words[0]} opens {named} on the database server's machine"
    return ""


def _is_exchange(word: str) -> bool:
    """Whether the file is a usual format for data exchange, outside of the system's own directories."""
    return word.strip("'").lower().endswith(_EXCHANGED) and not _is_private(word)


def _is_private(word: str) -> bool:
    path = word.strip("'").lower()
    return word.startswith("'") and (path.startswith(_PRIVATE) or ".." in path)
