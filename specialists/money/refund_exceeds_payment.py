"""Refunds more than was paid."""

from supervisor.evidence.business import Operation, Record, business, operation
from supervisor.evidence.business.amounts import Money, given_back, paid_for, requested_amount
from supervisor.evidence.business.store import named_records
from supervisor.evidence.business.words import listed
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_PAID_THINGS = listed("order booking reservation payment charge invoice bill purchase transaction ticket")


@specialist("refund", "tool")
async def refund_exceeds_payment(action: Action, context: Context) -> Opinion:
    known, done = business(action, context), operation(action, context)
    if not _refunds(done):
        return refuse("it refunds nothing")
    asked = requested_amount(action, known.schema)
    if asked is None:
        return refuse("the refund names no readable amount")
    for named, record in await named_records(done.named, known, action, context):
        paid = paid_for(record) if _is_paid_for(record) else None
        if paid is None:
            continue
        left = paid - given_back(record)
        if round(asked.amount - left, 6) > 0:
            most = Money(max(left, 0.0), asked.currency)
            return nudge(
                f"It refunds {asked} of {record.kind} {named.id}, and {most} of the payment is left.",
                correction=f"Refund at most {most}, and let a person decide about anything beyond that.",
                evidence=(named.id, str(asked)),
            )
        return ok()
    return refuse("the payment is unknown")


def _refunds(done: Operation) -> bool:
    return not done.reads and (done.act == "refund" or "refund" in done.nouns)


def _is_paid_for(record: Record) -> bool:
    return record.kind.rpartition("_")[2] in _PAID_THINGS or record.shape.total != "" or record.shape.paid != ""
