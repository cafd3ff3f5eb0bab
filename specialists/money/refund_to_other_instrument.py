"""Refunds to another means of payment than the original one."""

from collections.abc import Mapping

from supervisor.evidence.business import Record, business, operation
from supervisor.evidence.business.records import ids_in
from supervisor.evidence.business.store import named_records
from supervisor.evidence.business.words import listed, plain_id, words
from supervisor.evidence.changes.asked import is_named
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, refuse, specialist

_COLUMNS = (
    "payment_method_id",
    "payment_method",
    "paid_with",
    "instrument_id",
    "card_id",
    "payment_source",
    "wallet_id",
)
_HISTORIES = ("payment_history", "payments", "transactions", "charges")
_STORE_CREDIT = listed("gift giftcard voucher certificate store_credit credit_note")


@specialist("refund", "tool")
async def refund_to_other_instrument(action: Action, context: Context) -> Opinion:
    known, done = business(action, context), operation(action, context)
    if done.reads or not (done.act in ("refund", "return") or "refund" in done.nouns) or not done.instruments:
        return refuse("it names no means of payment")
    chosen = done.instruments[0]
    for _, record in await named_records(done.named, known, action, context):
        paid_with = _paid_with(record)
        if record.is_instrument or record.is_person or not paid_with:
            continue
        if plain_id(chosen.id) in paid_with or not _STORE_CREDIT.isdisjoint(words(chosen.id)):
            return ok()
        reason = f"It refunds {record.kind} {record.id} to {chosen.id}, and {', '.join(sorted(paid_with))} paid for it."
        if is_named(chosen.id, context):
            return flag(reason, evidence=(chosen.id,))
        return nudge(
            reason,
            correction=f"Refund to the original means of payment ({', '.join(sorted(paid_with))}), as store credit if "
            "the rules allow it, or hand over to a person.",
            evidence=(chosen.id,),
        )
    return refuse("the original means of payment is unknown")


def _paid_with(record: Record) -> set[str]:
    """The means of payment that a record was paid with."""
    told = record.named(record.shape.instrument, *_COLUMNS)
    found = {plain_id(each) for each in ids_in(told)}
    for name in _HISTORIES:
        entries = record.values.get(name)
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, Mapping):
                found.update(plain_id(each) for column in _COLUMNS for each in ids_in(entry.get(column)))
    return found
