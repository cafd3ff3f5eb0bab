"""Moves money in a currency other than the requested or agreed one."""

from supervisor.evidence.business import business, operation
from supervisor.evidence.business.amounts import CODES, currency_of, moves_money, sums_in
from supervisor.evidence.business.store import named_records
from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_MOST_TASK = 16_384
_CONVERTS = Pattern(r"(?i)\b(convert\w*|exchang\w*|equivalent|worth|in (local|another|my|their) currency|umrechn\w*)\b")


@specialist("payment", "refund", "tool")
async def currency_contradicted(action: Action, context: Context) -> Opinion:
    known, done = business(action, context), operation(action, context)
    proposed = currency_of(action, known.schema)
    if not proposed or not moves_money(done):
        return refuse("it names no currency")
    task = (context.task or "")[:_MOST_TASK]
    said = {each.currency for each in sums_in(task)}
    agreed = next(iter(said)) if len(said) == 1 else ""
    for _, record in await named_records(done.named, known, action, context):
        told = record.named(record.shape.currency, "currency", "currency_code")
        if isinstance(told, str) and told.upper() in CODES:
            agreed = told.upper()
            break
    if not agreed:
        return refuse("no currency is agreed on")
    if proposed == agreed or proposed in said or proposed.lower() in task.lower() or _CONVERTS.search(task):
        return ok()
    return nudge(
        f"It moves money in {proposed}, and {agreed} is agreed on.",
        correction=f"Use {agreed}, or ask the user whether {proposed} is acceptable, and at which rate.",
        evidence=(proposed,),
    )
