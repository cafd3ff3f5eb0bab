"""Charges or credits a means of payment that is not the customer's."""

from supervisor.evidence.business import Business, Named, business, operation
from supervisor.evidence.business.records import ids_in
from supervisor.evidence.business.words import INSTRUMENT_PREFIXES, plain_id, singular, words
from supervisor.evidence.changes.asked import is_named
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, refuse, specialist


@specialist("tool", "payment", "refund")
def instrument_of_another_customer(action: Action, context: Context) -> Opinion:
    known, done = business(action, context), operation(action, context)
    named = [each for each in done.named if _is_instrument(each)]
    if done.reads or not named:
        return refuse("it names no means of payment")
    own = _own(known)
    if not own:
        return refuse("the customer's means of payment are unknown")
    stranger = next((each for each in named if plain_id(each.id) not in own), None)
    if stranger is None:
        return ok()
    reason = f"{stranger.argument} {stranger.id} is not among the means of payment of {known.customer}."
    if is_named(stranger.id, context):
        return flag(reason, evidence=(stranger.id,))
    return nudge(
        reason,
        correction="Use the means of payment that the customer chose from their own profile. If they chose none, ask "
        "them.",
        evidence=(stranger.id,),
    )


def _is_instrument(named: Named) -> bool:
    """`payment_id` may name a payment or a means of payment; the id itself then decides."""
    prefix = next(iter(words(named.id)), "")
    return named.is_instrument or (named.kind in ("payment", "source") and prefix in INSTRUMENT_PREFIXES)


def _own(known: Business) -> set[str]:
    """The customer's means of payment: records of theirs, and ids that their own record lists."""
    if not known.customer:
        return set()
    records = [record for ledger in (known.facts, known.from_outputs) for record in ledger.records.values()]
    own = {plain_id(each.id) for each in records if each.is_instrument and known.is_customer(each.owner)}
    person = known.person(known.customer)
    if person is not None:
        for name, value in person.values.items():
            if any(singular(word) in ("payment", "card", "wallet", "instrument") for word in words(str(name))):
                own.update(plain_id(each) for each in (*ids_in(value), *_nested_ids(value)))
    return own


def _nested_ids(value: object) -> list[str]:
    """Ids inside of a list or a table of means of payment."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    inside = [each.get(name) for _, each in entries if isinstance(each, dict) for name in ("id", "payment_id", "token")]
    keys = list(value) if isinstance(value, dict) else []
    return [found for each in (*inside, *keys) for found in ids_in(each)]
