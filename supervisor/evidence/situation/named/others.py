"""Whether a command acts on another record of a listing than the one that the user's request names.

The request names `VPN-2023`, the listing shows its identifier beside it, and the command has the identifier of the
next row. A command reaches the named record if it has the name, or any word that only this record has.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence.changes.verbs import Verb as Request
from supervisor.evidence.changes.word import Word, is_asked, is_asked_on, is_forbidden, word_on
from supervisor.evidence.commands.acts import sorts, words, words_of_acts
from supervisor.evidence.commands.near_names import is_no_thing
from supervisor.evidence.prose.request_names import named_in
from supervisor.evidence.situation.deeds import Deed, deeds
from supervisor.evidence.situation.named.described import Reading, is_dated, is_source, is_state, readings, words_for
from supervisor.evidence.situation.named.records import Record, Table, tables, words_of
from supervisor.evidence.situation.named.slots import faulty

_LONGEST = 8 * 1024  # characters of a task
# Words by which a request speaks of more than what it names.
REST = re.compile(
    r"\b(?:others?|rest|everything|both|except|besides|unless|until|depend\w*|related"
    r"|fail(?:s|ed)?[ -]?over|switchover|standby"
    r"|replac\w*|swap(?! (?:disks?|files?|partitions?|spaces?|volumes?|devices?|usage)\b)\w*|instead"
    r"|andere[nrs]?|übrig\w*|alles|beide[ns]?|statt|autres?|reste|tout|sauf|otr[oa]s?|demás|todo|salvo|outr[oa]s?|exceto"
    r"|altr[iao]|tutto|inne|pozostał\w*|oprócz|overige|behalve|diğer\w*|остальн\w*|друг\w*|кроме)\b"
    r"|其他|其余|残り|他の|以外|나머지|다른|제외",
    re.IGNORECASE,
)
# The requests that a sort of act may carry out.
MEANT: dict[str, frozenset[Request]] = {
    "delete": frozenset({Request.DELETE, Request.RESET, Request.FORMAT, Request.CLOSE, Request.REVOKE}),
    "stop": frozenset({Request.STOP, Request.CLOSE, Request.DELETE}),
    "restart": frozenset({Request.RESTART, Request.STOP, Request.START}),
    "revert": frozenset({Request.RESET, Request.FETCH, Request.DEPLOY}),
    "send": frozenset({Request.SEND}),
    "push": frozenset({Request.PUSH, Request.PUBLISH, Request.SEND}),
    "deploy": frozenset({Request.DEPLOY, Request.PUBLISH, Request.RESET}),
    "unlock": frozenset(Request),
}
_EDITS = frozenset(
    {Request.WRITE, Request.GRANT, Request.MOVE, Request.START, Request.STOP, Request.RESET, Request.FORMAT}
)


# Words by which a request is for one thing alone, whatever it says of the rest.
_ALONE = re.compile(
    r"\b(?:only|just|nur|bloß|seulement|uniquement|s[óo]lo|solamente|apenas|somente|soltanto|tylko|alleen|sadece|только|vain|endast)\b"
    r"|だけ|のみ|仅|只|만 ",
    re.IGNORECASE,
)


def speaks_of_rest(task: str) -> bool:
    """Whether a request may be for more than what it names."""
    return REST.search(task) is not None and _ALONE.search(task) is None


def tells_cause(name: str, task: str) -> bool:
    """Whether a request has a name only where it tells the cause of what it reports, so that the act is not on it: "it
    is yellow since es-03 rebooted"."""
    if name not in task:
        return False
    for sentence in _SENTENCES.split(task):
        cause = words_for("causes").search(sentence)
        told = sentence[: cause.start()] if cause and words_for("reports").search(sentence[: cause.start()]) else ""
        left = told + "".join(_CLAUSES.split(sentence[cause.end() :])[1:]) if cause and told else sentence
        if name in left:
            return False
    return True


_SENTENCES = re.compile(r"[.;!?\n](?=\s|$)")
_CLAUSES = re.compile(r",(?=\s)")


class OtherRecord(NamedTuple):
    """What the user named, the record that has it, and the word of the command from another record."""

    named: str
    shown: str
    used: str
    other: str


def other_record(action: Action, context: Context) -> tuple[Deed, OtherRecord] | None:
    """The first deed on another record of a listing than the one that the user named."""
    task = (context.task or "")[:_LONGEST]
    if not task or not context.history or speaks_of_rest(task):
        return None
    acting = [deed for deed in deeds(action, context) if _may_matter(deed)]
    if not acting or named_in(task).everything:
        return None
    command = words_of(action.text("command"))
    said = words_of(task)
    settled = set[str]()  # words of records that a later output shows as meant
    for table in tables(action, context):
        for reading in readings(table, context):
            if reading.is_name and tells_cause(reading.label, task):
                continue
            found = _stray(reading, table, command - settled, said)
            if reading.is_kind:
                settled.update(*(record.words for record in reading.meant))
            if found is None:
                continue
            if deed := next((each for each in acting if _is_meant(each, found.used, reading, context)), None):
                return deed, found
    return None


