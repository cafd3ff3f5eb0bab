"""Goes on after the time that the deployment grants is over."""

from supervisor.evidence.session.budgets import CLOSING, budget_of
from supervisor.specialist import Action, Context, Opinion, Refusal, block, ok, specialist

_GRANTED = ("max_seconds", "time_budget_seconds", "timeout_seconds")
_USED = ("elapsed_seconds", "seconds_used", "elapsed")


@specialist("*", needs_facts=_GRANTED)
def time_budget_overrun(action: Action, context: Context) -> Opinion:
    """Finishing and asking the user stay possible, so that the agent can hand over what it has."""
    budget = budget_of(context, _GRANTED, _USED)
    if isinstance(budget, Refusal):
        return budget
    if not budget.is_spent or action.kind in CLOSING:
        return ok()
    return block(
        f"The session has taken {budget.used:,.0f} seconds and {budget.granted:,.0f} are granted; finish with what "
        f"there is, or ask the user for more."
    )
