"""The records of a business, read from any JSON shape that a deployment uses."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from supervisor.evidence.business.words import (
    INSTRUMENTS,
    OWNERS,
    PERSONS,
    STATE_FIELDS,
    listed,
    plain_id,
    singular,
    snake,
    words,
)
from supervisor.policy.business import Column, Schema, Shape

MOST_VALUES = 1_500  # nested values that are read of one JSON value, since an event loop waits meanwhile
MOST_LISTED = 1_000  # ids in a list in one person's record; longer lists are not read
MOST_COLUMNS = 200  # of an object that may be a record
_WRAPPERS = listed(
    "db database data result results output response record records item_list context state world facts content body "
    "payload details value values rows entries object"
)
_ID_ENDINGS = ("_id", "_no", "_number", "_ref", "_code", "_uuid", "_key")
_NO_SHAPE = Shape()


@dataclass(frozen=True, slots=True)
class Record:
    """One thing that a business keeps. `owner` and `state` are "" if they are not known."""

    kind: str
    id: str
    owner: str
    state: str
    values: Mapping[str, Any]
    shape: Shape = field(default=_NO_SHAPE)

    @property
    def is_person(self) -> bool:
        """Whether it is a person, who is their own owner."""
        return self.kind in PERSONS

    @property
    def is_instrument(self) -> bool:
        """Whether it is a means of payment."""
        return self.kind in INSTRUMENTS

    def named(self, column: Column | str, *usual: str) -> Any:
        """The value in the column that the schema names, or else in the first of the usual columns that has one."""
        name = column.column if isinstance(column, Column) else column
        return next((self.values[each] for each in (name, *usual) if self.values.get(each) is not None), None)


@dataclass(frozen=True, slots=True)
class _Place:
    """A nested value: its name, the owner of the record around it, and its key if that is an id."""

    value: Any
    name: str
    owner: str
    key: str = ""


class Ledger:
    """Records by kind and id, and the ids that each person's own record lists."""

    def __init__(self) -> None:
        self.looked_at = 0  # values
        self.records: dict[tuple[str, str], Record] = {}
        self.by_id: dict[str, Record] = {}
        self.people: dict[str, Record] = {}
        self.columns: dict[str, dict[str, Record]] = {}  # name of a column → records with it, by id
        self.listed: dict[str, dict[str, set[str]]] = {}  # person → kind → ids

    def absorb(self, later: Ledger) -> None:
        """Adds all records of a later ledger, which replace records of the same thing."""
        self.records.update(later.records)
        self.by_id.update(later.by_id)
        self.people.update(later.people)
        self.listed.update(later.listed)
        for name, records in later.columns.items():
            self.columns.setdefault(name, {}).update(records)

    def with_column(self, names: frozenset[str]) -> list[Record]:
        """The records that have a column with one of these words in its name."""
        fitting = [each for name, each in self.columns.items() if not names.isdisjoint(words(name))]
        return [record for records in fitting for record in records.values()]

    def add(self, record: Record) -> None:
        """Adds a record, unless a known record of the same thing has more columns and an owner."""
        key = (record.kind, plain_id(record.id))
        known = self.records.get(key)
        if known is None or len(record.values) >= len(known.values) or known.owner == "":
            self.records[key] = record
            self.by_id[key[1]] = record
            for name in record.values:
                self.columns.setdefault(str(name), {})[key[1]] = record
            if record.is_person:
                self.people[key[1]] = record

    def list_of(self, person: str, kind: str) -> set[str]:
        """The ids of this kind that a person's record names."""
        return self.listed.get(plain_id(person), {}).get(kind, set())

    def read(self, value: Any, name: str, schema: Schema, key: str = "") -> None:
        """Adds every record in a JSON value with this name, among the first MOST_VALUES nested values. `key` is the id
        of the value itself if it has none inside."""
        stack = [_Place(value, name, "", key)]
        while stack and self.looked_at < MOST_VALUES:
            place = stack.pop()
            self.looked_at += 1
            if isinstance(place.value, Mapping):
                self.looked_at += len(place.value)
                stack.extend(self._inside(place, schema))
            elif isinstance(place.value, (list, tuple)):
                room = MOST_VALUES - self.looked_at
                inside = [each for each in place.value[:room] if isinstance(each, (Mapping, list, tuple))]
                self.looked_at += len(place.value) - len(inside)
                stack.extend(_Place(each, place.name, place.owner) for each in reversed(inside))

    def _inside(self, place: _Place, schema: Schema) -> Iterator[_Place]:
        values = place.value
        if len(values) > MOST_VALUES:
            return
        record = None if len(values) > MOST_COLUMNS else record_from(values, place.name, schema, place.owner, place.key)
        owner = place.owner
        if record:
            self.add(record)
            if record.is_person:
                owner = record.id
                self._list(record)
        keyed = _is_keyed(values)
        for key, each in values.items():
            if isinstance(each, (Mapping, list, tuple)):
                yield _Place(each, place.name if keyed else str(key), owner, str(key) if keyed else "")

    def _list(self, person: Record) -> None:
        """Adds the ids that a person's record lists: `orders: [..]`, `line_ids: [..]`, lists of ids alone."""
        kept = self.listed.setdefault(plain_id(person.id), {})
        for name, values in person.values.items():
            if isinstance(values, list) and 0 < len(values) <= MOST_LISTED and all(_is_id(each) for each in values):
                kept.setdefault(kind_named(str(name)), set()).update(plain_id(str(each)) for each in values)


