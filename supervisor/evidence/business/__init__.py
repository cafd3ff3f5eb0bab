"""The data of a business when an agent acts: its records, their owners, and the customer who makes the request.

Records come from the context's facts in any JSON shape, from the outputs of the session's tools, and, if the policy
names a table, through the database door. Facts are the host's current data, so they take precedence over outputs. A
record that an action of this session may have changed since it was read has no known state until it is read again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from supervisor.action import Action, Context, Step
from supervisor.evidence import reader
from supervisor.evidence.business.lookups import asked_for
from supervisor.evidence.business.operations import Named, Operation, operation, own_words, resources
from supervisor.evidence.business.parties import customer_of
from supervisor.evidence.business.records import MOST_VALUES, Ledger, Record, ids_in, is_distinctive
from supervisor.evidence.business.schema import schema
from supervisor.evidence.business.words import is_reading, listed, plain_id, words
from supervisor.evidence.history.past import Growing, grown
from supervisor.evidence.reading.outputs import returned_values
from supervisor.policy.business import FACT, Schema

__all__ = ["Business", "Named", "Operation", "Record", "Schema", "business", "operation", "schema"]

_ABOUT_A_RECORD = listed("detail details info information by id status list all record records data history for")
MOST_STEPS = 40  # last steps whose outputs are read for records
_NO_RECORDS = frozenset({FACT, "policy", "policies", "rules", "tools", "budget", "policy_file", "earlier_requests"})


@dataclass(frozen=True, slots=True)
class Business:
    """The known records, and the customer who makes the request ("" if not known).

    `facts` are the records from facts, `from_outputs` those from outputs. `is_customers` means that a customer
    certainly makes the request, not a member of staff.
    """

    facts: Ledger
    from_outputs: Ledger
    changed: frozenset[str]  # ids that the session's own actions may have changed since they were read
    customer: str
    is_customers: bool
    schema: Schema

    def find(self, kind: str, identifier: str) -> Record | None:
        """The record of this kind and id, or of any kind if the id is distinctive; None if there is none."""
        plain = plain_id(identifier)
        for ledger in (self.facts, self.from_outputs):
            found = ledger.records.get((kind, plain))
            if found is None and is_distinctive(plain):
                found = ledger.by_id.get(plain)
            if found is not None:
                return found
        return None

    def state_of(self, record: Record) -> str:
        """The state of a record; "" if it is not known or may have changed since."""
        plain = plain_id(record.id)
        return record.state if self.facts.by_id.get(plain) is record or plain not in self.changed else ""

    def person(self, identifier: str) -> Record | None:
        """The record of a person, by id, address or any other plain value in it."""
        plain = plain_id(identifier)
        for ledger in (self.facts, self.from_outputs):
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
        """Whether an owner and the customer are identified in the same way, so that they can be compared."""
        return bool(owner and self.customer) and (
            ("@" in owner) == ("@" in self.customer) or self.person(self.customer) is not None
        )


@reader
def business(action: Action, context: Context) -> Business:
    """The data of the business when this action is proposed."""
    stated = schema(action, context)
    facts = Ledger()
    for name, value in context.facts.items():
        if name not in _NO_RECORDS and isinstance(value, (Mapping, list)):
            facts.read(value, name, stated)
    past = grown(context, _OutputRecords, _frozen(stated))
    returned, changed = past.until(len(context.history), stated)
    return Business(facts, returned, changed, *customer_of(context.facts, facts, stated), stated)


class _OutputRecords(Growing):
    """The records in the outputs of the last steps, and the ids that these steps may have changed.

    A step is read on first use. The number of steps that are read depends only on their contents, so that a replayed
    decision has the same records.
    """

    def __init__(self, _: str) -> None:
        self.steps: list[Step] = []
        self._read: dict[int, tuple[Ledger, frozenset[str]]] = {}

    def take(self, number: int, step: Step) -> None:
        self.steps[number : number + 1] = [step]

    def until(self, length: int, stated: Schema) -> tuple[Ledger, frozenset[str]]:
        """The records in the outputs of the steps before number `length`, and the ids that may have changed since."""
        returned, changed, room = Ledger(), frozenset[str](), MOST_VALUES
        window = []
        for number in range(length - 1, max(-1, length - 1 - MOST_STEPS), -1):
            if number not in self._read:
                self._read[number] = _read(self.steps[number], stated)
            room -= 1 + self._read[number][0].looked_at
            if room < 0:
                break
            window.append(self._read[number])
        for fresh, writes in reversed(window):
            changed = (changed | writes) - frozenset(fresh.by_id)
            returned.absorb(fresh)
        for number in [each for each in self._read if each < length - 2 * MOST_STEPS]:
            self._read.pop(number, None)
        return returned, changed


def _read(step: Step, stated: Schema) -> tuple[Ledger, frozenset[str]]:
    """The records that a step returned, and the ids of the records that it may have changed."""
    name = words(step.tool)
    ids = [each for value in list(step.args.values())[:50] for each in ids_in(value)]
    writes = frozenset[str]() if name and is_reading(name[0]) else frozenset(plain_id(each) for each in ids)
    returned = None if step.failed else returned_values(step.output)
    for noun in (_noun(step.tool), ""):
        fresh = Ledger()
        if returned is not None:
            fresh.read(returned, noun, stated, asked_for(step))
        if fresh.records or fresh.looked_at > MOST_VALUES // 2:
            break
    return fresh, writes


def _noun(tool: str) -> str:
    """The kind of record that a reading tool returns, by its name: an order, for `get_order_details`."""
    spoken = [
        word
        for word in (own_words(tool) if resources(tool) else words(tool))
        if not is_reading(word) and word not in _ABOUT_A_RECORD
    ]
    return spoken[-1] if spoken else ""


def _plain_values(values: Mapping[str, Any]) -> set[str]:
    return {plain_id(str(value)) for value in list(values.values())[:100] if isinstance(value, str) and value.strip()}


def _frozen(stated: Schema) -> str:
    """A schema in a hashable form."""
    return repr(stated) if stated != Schema() else ""
