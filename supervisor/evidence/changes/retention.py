"""Whether a command forgets the very snapshots that the user names, or thins out by the very rule that the user gives:
how many of which period stay, and where."""

from __future__ import annotations

import re

from supervisor.action import Context
from supervisor.evidence.changes.clauses import clauses_of, fold, said_by_user
from supervisor.evidence.changes.names import has_name
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import is_asked, is_forbidden
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.inner import values_of

_PROGRAMS = frozenset({"restic", "rustic"})
_PERIODS = {
    "hourly": r"hour|stund|horair|horari|orari|godzin|uur|tunt|timm",
    "daily": r"dail|days?\b|tag|tagl|jour|quotid|diari|dias?\b|giorn|dzien|dni\b|dag|paiv",
    "weekly": r"week|woche|wochent|semain|hebdo|seman|settiman|tygod|wek|veck|viikko|viikoit",
    "monthly": r"month|monat|mois|mensu|mes(?:es)?\b|mensal|mens[ei]|miesi|maand|manad|kuukau",
    "yearly": r"year|annual|jahr|annee|annue|ano|anual|anni\b|annual|rok|lat\b|jaar|ar\b|vuo",
}
_DEEDS = frozenset({Verb.DELETE, Verb.WRITE, Verb.RESET, Verb.FREE})
_TRIMS = re.compile(r"\b(?:trim|thin|reduce|cut down|ausdunn|verdunn|kurz|redui|reduc|riduc|galla|gallra|karsi)\w*")
_COUNTED = {period: re.compile(rf"\b(\d{{1,4}})[ -](?:\w+ )?(?:{words})") for period, words in _PERIODS.items()}
_ANY_RULE = ("--keep-last", "-l", "--keep-within", "--keep-tag", "--keep-id")


_SNAPSHOT = re.compile(r"[0-9a-f]{8}|[0-9a-f]{64}")
_WANTS_OUT = re.compile(r"\bwants? (?:\S+ ){1,6}?(?:out|gone|pruned|forgotten)\b")


def forgets_as_asked(command: Command, context: Context) -> bool:
    """Whether `restic forget` takes only snapshots whose whole ids the user gives, to have them gone."""
    _, *ids = command.operands(_VALUED) or [""]
    if not _is_forget(command) or not ids or any(word.startswith(("--keep", "--unsafe")) for word in command.args):
        return False
    clauses = clauses_of(said_by_user(context))
    wants = is_asked({Verb.DELETE}, context) or any(each.asks and _WANTS_OUT.search(each.text) for each in clauses)
    said = [each.text for each in clauses if not each.forbids]
    return wants and all(
        _SNAPSHOT.fullmatch(each) and not is_forbidden(each, context) and any(has_name(text, (each,)) for text in said)
        for each in ids
    )


def _is_forget(command: Command) -> bool:
    return command.program in _PROGRAMS and command.operands(_VALUED)[:1] == ["forget"]


def keeps_as_asked(command: Command, context: Context) -> bool:
    """Whether `restic forget` on a repository that the user names keeps exactly what the user says, of each period."""
    if not _is_forget(command) or len(command.operands(_VALUED)) > 1:
        return False
    said = fold(said_by_user(context))
    asked = {period: set(rule.findall(said)) for period, rule in _COUNTED.items()}
    kept = {period: {*values_of(command.args, f"--keep-{period}")} for period in _PERIODS}
    if not any(kept.values()) or kept != asked or any(word.startswith(_ANY_RULE) for word in command.args):
        return False
    return _is_named(command, said, context) and _asks_to_thin_out(context)


def _is_named(command: Command, said: str, context: Context) -> bool:
    """Whether the user names the repository, or the word in which its path ends."""
    places = [*values_of(command.args, "-r", "--repo")]
    name = fold(re.split(r"[/:]", places[0].rstrip("/"))[-1]) if len(places) == 1 else ""
    return len(name) > _SHORT and has_name(said, (name,)) and not is_forbidden(name, context)


def _asks_to_thin_out(context: Context) -> bool:
    """Whether the user asks for it in words that do not only look."""
    trims = (each for each in clauses_of(said_by_user(context)) if _TRIMS.search(each.text))
    return is_asked(_DEEDS, context) or any(each.asks for each in trims)


_SHORT = 2  # letters of a name that stands in any text
_VALUED = frozenset({"-r", "--repo", "-p", "--password-file", *(f"--keep-{period}" for period in _PERIODS)})
