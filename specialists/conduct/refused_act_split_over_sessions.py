"""Does a refused act in pieces, in several sessions."""

from supervisor.methods.recalled import day_of, is_asked_anew, is_remedied, is_whole, recalled
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("shell", "sql", "payment", "refund", needs_facts=["agent_memory"], facts=["agent_memory"])
async def refused_act_split_over_sessions(action: Action, context: Context) -> Opinion:
    """Adds the action to the pieces that ran, and compares their sum with the act that was refused."""
    memory = await recalled(action, context)
    if not memory.session:
        return refuse("the action belongs to no session")
    for act in memory.standing():
        pieces = memory.pieces_with(act)
        sessions = {act.session, *(piece.session for piece in pieces)}
        if len(pieces) < 2 or len(sessions) < 2 or not is_whole(act, pieces):
            continue
        if is_asked_anew(act, context) or is_remedied(act, context):
            continue
        return nudge(
            f"With {len(pieces) - 1} earlier actions, this does what was refused on {day_of(act.at)}: {act.reason}",
            correction="Do not do a refused act in pieces. Ask the user whether it may be done, and name all of it.",
            sharper="The sum of the pieces is the refused act. Tell the user what has been done of it so far.",
            evidence=(act.shown,),
        )
    return ok()
