"""Writes to an address that imitates a known one."""

import functools
from itertools import chain, islice

from supervisor.evidence.session.recipients import acquaintances, encoded, recipients
from supervisor.evidence.urls.look_alike import edits, look_alike
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_MOST_KNOWN = 200
_LEAST_NAME = 5  # characters; shorter names lie near too many others


@specialist("message", "payment")
def look_alike_recipient(action: Action, context: Context) -> Opinion:
    to = recipients(action)
    if not to:
        return refuse("it goes to no address")
    named = acquaintances(action, context)
    for address in named.unknown(to):
        known = islice(chain(sorted(named.user), sorted(named.facts), named.tools), _MOST_KNOWN)
        near = min((each for each in known if _looks_like(address, each)), default=None)
        if near and address not in encoded(context):
            return nudge(
                f"Neither the user nor a tool has named {address}; it imitates {near}, which is known.",
                correction=f"Write to {near}, or ask the user for the address.",
                evidence=(address, near),
            )
    return ok()


def _looks_like(address: str, known: str) -> bool:
    """Whether the address has an imitated domain, another ending, or one wrong letter in the name."""
    (person, _, domain), (known_person, _, known_domain) = address.rpartition("@"), known.rpartition("@")
    if domain == known_domain:
        longer = min(len(person), len(known_person)) >= _LEAST_NAME
        digits = any(letter.isdigit() for letter in person + known_person)
        near = abs(len(person) - len(known_person)) <= 1
        return longer and near and not digits and edits(person, known_person) == 1
    if _imitates(domain, known_domain):
        return True
    (label, _, ending), (known_label, _, known_ending) = domain.partition("."), known_domain.partition(".")
    return person == known_person and label == known_label and ending != known_ending


@functools.lru_cache(maxsize=4096)
def _imitates(domain: str, known: str) -> bool:
    """Cached, because the people of a session have only a few domains."""
    return look_alike(domain, [known]) is not None
