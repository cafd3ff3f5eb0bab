"""Does what the agent promised after a refusal not to do again, or to do in another way."""

from supervisor.methods.promises import breaks
from supervisor.methods.recalled import day_of, is_asked_anew, is_remedied, recalled
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist(
    "shell", "sql", "python", "javascript", "file_write", "file_edit", "file_delete", "http", "message", "payment",
    "refund", "tool", needs_facts=["agent_memory"], facts=["agent_memory"],
)  # fmt: skip
async def promise_after_refusal_broken(action: Action, context: Context) -> Opinion:
    """Reads the agent's own words, of this session or an earlier one, beside the act that they were about."""
    memory = await recalled(action, context)
    if not any(act.pledge for act in memory.acts):
        return refuse("the agent has promised nothing")
    for act in memory.standing():
        pledge = act.pledge
        if pledge is None or not breaks(memory, act, pledge, action, context):
            continue
        if is_asked_anew(act, context) or is_remedied(act, context):
            continue
        return nudge(
            f"On {day_of(pledge.at)}, after a refusal, the agent said: “{pledge.text[:200]}” That was about this act.",
            correction="Keep to what you said. If that does not work, say so to the user before you do anything else.",
            sharper="You said that you would not do this. Go on without it, or ask the user to allow it.",
            evidence=(act.shown,),
        )
    return ok()
