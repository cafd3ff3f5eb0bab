"""The customer who makes the request: the one that the host has authenticated, or the only person in the facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from supervisor.evidence.business.records import Ledger, ids_in
from supervisor.evidence.business.words import PERSONS, listed, plain_id, snake
from supervisor.policy.business import Schema

_AUTHENTICATED = ("authenticated", "verified", "current", "logged_in", "session", "signed_in", "identified", "calling")
# Names that a host may also use for members of staff.
_MAYBE_STAFF = frozenset(
    {"user", "user_id", "member", "member_id", "student", "student_id", "logged_in_as", "on_behalf_of", "acting_for"}
    | {f"{how}_user{end}" for how in ("current", "session", "logged_in", "signed_in") for end in ("", "_id", "_no")}
)
# Names that certainly mean a customer, even if a member of staff is at work.
_CERTAIN = frozenset(
    {f"{how}_{who}{end}" for how in _AUTHENTICATED for who in PERSONS - {"user"} for end in ("", "_id", "_no")}
)
CUSTOMER_FACTS = frozenset(
    _CERTAIN
    | {f"{how}_user{end}" for how in _AUTHENTICATED for end in ("", "_id", "_no")}
    | {"authenticated_as", "logged_in_as", "acting_for", "on_behalf_of", "caller_id", "account_holder"}
    | {f"{who}_id" for who in PERSONS}
)
_PERSONS = tuple(sorted(PERSONS))  # in one order, so that a search looks up the same facts in every process
_ROLES = ("role", "principal_role", "user_role", "caller_role", "principal_kind", "principal_type")
_STAFF = listed(
    "admin administrator employee staff manager supervisor operator ops analyst accountant developer engineer "
    "back_office internal"
)


class Customer(NamedTuple):
    """The id or address of the customer who makes the request, "" if not known. `is_certain` means that the host has
    stated it; a bare `user` may be a member of staff, who works on other people's records."""

    id: str
    is_certain: bool


_NOBODY = Customer("", is_certain=False)


def customer_of(facts: Mapping[str, Any], known: Ledger, stated: Schema) -> Customer:
    """The customer in the facts; without an id if they name none, or if a member of staff makes the request."""
    if stated.customer and (customer := _one(facts.get(stated.customer))):
        return Customer(customer, is_certain=True)
    is_staffs = any(snake(str(facts[role])[:40]) in _STAFF for role in _ROLES if isinstance(facts.get(role), str))
    telling = _CERTAIN if is_staffs else CUSTOMER_FACTS
    named = [(snake(str(name)), value) for name, value in facts.items() if snake(str(name)) in telling]
    for name, value in sorted(named, key=lambda each: each[0] in _MAYBE_STAFF):
        if found := _one(value):
            return Customer(found, is_certain=name not in _MAYBE_STAFF)
    if is_staffs:
        return _NOBODY
    principal = _one(facts.get("principal"))
    if principal and _is_known(principal, known):
        return Customer(principal, is_certain=True)
    people = {record.id: record.kind for record in known.people.values()}
    if len(people) != 1 or not _is_about_one(facts):
        return _NOBODY
    (only, kind), *_ = people.items()
    return Customer(only, is_certain=kind not in _MAYBE_STAFF)


def _one(value: Any) -> str:
    if isinstance(value, Mapping):
        names = ("id", *(f"{who}_id" for who in sorted(PERSONS)), "email", "username")
        return next((each for name in names if (each := _one(value.get(name)))), "")
    found = ids_in(value) if not isinstance(value, (list, tuple)) else ()
    return found[0].strip() if found else ""


def _is_known(principal: str, known: Ledger) -> bool:
    plain = plain_id(principal)
    owners = (record.owner for record in known.records.values())
    return any(plain == plain_id(owner) for owner in owners if owner)


def _is_about_one(facts: Mapping[str, Any]) -> bool:
    """Whether the facts contain a person under such a name: `customer: {…}`, at the top or inside the host's data."""
    places = [facts, *(value for value in facts.values() if isinstance(value, Mapping))]
    return any(isinstance(place.get(name), Mapping) for place in places for name in _PERSONS)