def record_from(values: Mapping[str, Any], name: str, schema: Schema, owner: str = "", key: str = "") -> Record | None:
    """The record that an object contains; None if nothing in it identifies one. `owner` is that of the record around
    it."""
    kind, shape = _kind_and_shape(values, name, schema)
    id_name = shape.id if shape.id in values else _id_column(values, kind)
    found = values.get(id_name) if id_name else key or None
    if not _is_id(found):
        return None
    if id_name and kind in _WRAPPERS | {""}:
        kind = kind_named(id_name)
    if kind in _WRAPPERS or not kind:
        return None
    whose = values[shape.owner] if shape.owner in values else _owner_in(values, id_name, kind)
    whose = str(whose) if _is_id(whose) else owner
    return Record(kind, str(found), str(found) if kind in PERSONS else whose, _state_in(values, shape), values, shape)


def _kind_and_shape(values: Mapping[str, Any], name: str, schema: Schema) -> tuple[str, Shape]:
    kind = kind_named(name)
    for known, shape in schema.records.items():
        if kind == known or (shape.table and name.casefold() == shape.table.casefold()):
            return known, shape
    for known, shape in schema.records.items():
        if shape.id and shape.id in values and (not shape.owner or shape.owner in values):
            return known, shape
    return kind, _NO_SHAPE


@functools.lru_cache(maxsize=4096)
def kind_named(name: str) -> str:
    """The kind of record that the name of a table, a column or an argument means (`order_ids`: order)."""
    plain = snake(name)
    for ending in ("_ids", "_id", "_nos", "_no", "_numbers", "_number", "_refs", "_ref", "_code", "_uuid"):
        if plain.endswith(ending):
            plain = plain.removesuffix(ending)
            break
    head, _, last = plain.rpartition("_")
    return f"{head}_{singular(last)}" if head else singular(last)


def _id_column(values: Mapping[str, Any], kind: str) -> str:
    """The column with the record's own id: that of its kind, plain `id`, or the first whose name ends like an id."""
    spelled = {snake(str(name)): str(name) for name in values}
    for usual in _usual_ids(kind):
        if usual in spelled:
            return spelled[usual]
    if kind not in _WRAPPERS and kind:
        last = kind.rpartition("_")[2]
        return next((spelled[f"{last}{ending}"] for ending in _ID_ENDINGS if f"{last}{ending}" in spelled), "")
    return next((original for plain, original in spelled.items() if plain.endswith(("_id", "_no"))), "")


@functools.lru_cache(maxsize=4096)
def _usual_ids(kind: str) -> tuple[str, ...]:
    return (*(f"{kind}{ending}" for ending in _ID_ENDINGS), "id", "_id", "uuid", f"{kind}id")


def _owner_in(values: Mapping[str, Any], id_name: str, kind: str) -> Any:
    spelled = {snake(str(name)): name for name in values if name != id_name}
    for usual in OWNERS:
        if usual in spelled and usual != f"{kind}_id":
            found = values[spelled[usual]]
            if isinstance(found, Mapping):
                found = found.get("id", found.get(f"{usual}_id"))
            if _is_id(found):
                return found
    return None


def _state_in(values: Mapping[str, Any], shape: Shape) -> str:
    for name in (shape.state, *STATE_FIELDS):
        found = values.get(name)
        if isinstance(found, str):
            return found.strip().lower()[:100]
    return ""


def _is_keyed(values: Mapping[str, Any]) -> bool:
    """Whether an object is a table by id: every value is an object, and the keys contain digits."""
    keys = [str(key) for key in values]
    return (
        bool(keys)
        and all(isinstance(each, Mapping) for each in values.values())
        and all(any(letter.isdigit() for letter in key) for key in keys)
    )


def _is_id(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return False
    return 0 < len(str(value).strip()) <= 128 and "\n" not in str(value)


def ids_in(values: Any) -> Sequence[str]:
    """The ids in one value or a list of them."""
    listed = values if isinstance(values, (list, tuple)) else [values]
    return [str(each) for each in listed[:200] if _is_id(each)]


def is_distinctive(identifier: str) -> bool:
    """Whether an id differs from a word or a small number, so that a second occurrence is not by chance."""
    return len(identifier) >= 4 and any(letter.isdigit() for letter in identifier) and len(words(identifier)) <= 8
