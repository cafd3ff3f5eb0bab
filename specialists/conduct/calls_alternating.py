"""Goes back and forth between two calls that give the same two answers."""

from supervisor.evidence.reading.facts import is_whole_number
from supervisor.evidence.session.repetition import alternations, is_waiting
from supervisor.specialist import Action, Cause, Context, Opinion, nudge, ok, refuse, specialist

MOST = 3


@specialist("*", needs_past=True, past=["repeated"], facts=["max_alternations"])
def calls_alternating(action: Action, context: Context) -> Opinion:
    most = context.facts.get("max_alternations", MOST)
    if not is_whole_number(most, least=1):
        return refuse(f"max_alternations is {most!r}, not a whole number above 0", Cause.INFRASTRUCTURE)
    turns = alternations(action, context)
    if turns < most or is_waiting(action):
        return ok()
    other = context.history[-1].tool
    return nudge(
        f"{action.tool} and {other} have taken turns {turns} times with the same two answers.",
        correction=f"Stop alternating between {action.tool} and {other}. Both answers are known: decide by them, try"
        " something else, or tell the user what blocks you.",
        sharper="Call neither of the two again. Try another way, or finish and report.",
        evidence=(other,),
    )
