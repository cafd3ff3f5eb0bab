"""Pays more than the amount of the invoice or bill that it names."""

from supervisor.evidence.business import business, operation
from supervisor.evidence.business.amounts import Money, due_for, requested_amount
from supervisor.evidence.business.store import named_records
from supervisor.evidence.business.words import listed
from supervisor.evidence.changes.asked import is_named
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, refuse, specialist

_ASKS_FOR_MONEY = listed("invoice bill statement fee fine claim order booking reservation")


@specialist("payment", "tool")
async def amount_above_what_is_due(action: Action, context: Context) -> Opinion:
    known, done = business(action, context), operation(action, context)
    asked = requested_amount(action, known.schema)
    if done.act != "pay" or asked is None:
        return refuse("it names no amount to pay")
    for named, record in await named_records(done.named, known, action, context):
        due = due_for(record) if record.kind.rpartition("_")[2] in _ASKS_FOR_MONEY else None
        if due is None:
            continue
        if asked.amount <= due + 0.005:
            return ok()
        reason = f"It pays {asked} for {record.kind} {named.id}, which asks for {Money(due, asked.currency)}."
        if is_named(f"{asked.amount:g}", context) or is_named(f"{asked.amount:.2f}", context):
            return flag(reason, evidence=(named.id,))
        return nudge(
            reason,
            correction=f"Pay {Money(due, asked.currency)}, the amount due, or ask the user which amount to pay.",
            evidence=(named.id, str(asked)),
        )
    return refuse("the amount due is unknown")
