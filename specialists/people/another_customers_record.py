"""Acts on, or reads, a record that does not belong to the requesting customer."""

from supervisor.evidence.business import Business, Named, business, operation
from supervisor.evidence.business.store import record_of
from supervisor.evidence.business.words import PERSONS, plain_id
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_COMPANIONS = frozenset({"passenger", "guest", "student", "applicant", "buyer"})  # people that a customer may act for


@specialist("tool", "payment", "refund")
async def another_customers_record(action: Action, context: Context) -> Opinion:
    known, done = business(action, context), operation(action, context)
    if not known.is_customers:
        return refuse("the requesting customer is unknown")
    for named in done.named[:20]:
        if named.others or named.is_instrument:
            continue
        whose = await _stranger(named, known, context, looks=done.reads)
        if whose:
            return nudge(
                f"{named.argument} {named.id} {whose}, and the request is {known.customer}'s.",
                correction="Act only on records of the authenticated customer. Tell the customer that you cannot help "
                "with another customer's records, and disclose nothing about them.",
                evidence=(named.id, known.customer),
            )
    return ok()


async def _stranger(named: Named, known: Business, context: Context, *, looks: bool) -> str:
    """The record's owner, in words; "" if it is the customer's own or the owner is unknown. A look-up of a number that
    the customer gave may find no such record."""
    if named.kind in PERSONS - _COMPANIONS:
        return "is somebody else" if _is_another_person(named, known) else ""
    record = await record_of(named.kind, named.id, known, context)
    if record is not None and record.owner:
        other = known.is_owner_known(record.owner) and not known.is_customer(record.owner)
        return f"belongs to {record.owner}" if other else ""
    listed = known.customers_list(named.kind)
    plain = plain_id(named.id)
    is_new = plain in known.changed or plain in known.from_outputs.by_id
    missing = not looks and listed and plain not in listed and not is_new
    return f"is not among the customer's {named.kind}s" if missing else ""


def _is_another_person(named: Named, known: Business) -> bool:
    if known.is_customer(named.id):
        return False
    return known.person(named.id) is not None or (
        known.person(known.customer) is not None and ("@" in named.id) == ("@" in known.customer)
    )
