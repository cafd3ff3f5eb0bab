"""Does what the role in which the agent acts may not do."""

from collections.abc import Mapping

from supervisor.evidence.business import deed
from supervisor.evidence.business.words import snake
from supervisor.specialist import Action, Cause, Context, Opinion, nudge, ok, refuse, specialist


@specialist("tool", "payment", "refund", "sql", "message", needs_facts=["roles"])
def role_exceeded(action: Action, context: Context) -> Opinion:
    """The fact `roles` maps a role to the acts and tools it may use (`"*"` for all); `role` says which one it is."""
    roles, role = context.facts.get("roles"), context.facts.get("role")
    if not isinstance(roles, Mapping) or not isinstance(role, str):
        return refuse("no roles are stated, or nobody tells in which the agent acts")
    allowed = roles.get(role, [])
    if not isinstance(allowed, (list, tuple)):
        return refuse("a role is a list of acts and tools", Cause.INFRASTRUCTURE)
    done, may = deed(action, context), {snake(str(each)) if each != "*" else "*" for each in allowed}
    if done.reads or "*" in may or not may.isdisjoint({done.act, snake(action.tool), action.kind}):
        return ok()
    if not done.act and action.kind == "tool":
        return refuse("the act cannot be told from the tool's name")
    holders = sorted(str(name) for name, acts in roles.items() if isinstance(acts, list) and done.act in acts)
    return nudge(
        f"The role {role} may not {done.act or action.tool}.",
        correction=f"Leave it to {' or '.join(holders) or 'somebody who may'}: hand it over with what is known.",
        evidence=(role, done.act or action.tool),
    )
