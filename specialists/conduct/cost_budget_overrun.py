"""Goes on after the money that the deployment grants for the model is used up."""

from supervisor.evidence.session.budgets import CLOSING, budget_of
from supervisor.specialist import Action, Context, Opinion, Refusal, block, ok, specialist

_GRANTED = ("max_cost", "cost_budget", "max_budget_usd")
_USED = ("cost_used", "cost", "total_cost", "cost_usd")


@specialist("*", needs_facts=_GRANTED)
def cost_budget_overrun(action: Action, context: Context) -> Opinion:
    """Finishing and asking the user stay possible, so that the agent can hand over what it has."""
    budget = budget_of(context, _GRANTED, _USED)
    if isinstance(budget, Refusal):
        return budget
    if not budget.is_spent or action.kind in CLOSING:
        return ok()
    return block(
        f"The session has cost {budget.used:,.2f} and {budget.granted:,.2f} is granted; finish with what there is, or "
        f"ask the user for more."
    )
