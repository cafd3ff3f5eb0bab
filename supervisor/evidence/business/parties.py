"""Whose request it is: the customer that the host has authenticated, or the only person that the facts are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from supervisor.business import Schema
from supervisor.evidence.business.records import Ledger, ids_in
from supervisor.evidence.business.words import PERSONS, listed, plain_id, snake

_AUTHENTICATED = ("authenticated", "verified", "current", "logged_in", "session", "signed_in", "identified", "calling")
_NAMES = frozenset(
    {f"{how}_{who}{end}" for how in _AUTHENTICATED for who in PERSONS for end in ("", "_id", "_no")}
    | {"authenticated_as", "logged_in_as", "acting_for", "on_behalf_of", "caller_id", "account_holder"}
    | {f"{who}_id" for who in PERSONS}
)
_ROLES = ("role", "principal_role", "user_role", "caller_role", "principal_kind", "principal_type")
_STAFF = listed(
    "admin administrator employee staff agent manager supervisor operator ops analyst accountant finance support "
    "developer engineer back_office internal system"
)


def customer_of(facts: Mapping[str, Any], known: Ledger, stated: Schema) -> str:
    """The customer's id or address as the facts give it; "" where they name none, or the request is the staff's."""
    if stated.customer and (stating := _one(facts.get(stated.customer))):
        return stating
    if any(snake(str(facts.get(role, ""))[:40]) in _STAFF for role in _ROLES if isinstance(facts.get(role), str)):
        return ""
    for name, value in facts.items():
        if snake(str(name)) in _NAMES and (found := _one(value)):
            return found
    principal = _one(facts.get("principal"))
    if principal and _is_known(principal, known):
        return principal
    people = {record.id for record in known.records.values() if record.is_person}
    return people.pop() if len(people) == 1 and _is_about_one(facts, known) else ""


def _one(value: Any) -> str:
    if isinstance(value, Mapping):
        names = ("id", *(f"{who}_id" for who in sorted(PERSONS)), "email", "username")
        return next((told for name in names if (told := _one(value.get(name)))), "")
    found = ids_in(value) if not isinstance(value, (list, tuple)) else ()
    return found[0].strip() if found else ""


def _is_known(principal: str, known: Ledger) -> bool:
    plain = plain_id(principal)
    owners = (record.owner for record in known.records.values())
    return any(plain == plain_id(owner) for owner in owners if owner)


def _is_about_one(facts: Mapping[str, Any], known: Ledger) -> bool:
    """Whether a person stands in the facts as such: `customer: {…}`, alone or inside of the host's data."""
    places = [facts, *(value for value in facts.values() if isinstance(value, Mapping))]
    return any(name in PERSONS and isinstance(place.get(name), Mapping) for place in places for name in PERSONS)
