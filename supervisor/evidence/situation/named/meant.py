"""Whether a request describes the thing that an action is on: the row of a listing that has it is the one meant.

"Reinit the lagging replica", and the listing has one replica that lags; "the disk of 8 TB", "my tables".
"""

from __future__ import annotations

from supervisor.action import Action, Context
from supervisor.evidence.effects.effect import is_known
from supervisor.evidence.situation.named.described import readings
from supervisor.evidence.situation.named.records import Record, Table, tables


def is_described(target: str, action: Action, context: Context) -> bool:
    """Whether the request describes this target, and no other row of the listing that has it."""
    name = target.strip("'\"").rstrip("/").rpartition("/")[2].lower()
    if len(name) < 2 or not is_known(target) or not context.history:
        return False
    said = [found for table in tables(action, context) if (found := _is_the_one(table, name, context)) is not None]
    return bool(said) and all(said)


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
