"""Begins another session while the guard refuses more and more of what the agent proposes."""

from supervisor.methods.rates import rise
from supervisor.methods.recalled import recalled
from supervisor.specialist import Action, Context, Opinion, flag, ok, refuse, specialist


@specialist("*", needs_facts=["agent_memory"], facts=["agent_memory"])
async def refusals_rising(action: Action, context: Context) -> Opinion:
    """Speaks once a session, at its first action, so that a person hears of the agent and not of each step."""
    memory = await recalled(action, context)
    if not memory.session:
        return refuse("the action belongs to no session")
    if context.history or any(act.session == memory.session for act in memory.acts):
        return ok()
    found = rise(memory)
    if found is None:
        return ok()
    return flag(
        f"{found.recent} of the agent's actions were refused in the last {found.days:g} days, {found.times:.1f} times"
        " as many for each step as before.",
        evidence=found.reasons,
    )
