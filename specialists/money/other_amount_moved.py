"""The tool moved another amount of money than the requested one."""

from supervisor.evidence.business import business
from supervisor.evidence.business.amounts import Money, requested_amount
from supervisor.evidence.business.moved import agrees, moved
from supervisor.specialist import Action, Context, Opinion, block, flag, ok, refuse, specialist


@specialist("payment", "refund")
def other_amount_moved(action: Action, context: Context) -> Opinion:
    asked = requested_amount(action, business(action, context).schema)
    if asked is None:
        return refuse("the action names no readable amount")
    found = moved(action, context)
    if not found or agrees(asked, found, action, context):
        return ok()
    most = max(found, key=lambda each: each.amount)
    told = Money(most.amount, most.currency or asked.currency)
    reason = f"The call requested {asked}, and the tool reports that it moved {told}."
    if most.amount > asked.amount:
        return block(reason, evidence=(str(asked), str(told)))
    return flag(reason, evidence=(str(asked), str(told)))
