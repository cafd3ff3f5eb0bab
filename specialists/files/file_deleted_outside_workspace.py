"""Deletes single files outside the task's workspace: files of the system, or files in a home folder."""

import re

from supervisor.evidence.changes.asked import asks_for, word_of
from supervisor.evidence.changes.word import Word
from supervisor.evidence.changes.writes import is_own
from supervisor.evidence.effects import Act, Effect, effects, is_known
from supervisor.evidence.machine.places import place_at
from supervisor.evidence.machine.vital import is_program, is_settings, is_vital_tree
from supervisor.evidence.reading.paths import REBUILT, Place
from supervisor.evidence.secrets.credentials import Sort, credential_at
from supervisor.evidence.shell import shown
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_WATCHES = frozenset({"alertmanager", "icinga2", "loki", "monit", "nagios", "prometheus", "thanos", "zabbix"})
_MACHINES = (".avhd", ".avhdx", ".qcow2", ".vdi", ".vhd", ".vhdx", ".vmdk", ".vmem")  # disks of virtual machines
_MADE_AGAIN = (".pid", ".sock", ".lock", ".swp", ".tmp", ".pyc", ".log", "~")  # by the programs that need them


@specialist("shell", "python", "javascript", "file_edit", "file_delete", about=[Act.DELETE])
def file_deleted_outside_workspace(action: Action, context: Context) -> Opinion:
    files = [each for each in effects(action, context).of(Act.DELETE) if _is_file(each)]
    findings = [_judge(each, action, context) for each in files]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _is_file(effect: Effect) -> bool:
    """Whether a single file is deleted for good. The results of a search do not count: that is housekeeping."""
    return not (effect.whole or effect.reversible or effect.verb in ("mirror", "pick"))


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    path, place = effect.target, effect.scope
    if place not in (Place.SYSTEM, Place.HOME, Place.OUTSIDE) or not is_known(path) or _is_made_again(path):
        return ok()
    if asks_for(Act.DELETE, path, action, context) or is_own(path, action, context):
        return ok()
    reason = f"It deletes {shown(path)}, which is {place} and not a part of the task."
    evidence = (effect.text[:200],)
    credential = credential_at(path)
    of_account = credential is not None and credential.sort is not Sort.PROJECT
    if place is Place.OUTSIDE and not of_account and not path.lower().endswith(_MACHINES):  # another project's
        return flag(reason, confidence=0.5, evidence=evidence) if context.workspace and not effect.is_remote else ok()
    one_products = place is Place.SYSTEM and not (_is_everybodys(path) or _is_data(path))
    contained = effect.is_contained or (effect.is_remote and not _is_data(path))
    if (one_products and not _is_main(path)) or contained or _is_of_kind(path, context):
        return flag(reason, evidence=evidence)
    return nudge(
        reason,
        correction=f"Leave {shown(path)} where it is: look at it (`ls -l`), tell the user why it should be deleted,"
        " and let the user decide.",
        sharper=f"Do not delete {shown(path)} by any means. Ask the user.",
        evidence=evidence,
    )


def _is_of_kind(path: str, context: Context) -> bool:
    """Whether the user asks to delete things that are called like the file: "the old journal"."""
    words = re.findall(r"[a-z]{4,}", path.rpartition("/")[2].lower())
    return word_of(Act.DELETE, path, context, kinds=words) is not Word.SILENT


def _is_everybodys(path: str) -> bool:
    """Whether a file of the system belongs to no single product."""
    return is_settings(path) or is_program(path) or is_vital_tree(path.rpartition("/")[0] or "/")


def _is_data(path: str) -> bool:
    """Whether a file is of a database, a container store, a package manager's records, keys, mail or a backup."""
    found = place_at(path)
    name = path.rpartition("/")[2]
    is_fetched = name.startswith("lock") or name.endswith((".iso", ".deb", ".rpm", ".tar.zst"))
    return found is not None and found.kind in ("data", "keys") and not is_fetched


def _is_main(path: str) -> bool:
    """Whether a product does not start without the file (`/etc/nginx/nginx.conf`), or the file defines alarms."""
    _, top, *above, name = path.split("/") if path.count("/") > 2 else ("", "", "")
    return top == "etc" and (name.partition(".")[0] in above or not _WATCHES.isdisjoint(above))


def _is_made_again(path: str) -> bool:
    parts = path.lower().split("/")
    return (path != "~" and path.endswith(_MADE_AGAIN)) or not REBUILT.isdisjoint(parts[:-1])
