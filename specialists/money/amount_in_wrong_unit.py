"""Moves a hundred times the requested amount, or a hundredth of it, because cents and whole units are confused; or ten
times, by a digit too many."""

from supervisor.evidence.actions.named_args import outer_args
from supervisor.evidence.business import Business, business, operation
from supervisor.evidence.business.amounts import Money, due_for, moves_money, paid_for, requested_amount, sums_in
from supervisor.evidence.business.tenfold import names_amount, tenfold
from supervisor.evidence.business.words import plain_id, words
from supervisor.evidence.changes.asked import is_named
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, refuse, specialist

_MOST_TASK = 16_384
_FACTORS = (100.0, 0.01, 1000.0, 0.001)


@specialist("payment", "refund", "tool", "http", "form", "javascript", "file_write", "file_edit")
def amount_in_wrong_unit(action: Action, context: Context) -> Opinion:
    if action.kind in ("javascript", "file_write", "file_edit"):
        return judged(action, context, "minor")
    known, done = business(action, context), operation(action, context)
    slip = None if done.reads else tenfold(action, context)
    if slip is not None:
        return nudge(
            f"The amount is {slip[0]:,.10g}, and only {slip[1]:,.10g}, a tenth of it, was named or shown.",
            correction=f"Use {slip[1]:,.10g}, or show where the other amount comes from.",
            evidence=(f"{slip[0]:.10g}",),
        )
    asked = requested_amount(action, known.schema)
    if asked is None or asked.amount <= 0 or not moves_money(done):
        return refuse("it names no amount to move") if done.reads or not names_amount(action) else ok()
    said = sums_in((context.task or "")[:_MOST_TASK])
    recorded = _recorded(known, {each.id for each in done.named})
    if not said and not recorded:
        return refuse("neither the task nor a record names an amount")
    meant = [each.amount for each in said] or recorded
    if is_named(f"{asked.amount:g}", context) or any(_same(asked.amount, amount) for amount in (*meant, *recorded)):
        return ok()
    if _is_in_minor_units(asked.amount, action, known):
        return ok()
    off = next((amount for amount in meant if any(_same(asked.amount, amount * each) for each in _FACTORS)), None)
    if off is None:
        return ok()
    reason = f"It moves {asked}, and {Money(off, asked.currency)} is meant."
    if _unit_is_known(action, known):
        return nudge(
            reason,
            correction=f"Give the amount in the tool's own unit, so that it comes to {Money(off, asked.currency)}.",
            evidence=(str(asked),),
        )
    return flag(reason, confidence=0.6, evidence=(str(asked),))


def _recorded(known: Business, ids: set[str]) -> list[float]:
    """The amounts of the records that it names."""
    records = [r for ledger in (known.facts, known.from_outputs) for r in ledger.records.values() if r.id in ids]
    return [amount for r in records for amount in (due_for(r), paid_for(r)) if amount]


def _is_in_minor_units(amount: float, action: Action, known: Business) -> bool:
    """Whether a tool has shown the payment that the action names with at least this amount, so that it counts in
    cents."""
    ids = {plain_id(value) for _, value in outer_args(action) if isinstance(value, str)}
    shown = [record for plain, record in known.from_outputs.by_id.items() if plain in ids]
    return any((paid_for(record) or 0) >= amount for record in shown)


def _unit_is_known(action: Action, known: Business) -> bool:
    """Whether the policy, the argument's name or a fraction shows the unit of the tool's amount."""
    declared = known.schema.tools.get(action.tool)
    if declared is not None and declared.unit:
        return True
    names = {word for name, _ in outer_args(action) for word in words(str(name))}
    fractions = [value for _, value in outer_args(action) if isinstance(value, float) and not value.is_integer()]
    return not names.isdisjoint({"cents", "minor", "pence", "usd", "eur", "dollars", "euros", "gbp"}) or bool(fractions)


def _same(one: float, other: float) -> bool:
    return abs(one - other) < 0.005
