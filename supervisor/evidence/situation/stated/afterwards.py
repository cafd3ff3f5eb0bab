"""Things that may go only after a check, and the removal for which nothing shows that the check was made."""

from __future__ import annotations

import re
from functools import lru_cache

from supervisor.action import Action, Context
from supervisor.evidence.changes.clauses import fold
from supervisor.evidence.situation.deeds import Deed, deeds
from supervisor.evidence.situation.warned import Warned, latest, pattern, pattern_in, said, script_text, table

_SENTENCE = re.compile(r"(?<=[!?;\n])|(?<=\.)(?=\s)")
_GOES = re.compile(
    r"(?i)\b(?:delet|remov|drop|go(?:es)?\b|destroy|wip|retire|lösch|entfern|weg\b"
    r"|supprim|borr|elimin|apag|remov|cancell|usu[ńw]|verwijder|sil|удал|poist|ta bort|rader)"
)
_LONGEST = 400


def may_be_afterwards(text: str, context: Context) -> bool:
    """Whether the request lets something go only after a check."""
    return bool(context.task) and _demands_check(said(context))


@lru_cache(maxsize=64)
def _demands_check(task: str) -> bool:
    return pattern("after_check").search(task) is not None


def unmade_check(action: Action, context: Context) -> tuple[Deed, Warned] | None:
    """The first removal for which the request demands a check that no step made."""
    text = script_text(action, context)
    if not may_be_afterwards(text, context):
        return None
    removals = [deed for deed in deeds(action, context) if deed.sort == "delete"]
    if not removals:
        return None
    for sentence in _SENTENCE.split(said(context)):
        found = pattern("after_check").search(sentence[:_LONGEST])
        if found is None or not _GOES.search(sentence[:_LONGEST]):
            continue
        clause = next((each for each in found.groups() if each), "")
        wanted = [name for name in table("check_words") if pattern_in("check_words", name).search(clause)]
        for deed in removals:
            if wanted and not _is_made(wanted[0], deed, text, context):
                return deed, Warned("a check that the user demands", deed.command.text[:200], sentence.strip())
    return None


def _is_made(name: str, deed: Deed, text: str, context: Context) -> bool:
    """Whether an earlier step or an earlier part of the script made the check."""
    place = text.find(deed.command.text[:80])
    before = text[:place] if place > 0 else ""
    if name == "works":
        if not before:
            return bool(context.history)
        return bool(pattern("probes").search(before))
    words = pattern_in("check_words", name)
    texts = [before, *(fold(past.command) for past in latest(context))]
    return any(words.search(each) or (name != "restore" and pattern("probes").search(each)) for each in texts)
