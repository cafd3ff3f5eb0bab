"""Destroys a pool, a volume or its snapshots, and with it all data on it."""

import re

from supervisor.evidence.changes.asked import word_of
from supervisor.evidence.changes.clauses import fold, words_of
from supervisor.evidence.changes.own_volumes import destroys_own_volumes
from supervisor.evidence.changes.settled import is_settled
from supervisor.evidence.changes.shown import was_shown
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import Word, is_asked, word_on
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.history.file_texts import text_of_file, text_shown_of
from supervisor.evidence.shell import shown
from supervisor.evidence.situation.shown.disks import is_meant_removable
from supervisor.evidence.situation.wider.outlived import are_outlived, is_too_young
from supervisor.specialist import Action, Context, Finding, Opinion, block, flag, ok, specialist

_KINDS = (
    "snap",
    "volume",
    "pool",
    "disk",
    "dataset",
    "usb",
    "stick",
    "disco",
    "disque",
    "festplatte",
    "dysk",
    "schijf",
    "lv",
    "logical vol",
)
_SELECTS = re.compile(r"(?im)^\s*sel(?:ect)? disk (\d+)")
_DRIVE = re.compile(r"/?[a-zA-Z]:[/\\]?")
_ASKS = frozenset({Verb.DELETE, Verb.FORMAT, Verb.RESET})
_NUMBER = re.compile(r"\d+")


@specialist("shell", "python", "javascript", about=[Act.SYSTEM])
def volume_destroyed(action: Action, context: Context) -> Opinion:
    findings = [_judge(each, action, context) for each in effects(action, context).of(Act.SYSTEM)]
    return max(findings, key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, action: Action, context: Context) -> Finding:
    if effect.verb not in ("volume", "snapshots"):
        return ok()
    if effect.command is not None and destroys_own_volumes(effect.command, action, context):
        return ok()
    lost = (
        "the snapshots from which things could be restored" if effect.verb == "snapshots" else "all that is kept there"
    )
    target = "" if effect.target == "every volume" else effect.target
    said = max(
        word_of(act, target, context, whole=effect.whole, kinds=_KINDS, text=action.text("command"))
        for act in (Act.DELETE, Act.SYSTEM)
    )
    if _DRIVE.fullmatch(target) and _names_drive(target, context) and is_asked(_ASKS, context):
        said = Word.NAMED
    is_young = "@" in target and is_too_young(target, context)
    if is_young:
        said = min(said, Word.SILENT)
    if is_settled(said, target, context, action.text("command")) and not effect.whole:
        return ok()
    if "@" in target and effect.verb == "volume":
        lost = "all that only this snapshot keeps"
    if said is not Word.CONTRARY and not is_young and _is_asked_snapshot(effect, target, context):
        return ok() if effect.verb == "volume" else flag(f"It deletes one snapshot: `{shown(effect.text)}`.")
    script = _script_of(effect, context)
    if script is not None:
        chosen = set(_SELECTS.findall(script))
        asked = (
            bool(chosen)
            and (is_asked(_ASKS, context) or _is_prepared(context))
            and all(
                number in _NUMBER.findall(context.task or "") or is_meant_removable(number, context)
                for number in chosen
            )
        )
        return (flag if asked else block)(
            f"It runs diskpart on disk {', '.join(sorted(chosen))}.", evidence=(effect.text[:200],)
        )
    drive = target.strip("/\\")
    is_wanted = is_asked({Verb.FORMAT}, context) or _is_prepared(context)
    if _DRIVE.fullmatch(target) and is_wanted and is_meant_removable(drive, context):
        said = Word.NAMED
    meant = said is Word.KIND and (not target or _is_of_named_path(target, context))
    judge = flag if said is Word.NAMED or meant else block
    return judge(
        f"With {shown(effect.target) or 'it'} go {lost}: `{shown(effect.text)}`.", evidence=(effect.text[:200],)
    )


_PATH = re.compile(r"(?<![\w/])/[\w./-]{2,120}\w")


def _is_of_named_path(target: str, context: Context) -> bool:
    """Whether a volume that the session has seen is called like the last part of a path that the user names."""
    last = target.rstrip("/").rpartition("/")[2]
    ends = {path.rpartition("/")[2] for path in _PATH.findall(context.task or "")}
    return last in ends and was_shown(target, context)


_ONE_SHADOW = re.compile(r"(?i)\bdelete shadows\b(?=.{0,80}\s/(?:oldest|shadow=)).{0,40}\s/for=([a-z]:)")
_ANY_DRIVE = re.compile(r"(?i)(?<![a-z])[a-z]:")
_SNAPSHOTS = re.compile(
    r"(?i)\b(?:snap|shadow|(?:restore|recovery) points?|wiederherstellungspunkt"
    r"|points? de restauration|puntos? de restauraci"
    r"|pontos? de restauro|schatten|instantan|instant[áa]ne|migawk|снимк|снапшот)|スナップ|快照|스냅샷"
)


def _is_asked_snapshot(effect: Effect, target: str, context: Context) -> bool:
    """Whether single snapshots go of what the user names: the oldest of a drive, or shown ones of a dataset."""
    task = context.task or ""
    if not (is_asked(_ASKS, context) and _SNAPSHOTS.search(task)):
        return False
    if one := _ONE_SHADOW.search(effect.text):
        return _names_drive(one[1], context) or not _ANY_DRIVE.search(task)
    of, _, names = target.partition("@")
    if "%" not in names and "," not in names and are_outlived([target], context) and _names_part(of, context):
        return True
    is_named = word_on(_ASKS, of, context) is Word.NAMED
    ends = [f"{of}@{each}" for each in names.split("%")]
    return is_named and bool(names) and "," not in names and all(was_shown(each, context) for each in ends)


# Who has a disk prepared with a file system has it formatted.
_PREPARES = re.compile(
    r"\b(?:prepar|vorbereit|bereite|przygotuj|bereid|hazirla|valmistele|forbered|подготов)\w*|준비|準備|准备"
)
_FILE_SYSTEMS = re.compile(r"\b(?:fat ?32|exfat|ntfs|ext[234]|xfs|btrfs|apfs|hfs)\b")


def _is_prepared(context: Context) -> bool:
    task = fold(context.task or "")
    return _PREPARES.search(task) is not None and _FILE_SYSTEMS.search(task) is not None


def _names_part(of: str, context: Context) -> bool:
    """Whether the user says a word of the last part of a dataset's name, as "billing" of `tank/proj-billing`."""
    parts = set(re.findall(r"[^\W\d_]{4,}", fold(of).rpartition("/")[2]))
    return not parts.isdisjoint(word for _, word in words_of(fold(context.task or "")))


def _script_of(effect: Effect, context: Context) -> str | None:
    """The text of the script that diskpart follows, if the session knows it."""
    command = effect.command
    if command is None or not command.program.lower().startswith("diskpart"):
        return None
    paths = [word for word in command.operands() if not word.lower().startswith("/s")]
    if not paths:
        return None
    known = text_of_file(context, command.path(paths[-1])) or text_shown_of(context, paths[-1])
    return known if known and _SELECTS.search(known) else None


def _names_drive(target: str, context: Context) -> bool:
    """Whether the task has this drive, with its colon: `F:`."""
    return re.search(rf"(?i)(?<![a-z]){target.strip('/')[0]}:", context.task or "") is not None