def _may_matter(deed: Deed) -> bool:
    """An edit of a file by a program for files is judged by others: a cause is often in another file."""
    if deed.sort in MEANT or deed.sort == "merge":
        return True
    files = {*words("in_place"), *(word for word, sort in sorts("programs").items() if sort == "edit")}
    is_of_file = deed.command.program in files and "/dev/" not in deed.command.text
    return deed.sort == "edit" and not is_of_file and not deed.command.redirects


def _stray(reading: Reading, table: Table, command: frozenset[str], said: frozenset[str]) -> OtherRecord | None:
    """A word of the command that only a record of the other part has, if none of its words is a meant record's."""
    own = frozenset[str]().union(*(record.words for record in reading.meant))
    rest = frozenset[str]().union(*(record.words for record in table.records if record not in reading.meant))
    is_reached = bool(command & (own - rest)) or (
        reading.is_name and reading.label.lower() in command | _as_spelled(reading.label, command)
    )
    if is_reached and not reading.is_kind:
        return None
    for used in sorted(command & (rest - own - said)):
        holders = [record for record in table.records if used in record.words]
        if len(holders) == 1 and holders[0] in reading.others and _is_identifier(used, holders[0], reading, table):
            return OtherRecord(reading.label, reading.meant[0].text, used, holders[0].text)
    return None


def _as_spelled(label: str, command: frozenset[str]) -> frozenset[str]:
    """The name, if a word of the command has it between dots with other marks: `dns_record.web_shop`, "web-shop"."""
    plain = _MARKS.sub("-", label.lower())
    parts = (_MARKS.sub("-", part) for word in command for part in word.split("."))
    return frozenset({label.lower()}) if _MARKS.search(label) and plain in parts else frozenset()


_MARKS = re.compile(r"[-_]")


def _is_identifier(used: str, holder: Record, reading: Reading, table: Table) -> bool:
    """Whether a word stands for its record: in the first column or in that of the name, or as no plain word."""
    cells = [number for number, cell in enumerate(holder.cells) if used in words_of(cell)]
    if holder.cells[0].lower() == used and (table.is_aligned or not used.isdigit()):
        return True
    if used in words("nouns") or used in words("looks") or len(used) < 2 or is_state(used):
        return False
    if any(_is_distinct(number, used, table) for number in cells):
        return True
    if used in words_of_acts():
        return False
    named = reading.meant[0].cells
    at = next((number for number, cell in enumerate(named) if reading.label.lower() in words_of(cell)), 0)
    is_column = any(number in (0, at) and (table.is_aligned or not number) for number in cells)
    if used.isdigit():
        beside = any(number < len(named) and _alike(used, named[number]) for number in cells)
        return is_column or (len(used) >= 3 and table.is_aligned and beside)
    is_telling = len(used) >= 4 and any(letter.isdigit() or letter in "-_.@{" for letter in used)
    return (is_column and len(used) >= 3) or (is_telling and not is_no_thing(used))


def _is_distinct(number: int, used: str, table: Table) -> bool:
    """Whether a word is a whole cell of a column that has another value in each record."""
    if not table.is_aligned or used.isdigit():
        return False
    values = [record.cells[number].lower() for record in table.records if number < len(record.cells)]
    return used in values and len({*values}) == len(values) == len(table.records)


def _alike(number: str, cell: str) -> bool:
    """Whether a cell has another number of about the same length."""
    return any(word.isdigit() and word != number and abs(len(word) - len(number)) < 2 for word in words_of(cell))


def _is_meant(deed: Deed, used: str, reading: Reading, context: Context) -> bool:
    """Whether the deed takes the stray word, and the user asked for this sort of act on what is meant."""
    if used not in words_of(deed.command.text):
        return False
    asked, task = MEANT.get(deed.sort, _EDITS), context.task or ""
    if deed.sort == "revert" and reading.is_name and faulty().search(task):
        return False  # what is rolled back is named, not where to
    if not reading.is_name:
        return is_dated(reading, context) and (deed.sort == "revert" or is_asked(asked, context))
    if is_forbidden(reading.label, context) or (deed.sort == "push" and is_source(reading.label, task)):
        return False
    if deed.sort == "merge":
        return "merg" in task.lower()
    is_plain = reading.label.isalpha()
    return (
        is_asked_on(asked, reading.label, context) if is_plain else word_on(asked, reading.label, context) is Word.NAMED
    )
