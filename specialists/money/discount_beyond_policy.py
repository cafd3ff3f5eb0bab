"""Grants a discount, a code or a price that the deployment does not have."""

from collections.abc import Iterable

from supervisor.evidence.actions.named_args import all_args, named_args
from supervisor.evidence.business import operation
from supervisor.evidence.business.amounts import number
from supervisor.evidence.business.sentences import POLICY_FACTS, policy_text, rules
from supervisor.evidence.business.words import listed, singular, words
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_DISCOUNTS = listed("discount coupon promo promotion voucher markdown rebate")
_CODES = ("discount_codes", "coupons", "promo_codes", "promotions", "offers")


@specialist(
    "tool",
    "form",
    needs_facts=("max_discount_percent", *_CODES, *POLICY_FACTS),
    facts=["discount_codes", "max_discount_percent"],
)
def discount_beyond_policy(action: Action, context: Context) -> Opinion:
    """Reads the facts `max_discount_percent` and `discount_codes`, and the discounts in the policy's text."""
    name = {singular(word) for each in (action.tool, *named_args(action)) for word in words(each)}
    if operation(action, context).reads or name.isdisjoint(_DISCOUNTS):
        return refuse("it grants no discount")
    text, codes = policy_text(context.facts), _codes(context)
    most = _most(action, context)
    percents, granted = _granted(action)
    percent = max(percents, default=None)
    if percent is not None and most is not None and percent > most:
        return _beyond(f"{percent:g}% off, and at most {most:g}% is allowed", f"Grant at most {most:g}%.")
    unknown = [code for code in granted if code.lower() not in codes and code.lower() not in text.lower()]
    if unknown and (codes or text):
        return _beyond(
            f"the code {unknown[0]}, which the deployment does not have", "Use a code that the deployment has."
        )
    return ok() if most is not None or codes or text else refuse("the allowed discounts are unknown")


def _beyond(granted: str, correction: str) -> Opinion:
    return nudge(f"It grants {granted}.", correction=f"{correction} Or grant none, and ask whoever sets the prices.")


def _most(action: Action, context: Context) -> float | None:
    stated = number(context.facts.get("max_discount_percent"))
    if stated is not None:
        return stated
    said = [each.most for each in rules(action, context).limits if each.is_percent and each.about & _DISCOUNTS]
    return max(said) if said else None


def _granted(action: Action) -> tuple[list[float], list[str]]:
    """The percentages and the codes that it grants."""
    percents: list[float] = []
    codes: list[str] = []
    for name, value in all_args(action):
        of_name = set(words(str(name)))
        if of_name & {"percent", "percentage", "pct"} or of_name == {"discount"}:
            percent = number(str(value).rstrip("% "))
            percents += [] if percent is None else [percent]
        if (
            isinstance(value, str)
            and of_name & {"code", "coupon", "promo"}
            and not of_name & {"zip", "country"}
            and value.strip()
        ):
            codes.append(value.strip()[:100])
    return percents, codes


def _codes(context: Context) -> set[str]:
    found: set[str] = set()
    for name in _CODES:
        stated = context.facts.get(name)
        entries: Iterable[object] = stated if isinstance(stated, (list, tuple, dict)) else ()
        for entry in entries:
            values = entry.values() if isinstance(entry, dict) else [entry]
            found.update(str(value).strip().lower() for value in values if isinstance(value, str))
    return found
