"""Tries in a new session what was refused in an earlier one."""

from supervisor.methods.recalled import day_of, is_asked_anew, is_remedied, recalled
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("*", needs_facts=["agent_memory"], facts=["agent_memory"])
async def refused_act_retried_later(action: Action, context: Context) -> Opinion:
    """Compares deeds with their options. The specialist that refused the act may not see the cause in this session."""
    memory = await recalled(action, context)
    if not memory.session:
        return refuse("the action belongs to no session")
    for act in memory.elsewhere():
        if not memory.is_same(act) or is_asked_anew(act, context) or is_remedied(act, context):
            continue
        return nudge(
            f"The same was refused on {day_of(act.at)} in another session: {act.reason}",
            correction=act.correction or "Ask the user, and say that it was refused and why.",
            sharper="It stays refused until its cause is gone or a person allows it. Ask, or go on without it.",
            evidence=(act.shown,),
        )
    return ok()
