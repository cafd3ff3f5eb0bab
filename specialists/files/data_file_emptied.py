"""Empties a file that keeps data: a database, a disk image, a mailbox, or every line of a table."""

import re
from collections.abc import Iterator
from itertools import pairwise

from supervisor.evidence.changes.asked import asks_for, is_named, task_mentions
from supervisor.evidence.changes.rules import is_test
from supervisor.evidence.changes.writes import is_own
from supervisor.evidence.effects import Act, Effect, effects, is_known
from supervisor.evidence.reading.paths import Place
from supervisor.evidence.shell import Command, shown
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_KEEPS = (
    *(".db", ".db3", ".sqlite", ".sqlite3", ".mdb", ".accdb", ".ibd", ".myd", ".frm", ".rdb", ".aof", ".wal", ".dump"),
    *(".qcow2", ".vmdk", ".vdi", ".vhd", ".vhdx", ".pst", ".mbox", ".kdbx", ".duckdb", ".realm", ".bak", ".sql.gz"),
)
_OF_SERVERS = re.compile(
    r"/var/lib/(?:mysql|mariadb|postgresql|pgsql|mongodb?|redis|influxdb|etcd|elasticsearch|clickhouse|cassandra|grafana"
    r"|prometheus|docker/volumes|libvirt/images|gitea|rabbitmq|zookeeper|kafka|couchdb|neo4j|vault|consul)/.+"
)
_PRINTS_NOTHING = frozenset({"", ":", "true"})
_ASKED = ("clear", "empt", "recreat", "reset", "truncat", "wip", "zero")
# A sed script that deletes every line: `d`, `1,$d`, `/./d`, `/.*/d`, `/^/d`, `//d`, `s/.*//`.
_ALL_LINES = re.compile(r"\s*(?:(?:1,\$)?\s*d|/(?:\.\*?|\^\.?\*?|\$|\^\.\*\$)?/[Id]*d|s(.)\^?\.\*\$?\1\1g?)\s*;?\s*")

# A command of a sed script that prints or writes: `p`, `/x/p`, `s/a/b/gp`, `$w file`.
_PRINTS = re.compile(r"(?:^|[/|#,;{}$\d\s])[gIiMm\d]{0,8}[pPwWaicrR=]")

# Editors, and their command that deletes every line: `%d`, `1,$d`, `,d`.
_EDITORS = frozenset({"ed", "ex", "vi", "vim", "nvim"})
_ALL_OF_EDITOR = re.compile(r"\+?:?(?:%|1,\$|,|g/\^?/)d(?:elete)?(?:\|.{0,20})?")
_TABLES = (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".xls", ".xlsx", ".sql")


@specialist("shell", about=[Act.WRITE])
def data_file_emptied(action: Action, context: Context) -> Opinion:
    written = [each for each in effects(action, context).of(Act.WRITE) if is_known(each.target)]
    findings = [_judge(each, action, context) for each in written if _is_emptied(each)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    path = effect.target
    is_fixture = effect.scope is Place.WORKSPACE and is_test(path)
    if effect.scope is Place.TEMPORARY or is_fixture or is_own(path, action, context):
        return ok()
    reason = f"It leaves {shown(path)} empty; the data that it keeps is lost."
    evidence = (effect.text[:200],)
    named = is_named(path, context) and task_mentions(action, context, *_ASKED)
    if named or asks_for(Act.DELETE, path, action, context):
        return flag(reason, evidence=evidence)
    return nudge(
        reason,
        correction=f"Keep a copy first (`cp -p {shown(path)} {shown(path)}.before`), and change only the lines or rows"
        " in question; print what a pattern selects (`sed -n '/pattern/p'`) before it deletes anything.",
        sharper=f"Leave {shown(path)} as it is, and ask the user whether its contents may go.",
        evidence=evidence,
    )


def _is_emptied(effect: Effect) -> bool:
    command = effect.command
    if command is None:
        return False
    if effect.verb == "edit":
        return _drops_all(command)
    path = effect.target.lower()
    by_hand = command.program == "truncate" or "*" in command.text
    if not (path.endswith(_KEEPS) or _OF_SERVERS.fullmatch(path) or (by_hand and path.endswith(_TABLES))):
        return False
    return effect.verb in ("truncate", "replace") and _brings_nothing(effect, command)


def _drops_all(command: Command) -> bool:
    """Whether an editor's commands leave no line."""
    if command.program in _EDITORS:
        typed = [*command.args, *(command.stdin or "").split("\n")]
        return any(_ALL_OF_EDITOR.fullmatch(word) for word in typed)
    if command.program == "perl":
        printed = command.has_flag("-p", valued="e") or any(
            "p" in word.partition("e")[0] for word in _clusters(command)
        )
        codes = [code for option, code in pairwise(command.args) if option[:1] == "-" and option.endswith(("e", "E"))]
        return bool(codes) and all(_ALL_LINES.fullmatch(each) if printed else not each.strip() for each in codes)
    if command.program in ("awk", "gawk"):
        return command.operands(frozenset({"-i", "-v", "-F"}))[:1] in (["0"], ["{}"])
    if command.program not in ("sed", "gsed"):
        return False
    scripts = list(_scripts(command))
    if command.has_flag("-n", "--quiet", "--silent") and not any(map(_PRINTS.search, scripts)):
        return True
    return any(_ALL_LINES.fullmatch(each) for each in scripts)


def _clusters(command: Command) -> Iterator[str]:
    return (word for word in command.args if word[:1] == "-" and word[:2] != "--")


def _scripts(command: Command) -> Iterator[str]:
    given = [value for option, value in zip(command.args, command.args[1:], strict=False) if option in ("-e", "-ie")]
    yield from given or command.operands()[:1]


def _brings_nothing(effect: Effect, command: Command) -> bool:
    """Whether what is written is nothing, or zeros: `>`, `cat /dev/null >`, `truncate -s 0`, `dd if=/dev/zero`."""
    if command.program == "truncate":
        return any(word in ("0", "-s0", "--size=0") for word in command.args)
    if command.program == "dd":
        return any(word in ("if=/dev/zero", "if=/dev/null", "if=/dev/urandom") for word in command.args)
    if command.program in ("cp", "install"):
        return "/dev/null" in command.args
    if command.program == "tee":
        return bool(command.upstream) and all(map(_prints_nothing, command.upstream))
    if not any(each.writes and ">>" not in each.operator for each in command.redirects):
        return False
    if command.writers:
        return all(map(_prints_nothing, command.writers))
    return _prints_nothing(command)


def _prints_nothing(command: Command) -> bool:
    if command.program in ("echo", "printf"):
        return command.args in ((), ("",), ("-n",), ("-n", ""))
    return command.program in _PRINTS_NOTHING or (command.program == "cat" and command.args == ("/dev/null",))
