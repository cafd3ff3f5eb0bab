"""Acts on a record whose number is in no text of the user or of a tool."""

from supervisor.evidence.business import business, operation
from supervisor.evidence.business.lookups import end_of_address, is_preset, was_looked_up
from supervisor.evidence.business.records import is_distinctive
from supervisor.evidence.business.words import plain_id
from supervisor.evidence.provenance import provenance
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_MOST_FACTS = 256 * 1024


@specialist("tool", "refund", needs_past=True)
def record_made_up(action: Action, context: Context) -> Opinion:
    """Judges only if the session's tools have returned something that could contain the number."""
    done = operation(action, context)
    if done.reads or not done.act or not done.named:
        return refuse("it names no record")
    if not any(step.output for step in context.history):
        return refuse("what the tools returned is not known")
    known = business(action, context)
    nowhere = {plain_id(each.text) for each in provenance(action, context).values if each.nowhere and each.whole}
    for named in done.named:
        plain = plain_id(named.id)
        if plain not in nowhere or not is_distinctive(plain) or known.find(named.kind, named.id):
            continue
        if (ending := end_of_address(named.id)) and known.find(named.kind, ending):
            continue
        if plain in str(dict(context.facts))[:_MOST_FACTS].casefold():
            continue
        if was_looked_up(context, named.id) or is_preset(named.kind, action, context):
            continue
        return nudge(
            f"{named.argument} {named.id} is neither in the user's words nor in a tool's output.",
            correction=f"Look up the {named.kind} first, or ask the user for its number, and use that one.",
            evidence=(named.id,),
        )
    return ok()
