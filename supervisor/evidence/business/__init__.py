"""What a business knows of itself when an agent acts: its records, whose they are, and whose request this is.

State comes from the context's facts in any JSON shape, from what the session's tools returned, and, where the policy
names a table, through the database door. Facts are what the host says now, so they count before what a tool said; and
a record that an action of this session may have changed since it was read has no state until it is read again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from supervisor.action import Action, Context, Step
from supervisor.business import FACT, Schema
from supervisor.evidence import reader
from supervisor.evidence.business.deeds import Deed, Named, deed
from supervisor.evidence.business.parties import customer_of
from supervisor.evidence.business.records import Ledger, Record, ids_in, is_distinctive
from supervisor.evidence.business.schema import schema
from supervisor.evidence.business.words import is_reading, listed, plain_id, words
from supervisor.evidence.past import Growing, grown

__all__ = ["Business", "Deed", "Named", "Record", "Schema", "business", "deed", "schema"]

_ABOUT_A_RECORD = listed("detail details info information by id status list all record records data history for")
MOST_READ = 64 * 1024  # characters of one output that may be records
_NO_RECORDS = frozenset({FACT, "policy", "policies", "rules", "tools", "budget", "policy_file", "earlier_requests"})


@dataclass(frozen=True, slots=True)
class Business:
    """The records that are known, and the customer whose request this is ("" where nobody tells). `is_customers`: it
    is certain that it is a customer's, and not one of somebody who works on the records of many."""

    facts: Ledger
    told: Ledger
    changed: frozenset[str]  # ids that the session's own actions may have changed since they were read
    customer: str
    is_customers: bool
    schema: Schema

    def find(self, kind: str, identifier: str) -> Record | None:
        """The record of this kind and id; of any kind, where no two things share such an id by chance."""
        plain = plain_id(identifier)
        for ledger in (self.facts, self.told):
            found = ledger.records.get((kind, plain))
            if found is None and is_distinctive(plain):
                found = ledger.by_id.get(plain)
            if found is not None:
                return found
        return None

    def state_of(self, record: Record) -> str:
        """Its state; "" where it is not told, or may have changed since."""
        plain = plain_id(record.id)
        return record.state if self.facts.by_id.get(plain) is record or plain not in self.changed else ""

    def person(self, identifier: str) -> Record | None:
        """The record of a person, by id, address or any other of its plain values."""
        plain = plain_id(identifier)
        for ledger in (self.facts, self.told):
            if plain in ledger.people:
                return ledger.people[plain]
            for record in ledger.people.values():
                if plain in _plain_values(record.values):
                    return record
        return None

    def is_customer(self, identifier: str) -> bool:
        """Whether an id or an address is the customer's own."""
        if plain_id(identifier) == plain_id(self.customer):
            return True
        record = self.person(self.customer)
        return record is not None and (
            plain_id(identifier) == plain_id(record.id) or plain_id(identifier) in _plain_values(record.values)
        )

    def customers_list(self, kind: str) -> set[str]:
        """The ids of this kind that the customer's own record lists."""
        record = self.person(self.customer) if self.customer else None
        return self.facts.list_of(record.id, kind) if record else set()

    def is_owner_known(self, owner: str) -> bool:
        """Whether an owner and the customer are named in the same way, so that a difference means something."""
        return bool(owner and self.customer) and (
            ("@" in owner) == ("@" in self.customer) or self.person(self.customer) is not None
        )


@reader
def business(action: Action, context: Context) -> Business:
    """What is known of the business when this action is proposed."""
    stated = schema(action, context)
    facts = Ledger()
    for name, value in context.facts.items():
        if name not in _NO_RECORDS and isinstance(value, (Mapping, list)):
            facts.read(value, name, stated)
    past = grown(context, _Told, _frozen(stated))
    told, changed = past.until(len(context.history), stated)
    return Business(facts, told, changed, *customer_of(context.facts, facts, stated), stated)


class _Told(Growing):
    """What each step returned that may be records, and the ids that it may have changed."""

    def __init__(self, _: str) -> None:
        self.steps: list[tuple[str, Any, frozenset[str]]] = []
        self._read: tuple[int, Ledger, frozenset[str]] = (0, Ledger(), frozenset())

    def take(self, number: int, step: Step) -> None:
        name = words(step.tool)
        ids = [each for value in list(step.args.values())[:50] for each in ids_in(value)]
        writes = frozenset() if name and is_reading(name[0]) else frozenset(plain_id(each) for each in ids)
        self.steps[number : number + 1] = [(step.tool, None if step.failed else _returned(step.output), writes)]

    def until(self, length: int, stated: Schema) -> tuple[Ledger, frozenset[str]]:
        """The records that the first steps told of, and what has been changed since: read on from where it stood."""
        start, ledger, changed = self._read if self._read[0] <= length else (0, Ledger(), frozenset())
        if start == length:
            return ledger, changed
        later = Ledger()
        for tool, returned, writes in self.steps[start:length]:
            changed |= writes
            if returned is not None:
                fresh = Ledger()
                fresh.read(returned, _noun(tool), stated)
                if not fresh.records:
                    fresh.read(returned, "", stated)
                changed -= frozenset(fresh.by_id)
                later.absorb(fresh)
        read = ledger.joined(later)
        self._read = (length, read, changed)
        return read, changed


def _noun(tool: str) -> str:
    """What a tool that looks returns, by its name: an order, for `get_order_details`."""
    spoken = [word for word in words(tool) if not is_reading(word) and word not in _ABOUT_A_RECORD]
    return spoken[-1] if spoken else ""


def _returned(output: Any) -> Any:
    """An output as JSON values; None for text that is none."""
    if isinstance(output, str):
        text = output.strip()
        if text[:1] not in ("{", "[") or len(text) > MOST_READ:
            return None
        try:
            return orjson.loads(text)
        except orjson.JSONDecodeError:
            return None
    return output if isinstance(output, (Mapping, list)) else None


def _plain_values(values: Mapping[str, Any]) -> set[str]:
    return {plain_id(str(value)) for value in list(values.values())[:100] if isinstance(value, str) and value.strip()}


def _frozen(stated: Schema) -> str:
    """A schema as something that can be a key."""
    return repr(stated) if stated != Schema() else ""
