"""Exceeds a limit that the deployment states, as a number or in a sentence of its policy."""

from collections.abc import Mapping
from typing import Any

from supervisor.evidence.actions.named_args import all_args, named_args
from supervisor.evidence.business import Operation, Schema, business, operation
from supervisor.evidence.business.amounts import Money, moves_money, number, requested_amount
from supervisor.evidence.business.sentences import POLICY_FACTS, Limit, rules
from supervisor.evidence.business.words import listed, singular, words
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

# Words of a tool's name that are common in every policy.
_USUAL = listed(
    "user customer client order account agent get set send issue make create add update apply process submit request "
    "the to of for a an by"
)


@specialist("tool", "payment", "refund", needs_facts=("limits", *POLICY_FACTS), facts=["approved_by", "limits", "role"])
def stated_limit_exceeded(action: Action, context: Context) -> Opinion:
    known, done = business(action, context), operation(action, context)
    if done.reads:
        return refuse("it only reads")
    if context.facts.get("approved_by"):
        return ok()
    asked = requested_amount(action, known.schema) if moves_money(done) or done.act else None
    stated = _stated(context, done, asked) if asked else None
    if asked and stated and asked.amount > stated.amount:
        return _beyond(str(asked), f"the limit is {stated}")
    measured_in = {singular(word) for name in named_args(action) for word in words(str(name))}
    stated_limits = rules(action, context).limits
    limits = [limit for limit in stated_limits if limit.unit in measured_in or _is_about(limit, done)]
    for measured, fitting in _measured(action, known.schema, asked, limits):
        widest = max(fitting, key=lambda limit: limit.most)
        if measured > widest.most:
            return _beyond(f"{measured:g}", f"the policy says: {widest.sentence}")
    return ok() if limits or stated else refuse("no limit is stated")


def _beyond(asked: str, said: str) -> Opinion:
    return nudge(
        f"It comes to {asked}, and {said}",
        correction="Stay within the limit, or hand the request over to a person who may decide it.",
        evidence=(asked,),
    )


def _stated(context: Context, done: Operation, asked: Money) -> Money | None:
    """The fact `limits`: an act to an amount, or to an amount by role."""
    limits = context.facts.get("limits")
    limit: Any = limits.get(done.act) if isinstance(limits, Mapping) else None
    if isinstance(limit, Mapping) and "amount" not in limit:
        limit = limit.get(context.facts.get("role"))
    currency = limit.get("currency", "") if isinstance(limit, Mapping) else ""
    most = number(limit.get("amount") if isinstance(limit, Mapping) else limit)
    if most is None or (currency and asked.currency and currency != asked.currency):
        return None
    return Money(most, str(currency))


def _is_about(limit: Limit, done: Operation) -> bool:
    return limit.speaks_of(done.act) or not (done.nouns & limit.about).isdisjoint(done.nouns - _USUAL)


def _measured(
    action: Action, stated: Schema, asked: Money | None, limits: list[Limit]
) -> list[tuple[float, list[Limit]]]:
    """The action's amount in each measured unit, with the limits for that unit."""
    found: list[tuple[float, list[Limit]]] = []
    money = [limit for limit in limits if not limit.unit and not limit.is_percent]
    if asked and (fitting := [each for each in money if each.currency in ("", asked.currency) or not asked.currency]):
        found.append((asked.amount, fitting))
    for name, value in all_args(action):
        of_name = {singular(word) for word in words(str(name))}
        fitting = [
            limit for limit in limits if (limit.unit or "percent" * limit.is_percent) in of_name and not _money(limit)
        ]
        amount = float(len(value)) if isinstance(value, (list, tuple)) else number(value)
        if fitting and amount is not None:
            found.append((amount, fitting))
    return found


def _money(limit: Limit) -> bool:
    return not limit.unit and not limit.is_percent
