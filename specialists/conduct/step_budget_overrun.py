"""Goes on after the deployment's budget of steps is used up."""

from supervisor.evidence.reading.facts import is_whole_number
from supervisor.evidence.session.budgets import CLOSING
from supervisor.specialist import Action, Cause, Context, Opinion, block, ok, refuse, specialist

_LIMITS = ("max_steps", "max_tool_calls")


@specialist("*", needs_facts=_LIMITS, facts=["max_steps"])
def step_budget_overrun(action: Action, context: Context) -> Opinion:
    """Finishing and asking the user are always let through, so that the agent can hand over its work."""
    limits = [context.facts[name] for name in _LIMITS if context.facts.get(name) is not None]
    if not limits:
        return refuse("no limit of steps is set")
    if not all(is_whole_number(limit, least=0) for limit in limits):
        return refuse(f"{' or '.join(_LIMITS)} is not a whole number", Cause.INFRASTRUCTURE)
    taken, limit = len(context.history), min(limits)
    if taken < limit or action.kind in CLOSING:
        return ok()
    return block(
        f"It has taken {taken} steps of the {limit} granted; finish with what you have, or ask the user for more."
    )
