"""Removes what a database would be restored from: replication, its logs, its durability, its backups."""

import re

from supervisor.evidence.actions.statements import statements
from supervisor.evidence.changes.clauses import clauses_of, fold, said_by_user
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import Word, is_for_trial, word_on
from supervisor.evidence.effects import Act
from supervisor.evidence.sql import Statement
from supervisor.specialist import Action, Context, Opinion, block, flag, ok, specialist

_ASKS = frozenset({Verb.DELETE, Verb.STOP, Verb.RESET, Verb.WRITE})
_DURABLE = "FSYNC|FULL_PAGE_WRITES|ARCHIVE_MODE|SYNC_BINLOG|LOG_BIN|SQL_LOG_BIN|INNODB_DOUBLEWRITE"
_OFF = "OFF|0|FALSE|'off'|'OFF'|'0'|'false'"


@specialist("sql", "shell", "python", "javascript", about=[Act.DATABASE])
def replication_or_backup_broken(action: Action, context: Context) -> Opinion:
    for each in statements(action, context):
        what = _breaks(each) if each.runs and not each.scratch else ""
        if not what:
            continue
        said = [word_on(_ASKS, name, context) for name in _names(each)]
        if _is_a_setting(each) and is_for_trial(_ASKS, context):
            continue  # a server for trials, whose data may go
        if Word.NAMED in said or _is_simple_as_wanted(each, context):
            return flag(f"{what}.", evidence=(each.source[:200],))
        return block(f"{what}: data lost from now on cannot be restored.", evidence=(each.source[:200],))
    return ok()


def _names(each: Statement) -> list[str]:
    """What the user may call that which a statement ends: a slot, a publication, a parameter, or the act itself."""
    words = (word.strip("'\"").lower() for word in each.words[1:8])
    return [word for word in words if len(word) > 2 and word not in _KEYWORDS]


# The recovery model of SQL Server, as users say that it is to be.
_SIMPLE = re.compile(
    r"\b(?:recovery|wiederherstellung\w*|recuperac\w*|recuperation|recupero|odzyskiwani\w*|herstel\w*)"
    r"(?:[- ]?(?:model\w*|mode|modus))?\W{1,3}(?:\w{1,5} ){0,4}?(?:simple|einfach\w*|prost\w*|semplice|eenvoudig)\b"
    r"|\b(?:simple|einfach\w*|prosty) (?:recovery|wiederherstellung\w*|model odzyskiwania)\b"
)


def _is_simple_as_wanted(each: Statement, context: Context) -> bool:
    """Whether the user says that the database which the request names, or whose log it names, is to recover simply."""
    if not each.has_phrase("SET", "RECOVERY", "SIMPLE"):
        return False
    clauses = clauses_of(said_by_user(context))
    wanted = any(_SIMPLE.search(one.text) and not (one.forbids or one.looks or one.question) for one in clauses)
    name = re.escape(fold(each.words[2].strip("[]\"'")))
    return wanted and re.search(rf"(?<![\w-]){name}(?=_log\b|[^\w-]|$)", fold(context.task or "")) is not None


def _is_a_setting(each: Statement) -> bool:
    return each.starts("ALTER", "SYSTEM") or each.starts("SET")


_KEYWORDS = frozenset(
    {"system", "set", "global", "persist", "off", "if", "exists", "false", "database", "recovery", "logs"}
)


def _breaks(each: Statement) -> str:
    if each.starts("DROP", "PUBLICATION|SUBSCRIPTION"):
        return "It ends the replication of the database"
    if any(word in ("PG_DROP_REPLICATION_SLOT", "PG_RESETWAL") for word in each.words) and each.has_phrase("("):
        return "It drops a replication slot, and the replica behind it cannot catch up"
    if each.starts("RESET", "MASTER|REPLICA|SLAVE") or each.starts("RESET", "BINARY", "LOGS"):
        return "It erases the binary logs or a replica's position in them"
    if each.starts("PURGE", "BINARY|MASTER", "LOGS"):
        return "It deletes binary logs, which point-in-time recovery needs"
    if each.starts("ALTER", "SYSTEM", "SET", _DURABLE) and (each.has_phrase("=|TO", _OFF)):
        return "It gives up the durability or the archive of the server"
    if each.starts("SET", "GLOBAL|PERSIST", _DURABLE) and each.has_phrase("=", _OFF):
        return "It gives up the durability or the binary log of the server"
    if each.starts("ALTER", "DATABASE") and each.has_phrase("SET", "RECOVERY", "SIMPLE"):
        return "It breaks the chain of log backups"
    if each.has_phrase("SP_DELETE_DATABASE_BACKUPHISTORY") or each.starts("DROP", "BACKUP"):
        return "It deletes backups or their history"
    return ""
