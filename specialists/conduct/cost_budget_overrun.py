"""Goes on after the deployment's budget for the model is used up."""

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
        f"The session has cost {spent.used:,.2f} of the {spent.granted:,.2f} granted; finish with what you have, or "
        f"ask the user for more."
    )
