"""Whether a command takes a sibling of what the user named: a name with the same beginning, from the same listing.

The user says `customers_sample`, both tables are listed, and the command has `customers`. Or the user names the file
that is to result, and the command writes to another one that is there already.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice, pairwise

from supervisor.action import Action, Context, Step
from supervisor.evidence.actions.scripts import script
from supervisor.evidence.changes.verbs import Verb
from supervisor.evidence.changes.word import Word, is_forbidden, word_on
from supervisor.evidence.commands.near_names import Sibling, base_of, has_word, segments_of, sibling_pairs
from supervisor.evidence.shell import Command
from supervisor.evidence.situation.acting import is_acting
from supervisor.evidence.situation.named.others import REST
from supervisor.evidence.situation.named.records import Record, Table, tables

_LONGEST = 8 * 1024  # characters of a task
_MOST_WORDS = 120  # of a command
_LATEST = 40  # steps
_MOST_TEXT = 24 * 1024  # characters of one output
_DATA = re.compile(r"\w\.[a-z]{2,7}(?:\.(?:gz|zst|xz|bz2|zip))?$", re.IGNORECASE)
# Words that announce a change from one to the other.
_CHANGES = re.compile(
    r"\b(?:upgrad\w*|migrat\w*|mov(?:e|es|ing)|switch(?:ing|ed)? (?:to|over|from)|convert\w*|renam\w*|compar\w*|diff"
    r"|like|based on|umzieh\w*|umstell\w*|wechsel\w*"
    r"|verglich\w*|vergleich\w*|migr\w+|passer|passe|compare[rz]?"
    r"|mover?|cambia\w*|mud(?:ar|e)|przenie\w*|zamie\w*|перене\w*|сравн\w*)\b"
    r"|升级|迁移|比较|移行|比較|업그레이드|이전|비교",
    re.IGNORECASE,
)
# Words behind which a request names what is to result.
_RESULT = re.compile(
    r"\b(?:result\w*|output|sav(?:e|ed)(?: it)? (?:as|to|in)|writ(?:e|ten)(?: it)? (?:to|into)|into|named?|called"
    r"|ergebnis\w*|speicher\w*|schreib\w*|résultat|enregistr\w*|écri\w*|resultado|guard\w*|grava\w*|salva\w*|risultato|scriv\w*"
    r"|wynik\w*|zapisz|resultaat|opslaan|sonuç|kaydet|результат\w*|сохран\w*|запиш\w*)\b|保存|写入|結果|结果|저장|결과",
    re.IGNORECASE,
)
_OUTPUTS = ("-o", "-O", "--output", "--out", "--outfile", "--dest", "--destination", "--target")


def sibling_taken(action: Action, context: Context) -> tuple[Command, Sibling] | None:
    """The first command that takes a sibling of what the user named."""
    task = (context.task or "")[:_LONGEST]
    if not context.history or not task or REST.search(task):
        return None
    pairs = [each for each in sibling_pairs(action.text("command"), task) if not is_forbidden(each.named, context)]
    if not pairs:
        return None
    acting = [command for command in script(action, context).commands if is_acting(command)]
    is_change = bool(_CHANGES.search(task))
    for pair in pairs:
        command = next((each for each in acting if _takes(each, pair.used)), None)
        if command and not is_change and _is_meant(pair, context) and _are_rows(pair, tables(action, context)):
            return command, pair
        for each in acting:
            if _writes(each, pair.used) and _is_result(pair.named, task) and _is_there(pair.used, context):
                return each, pair
    return None


def _is_meant(pair: Sibling, context: Context) -> bool:
    """Whether the user asks for an act on the named one, if the names differ by a whole word: `users-api`, `users-db`.

    A part that fails for the fault of another differs like that. Files of data are always meant for one another.
    """
    if _DATA.search(pair.used) and _DATA.search(pair.named):
        return True
    first, second = set(segments_of(base_of(pair.named))), set(segments_of(pair.used))
    differing = first ^ second
    is_word = len(first - second) == 1 == len(second - first) and all(each.isalpha() for each in differing)
    return not is_word or word_on(frozenset(Verb), pair.named, context) is Word.NAMED


def _takes(command: Command, used: str) -> bool:
    """Whether a name is among the words of a command, or of what it is fed."""
    fed = [word for each in command.upstream[:4] for word in each.argv] if command.program == "ssh" else []
    return any(has_word(word.lower().replace("\\n", "\n"), used) for word in (*command.args[:_MOST_WORDS], *fed))


def _are_rows(pair: Sibling, listed: Iterable[Table]) -> bool:
    """Whether one listing has both names, each in a record without the other."""
    named = base_of(pair.named)
    for table in listed:
        has_named = [record for record in table.records if _has(record, named)]
        has_used = [record for record in table.records if _has(record, pair.used)]
        if has_named and has_used and not any(record in has_used for record in has_named):
            return True
    return False


def _has(record: Record, name: str) -> bool:
    return name in record.words or any(has_word(cell.lower(), name) for cell in record.cells)


def _writes(command: Command, used: str) -> bool:
    """Whether a command writes its result to this file."""
    args = command.args[:_MOST_WORDS]
    after = [word for before, word in pairwise(args) if before in _OUTPUTS]
    joined = [word.partition("=")[2] for word in args if word.startswith(tuple(f"{each}=" for each in _OUTPUTS))]
    redirected = [each.target for each in command.redirects if each.writes]
    return any(base_of(word) == used for word in (*after, *joined, *redirected))


def _is_result(name: str, task: str) -> bool:
    """Whether a request names this as what is to result."""
    at = task.find(name)
    return at >= 0 and bool(_RESULT.search(task[max(0, at - 40) : at + len(name) + 20]))


def _is_there(name: str, context: Context) -> bool:
    return any(has_word(_text_of(step), name) for step in islice(reversed(context.history), _LATEST))


def _text_of(step: Step) -> str:
    return step.text[:_MOST_TEXT].lower()
