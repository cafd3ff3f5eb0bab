"""Whether a request describes the thing that an action is on: the row of a listing that has it is the one meant.

"Reinit the lagging replica", and the listing has one replica that lags; "the disk of 8 TB", "my tables".
"""

from __future__ import annotations

import re
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence.effects.effect import is_known
from supervisor.evidence.situation.deeds import Deed, deeds
from supervisor.evidence.situation.named.described import readings
from supervisor.evidence.situation.named.others import speaks_of_rest
from supervisor.evidence.situation.named.records import Record, Table, tables

_WORD = re.compile(r"[^\W_]+")
_LONGEST = 8 * 1024  # characters of a request


def is_described(target: str, action: Action, context: Context) -> bool:
    """Whether the request describes this target, and no other row of the listing that has it."""
    name = target.strip("'\"").rstrip("/").rpartition("/")[2].lower()
    if len(name) < 2 or not is_known(target) or not context.history:
        return False
    listed = [*tables(action, context)]
    said = [found for table in listed if (found := _is_the_one(table, name, context)) is not None]
    return all(said) if said else any(_has_most_words(table, name, context) for table in listed)


def _has_most_words(table: Table, name: str, context: Context) -> bool:
    """Whether the one record with a name has at least two words of the request, and more of them than any other."""
    said = frozenset(word for word in _WORD.findall((context.task or "")[:_LONGEST].lower()) if len(word) > 2)
    shared = {record: len((said & _words(record)) - {name}) for record in table.records}
    own = [record for record in table.records if name in map(str.lower, record.cells)]
    if len(own) != 1 or shared[own[0]] < 2:
        return False
    return all(count < shared[own[0]] for record, count in shared.items() if record is not own[0])


def _words(record: Record) -> frozenset[str]:
    return frozenset(word for word in record.words if len(word) > 2 and not word.isdigit())


def _is_the_one(table: Table, name: str, context: Context) -> bool | None:
    """Whether a request describes the one record that has a name; None if it describes none of the table, or
    the table does not tell it apart."""
    own = [record for record in table.records if name in record.words]
    meant: set[Record] = set(table.records)
    found = [reading.meant for reading in readings(table, context) if not reading.is_name]
    if not found or len(own) != 1:
        return None
    for each in found:
        meant &= set(each)
    return meant == set(own)


class OtherRow(NamedTuple):
    """The row that a request describes, and the name from another row that a command has."""

    meant: str
    used: str


_IDENTIFIER = re.compile(r"(?=[\w-]*\d)[a-z]+-[\da-z-]{4,40}|\d{3,20}")
_LOSES = frozenset({"delete", "stop", "revert", "unlock"})


def other_described(action: Action, context: Context) -> tuple[Deed, OtherRow] | None:
    """The first deed with the identifier of another row than the one with which the request has the most words in
    common: two at least, and more than with any other."""
    if not context.history or speaks_of_rest((context.task or "")[:_LONGEST]):
        return None
    acting = [deed for deed in deeds(action, context) if deed.sort in _LOSES]
    for table in tables(action, context) if acting else ():
        said = frozenset(word for word in _WORD.findall((context.task or "")[:_LONGEST].lower()) if len(word) > 2)
        shared = sorted(((len(said & _words(record)), at) for at, record in enumerate(table.records)), reverse=True)
        if len(shared) < 2 or shared[0][0] < 2 or shared[0][0] == shared[1][0]:
            continue
        best = table.records[shared[0][1]]
        for deed in acting:
            names = [word.lower() for word in deed.targets if _IDENTIFIER.fullmatch(word.lower())]
            if any(name in best.words for name in names):
                continue
            for name in names:
                if name not in said and any(name in record.words for record in table.records if record is not best):
                    return deed, OtherRow(" ".join(best.cells)[:120], name)
    return None
