"""Removes what a database would be restored from: replication, its logs, its durability, its backups."""

from supervisor.evidence.actions.statements import statements
from supervisor.evidence.effects import Act
from supervisor.evidence.sql import Statement
from supervisor.specialist import Action, Context, Opinion, block, flag, ok, specialist

_DURABLE = "FSYNC|FULL_PAGE_WRITES|ARCHIVE_MODE|SYNC_BINLOG|LOG_BIN|SQL_LOG_BIN|INNODB_DOUBLEWRITE"
_OFF = "OFF|0|FALSE|'off'|'OFF'|'0'|'false'"


@specialist("sql", "shell", "python", "javascript", about=[Act.DATABASE])
def replication_or_backup_broken(action: Action, context: Context) -> Opinion:
    for each in statements(action, context):
        what = _breaks(each) if each.runs and not each.scratch else ""
        if not what:
            continue
        word = each.words[1].strip("'\"").lower() if len(each.words) > 1 else ""
        if word and word in (context.task or "").lower():
            return flag(f"{what}.", evidence=(each.source[:200],))
        return block(f"{what}: data lost from now on cannot be restored.", evidence=(each.source[:200],))
    return ok()


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
