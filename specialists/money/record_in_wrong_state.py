"""Performs an act on a record that the record's state does not allow."""

from supervisor.evidence.business import Business, Named, Operation, Record, business, operation
from supervisor.evidence.business.sentences import StateRule, policy_text, rules_in
from supervisor.evidence.business.store import named_records
from supervisor.evidence.business.words import listed, snake, state_words
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

# States in which an act makes no sense, unless the business's own rules say otherwise.
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
# Permanent properties of a record, which rules treat like states.
_CLASSES = ("class", "cabin", "type", "category", "tier", "plan", "level", "fare", "fare_class", "membership", "grade")
_NO_GOODS = listed("ticket case issue task item product address profile")
_SENT = listed("envelope invitation message email mail letter document agreement contract")


@specialist("tool", "payment", "refund")
async def record_in_wrong_state(action: Action, context: Context) -> Opinion:
    known, done = business(action, context), operation(action, context)
    stated = await rules_in.unhurried(policy_text(context.facts))
    spoken = [rule for rule in stated.states if rule.speaks_of_deed(done.act, done.nouns)]
    if done.reads or not (done.act or spoken):
        return refuse("no state could forbid this act")
    found = await named_records(_about(done), known, action, context)
    told = [(each, record, state) for each, record in found for state in _conditions(record, known, action)]
    if not told:
        return refuse("no record that it names has a state")
    for named, record, state in told:
        if why := _forbidden(done, record, state, known, spoken):
            return nudge(
                f"{record.kind} {named.id} is {state!r}: {why}",
                correction=f"Do not {done.act or 'do this'} while it is {state!r}. Tell the customer the state, "
                "and do what the rules allow in it, or hand over to a person.",
                evidence=(named.id, state),
            )
    return ok()


def _conditions(record: Record, known: Business, action: Action) -> list[str]:
    """The record's state and classes, except for those that the action itself changes."""
    classes = [(name, each) for name in _CLASSES if isinstance(each := record.values.get(name), str)]
    kept = [each[:100] for name, each in classes if snake(str(action.args.get(name, each))) == snake(each)]
    return [state for state in (known.state_of(record), *kept) if state]


def _about(done: Operation) -> tuple[Named, ...]:
    """The records that the act is performed on: those in the tool's own name, if it has any. A means of payment does
    not count, unless the act replaces a card."""
    spoken = done.nouns | {done.record}
    own = [each for each in done.named if not each.others]
    things = tuple([each for each in own if not each.is_instrument or each.kind.rpartition("_")[2] in spoken])
    told = tuple([each for each in things if each.kind == done.record or each.kind.rpartition("_")[2] in spoken])
    return told or things


def _forbidden(done: Operation, record: Record, state: str, known: Business, spoken: list[StateRule]) -> str:
    """Why the act is not allowed in this state, by the first source that decides: policy, text, name, common sense."""
    named, is_state = state_words(state), state == known.state_of(record)
    allowed = known.schema.states.get(record.kind, {}).get(done.act)
    if allowed is not None and is_state:
        return "" if state in allowed or not named.isdisjoint(allowed) else f"allowed is {', '.join(allowed)}."
    about = {record.kind, record.kind.rpartition("_")[2]}
    if not is_state:
        classes = (rule for rule in spoken if rule.about & (about | done.objects) and rule.speaks_of(state))
        return next((f"the policy says: {rule.sentence}" for rule in classes), "")
    fitting = [rule for rule in spoken if rule.states and rule.about & about]
    if fitting:
        return next((f"the policy says: {rule.sentence}" for rule in fitting if rule.forbids(state)), "")
    if done.states and named:
        return "" if named & done.states else f"the tool is for what is {', '.join(sorted(done.states))}."
    senseless = frozenset(_SENSELESS.get(done.act, "").split())
    if not _SENT.isdisjoint(done.objects | about):
        senseless -= {"delivered"}  # what was sent has arrived, and nobody has signed or used it yet
    return "that is no longer possible, or not yet." if named & senseless and not about & _NO_GOODS else ""
