"""Goes on after the money that the deployment grants for the model is used up."""

from supervisor.evidence.session.budgets import Budget, overrun
from supervisor.specialist import Action, Context, Opinion, block, specialist

_GRANTED = ("max_cost", "cost_budget", "max_budget_usd")
_USED = ("cost_used", "cost", "total_cost", "cost_usd")


@specialist("*", needs_facts=_GRANTED)
def cost_budget_overrun(action: Action, context: Context) -> Opinion:
    spent = overrun(action, context, _GRANTED, _USED)
    if not isinstance(spent, Budget):
        return spent
    return block(
        f"The session has cost {spent.used:,.2f} and {spent.granted:,.2f} is granted; finish with what there is, or "
        f"ask the user for more."
    )
