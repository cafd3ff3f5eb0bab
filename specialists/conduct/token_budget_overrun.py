"""Goes on after the deployment's budget of tokens is used up."""

from supervisor.evidence.session.budgets import Budget, overrun
from supervisor.specialist import Action, Context, Opinion, block, specialist

_GRANTED = ("max_tokens", "token_budget")
_USED = ("tokens_used", "total_tokens")


@specialist("*", needs_facts=_GRANTED)
def token_budget_overrun(action: Action, context: Context) -> Opinion:
    spent = overrun(action, context, _GRANTED, _USED, ("input_tokens", "output_tokens"))
    if not isinstance(spent, Budget):
        return spent
    return block(
        f"{spent.used:,.0f} tokens of the {spent.granted:,.0f} granted are used; finish with what you have, or ask "
        f"the user for more."
    )
