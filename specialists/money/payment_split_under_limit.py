"""Pays in parts that each stay under a limit which their sum exceeds."""

from supervisor.evidence.business import business, operation
from supervisor.evidence.business.amounts import number, requested_amount
from supervisor.evidence.business.sentences import POLICY_FACTS, rules
from supervisor.evidence.session.spending import SPENDING, amount_of, paid_to
from supervisor.specialist import Action, Context, Opinion, Refusal, block, ok, refuse, specialist


@specialist(*SPENDING, needs_past=True, needs_facts=("limits", *POLICY_FACTS), facts=["limits"])
def payment_split_under_limit(action: Action, context: Context) -> Opinion:
    """The limit of one payment comes from the fact `limits: {pay: 1000}`, or from the policy's sentences."""
    limit = _limit(action, context)
    asked = requested_amount(action, business(action, context).schema)
    payee = str(action.get("payee" if action.kind == "payment" else "order") or "").strip()
    if limit is None or asked is None or not payee:
        return refuse("no limit, no amount or no payee is named")
    if asked.amount > limit:
        return refuse("this payment alone is above the limit")
    before = paid_to(action, context, payee)
    if isinstance(amount_of(action, ""), Refusal) or before + asked.amount <= limit or before == 0:
        return ok()
    return block(
        f"With the {before:,.2f} paid to {payee} before, this {asked} exceeds the limit of {limit:,.2f} for one "
        "payment.",
        evidence=(payee,),
    )


def _limit(action: Action, context: Context) -> float | None:
    limits = context.facts.get("limits")
    act = operation(action, context).act
    stated = number(limits.get(act)) if isinstance(limits, dict) else None
    if stated is not None:
        return stated
    about = [limit for limit in rules(action, context).limits if not limit.unit and not limit.is_percent]
    fitting = [limit.most for limit in about if limit.speaks_of(act)]
    return max(fitting) if fitting else None
