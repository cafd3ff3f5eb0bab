"""Writes to a person with a similar name instead of the one that the user named."""

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.session.recipients import acquaintances, contacts, recipients
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("message")
def namesake_addressed(action: Action, context: Context) -> Opinion:
    to, book = recipients(action), contacts(context)
    if not to or not context.task or len(book) < 2:
        return refuse("there is no address book, or the user named no person")
    meant = [(name, address) for name, address in book if " " in name.strip() and is_named(name.strip(), context)]
    named = acquaintances(action, context).user
    for name, address in book:
        if address not in to or address in named or is_named(name, context):
            continue
        other = next(((each, where) for each, where in meant if _shares(name, each) and where not in to), None)
        if other:
            return nudge(
                f"It goes to {name} <{address}>, and the user named {other[0]}.",
                correction=f"Write to {other[0]} <{other[1]}>.",
                evidence=(address, other[1]),
            )
    return ok()


def _shares(one: str, other: str) -> bool:
    """Whether two names share a part, or one is a prefix of the other."""
    mine, theirs = one.casefold().split(), other.casefold().split()
    return bool(set(mine) & set(theirs)) or any(a[:4] == b[:4] and len(a) > 3 for a in mine for b in theirs)
