"""Performs an act that the agent's role does not allow."""

from collections.abc import Mapping

from supervisor.evidence.business import operation
from supervisor.evidence.business.words import snake
from supervisor.specialist import Action, Cause, Context, Opinion, nudge, ok, refuse, specialist


@specialist("tool", "payment", "refund", "sql", "message", needs_facts=["roles"], facts=["role", "roles"])
def role_exceeded(action: Action, context: Context) -> Opinion:
    """The fact `roles` maps a role to the acts and tools it may use (`"*"` for all); `role` is the agent's role."""
    roles, role = context.facts.get("roles"), context.facts.get("role")
    if not isinstance(roles, Mapping) or not isinstance(role, str):
        return refuse("no roles are stated, or the agent's role is unknown")
    allowed = roles.get(role, [])
    if not isinstance(allowed, (list, tuple)):
        return refuse("a role in `roles` is not a list of acts and tools", Cause.INFRASTRUCTURE)
    done, may = operation(action, context), {snake(str(each)) if each != "*" else "*" for each in allowed}
    if done.reads or "*" in may or not may.isdisjoint({done.act, snake(action.tool), action.kind}):
        return ok()
    if not done.act and action.kind == "tool":
        return refuse("the tool's name shows no act")
    holders = sorted(str(name) for name, acts in roles.items() if isinstance(acts, list) and done.act in acts)
    return nudge(
        f"The role {role} may not {done.act or action.tool}.",
        correction=f"Hand it over to {' or '.join(holders) or 'a role that may'}, with the facts that you have.",
        evidence=(role, done.act or action.tool),
    )
