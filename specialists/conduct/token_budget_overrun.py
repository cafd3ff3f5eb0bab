"""Goes on after the tokens that the deployment grants are used up."""

from supervisor.evidence.session.budgets import CLOSING, budget_of
from supervisor.specialist import Action, Context, Opinion, Refusal, block, ok, specialist

_GRANTED = ("max_tokens", "token_budget")
_USED = ("tokens_used", "total_tokens")


@specialist("*", needs_facts=_GRANTED)
def token_budget_overrun(action: Action, context: Context) -> Opinion:
    """Finishing and asking the user stay possible, so that the agent can hand over what it has."""
    budget = budget_of(context, _GRANTED, _USED, ("input_tokens", "output_tokens"))
    if isinstance(budget, Refusal):
        return budget
    if not budget.is_spent or action.kind in CLOSING:
        return ok()
    return block(
        f"{budget.used:,.0f} tokens are used and {budget.granted:,.0f} are granted; finish with what there is, or ask "
        f"the user for more."
    )
