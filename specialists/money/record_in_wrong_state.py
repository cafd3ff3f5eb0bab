"""Does to a record what its state does not allow."""

from supervisor.evidence.business import Business, Deed, Named, Record, business, deed
from supervisor.evidence.business.sentences import rules
from supervisor.evidence.business.store import named_records
from supervisor.evidence.business.words import state_words
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

# What makes no sense in any business that says nothing else.
_SENSELESS = {
    "cancel": "cancelled delivered returned refunded completed closed void expired used",
    "modify": "cancelled returned refunded void",
    "return": "pending processing processed cancelled returned refunded",
    "exchange": "pending processing processed cancelled returned refunded exchanged",
    "refund": "refunded unpaid void",
    "pay": "paid settled cancelled void refunded",
    "ship": "cancelled shipped delivered returned refunded",
    "suspend": "suspended closed terminated",
    "resume": "active closed terminated",
    "redeem": "redeemed expired used void",
    "withdraw": "frozen blocked closed locked suspended",
    "transfer": "frozen blocked closed locked suspended",
}
_NO_GOODS = frozenset("ticket case issue task item product address profile".split())


@specialist("tool", "payment", "refund")
async def record_in_wrong_state(action: Action, context: Context) -> Opinion:
    known, done = business(action, context), deed(action, context)
    if not done.act or done.reads:
        return refuse("it is no act that a state could forbid")
    found = await named_records(_about(done), known, action, context)
    told = [(named, record, state) for named, record in found if (state := known.state_of(record))]
    if not told:
        return refuse("no record that it names has a state")
    for named, record, state in told:
        why = _forbidden(action, context, done, record, state, known)
        if why:
            return nudge(
                f"{record.kind} {named.id} is {state!r}: {why}",
                correction=f"Do not {done.act} it while it is {state!r}. Tell the customer in which state it is, and do "
                "what the rules allow in that state, or hand over to a person.",
                evidence=(named.id, state),
            )
    return ok()


def _about(done: Deed) -> tuple[Named, ...]:
    """The things that the act is done to: those that the tool's own name speaks of, where it does."""
    things = tuple([each for each in done.named if not each.is_instrument and not each.others])
    spoken = done.nouns | {done.record}
    told = tuple([each for each in things if each.kind == done.record or each.kind.rpartition("_")[2] in spoken])
    return told or things


def _forbidden(
    action: Action, context: Context, done: Deed, record: Record, state: str, known: Business
) -> str:
    """Why the act is not allowed in this state, by the first that says anything: policy, text, name, common sense."""
    named = state_words(state)
    allowed = known.schema.states.get(record.kind, {}).get(done.act)
    if allowed is not None:
        return "" if state in allowed or not named.isdisjoint(allowed) else f"allowed is {', '.join(allowed)}."
    about = {record.kind, record.kind.rpartition("_")[2]}
    spoken = [rule for rule in rules(action, context).states if done.act in rule.acts and rule.about & about]
    broken = next((rule for rule in spoken if rule.forbids(state)), None)
    if spoken:
        return f"the policy says: {broken.sentence}" if broken else ""
    if done.states and named:
        return "" if named & done.states else f"the tool is for what is {', '.join(sorted(done.states))}."
    senseless = frozenset(_SENSELESS.get(done.act, "").split())
    return "that cannot be done to it any more, or not yet." if named & senseless and not about & _NO_GOODS else ""
