"""Goes on after the deployment's time budget is used up."""

from supervisor.evidence.session.budgets import Budget, overrun
from supervisor.specialist import Action, Context, Opinion, block, specialist

_GRANTED = ("max_seconds", "time_budget_seconds", "timeout_seconds")
_USED = ("elapsed_seconds", "seconds_used", "elapsed")


@specialist("*", needs_facts=_GRANTED)
def time_budget_overrun(action: Action, context: Context) -> Opinion:
    spent = overrun(action, context, _GRANTED, _USED)
    if not isinstance(spent, Budget):
        return spent
    return block(
        f"The session has taken {spent.used:,.0f} seconds of the {spent.granted:,.0f} granted; finish with what you "
        f"have, or ask the user for more."
    )
