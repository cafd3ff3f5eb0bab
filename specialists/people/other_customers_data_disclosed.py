"""Discloses data of another customer: their address, number or identity."""

from collections.abc import Iterator

from supervisor.evidence.business import Business, Record, business
from supervisor.evidence.business.words import listed, plain_id, words
from supervisor.evidence.reading.facts import texts_in
from supervisor.evidence.session.recipients import body_of, recipients
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_PRIVATE = listed(
    "email phone mobile telephone ssn passport iban birth dob birthdate birthday address1 street card account licence "
    "license tax last_four"
)
_LEAST = 6  # characters; shorter values match by chance


@specialist("message", "finish", "ask_user")
def other_customers_data_disclosed(action: Action, context: Context) -> Opinion:
    known = business(action, context)
    if not known.is_customers:
        return refuse("the requesting customer is unknown")
    others = [record for record in _people(known) if not known.is_customer(record.id)]
    if not others:
        return refuse("no other customer is known")
    text = _said(action).casefold()
    for person in others:
        own = {value.casefold() for value in _private(person)}
        if recipients(action) & own:
            continue  # the message is addressed to them
        told = next((value for value in sorted(own) if value in text and not _is_mine(value, known)), None)
        if told:
            return nudge(
                f"It discloses {told!r} of {person.kind} {person.id}, and the request is {known.customer}'s.",
                correction="Leave out everything about other customers; mention only the customer's own records.",
                evidence=(person.id,),
            )
    return ok()


def _said(action: Action) -> str:
    if action.kind == "message":
        return body_of(action)
    return action.text("summary") or action.text("question")


def _people(known: Business) -> Iterator[Record]:
    for ledger in (known.facts, known.from_outputs):
        yield from ledger.people.values()


def _private(person: Record) -> set[str]:
    """The private values of a person's record."""
    places = ((place, value.strip()) for place, value in texts_in(person.values))
    return {value for place, value in places if len(value) >= _LEAST and not _PRIVATE.isdisjoint(words(place))}


def _is_mine(value: str, known: Business) -> bool:
    """Whether the customer has the same value, as members of one household do."""
    record = known.person(known.customer)
    return record is not None and any(plain_id(text) == plain_id(value) for _, text in texts_in(record.values))
