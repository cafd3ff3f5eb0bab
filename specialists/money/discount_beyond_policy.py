"""Grants a discount, a code or a price that the deployment does not have."""

from collections.abc import Iterable

from supervisor.evidence.business import operation
from supervisor.evidence.business.amounts import number
from supervisor.evidence.business.sentences import POLICY_FACTS, policy_text, rules
from supervisor.evidence.business.words import listed, words
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
    name = set(words(action.tool)) | {word for arg in action.args for word in words(str(arg))}
    if operation(action, context).reads or name.isdisjoint(_DISCOUNTS):
        return refuse("it grants no discount")
    text, codes = policy_text(context.facts), _codes(context)
    most = _most(action, context)
    percent, code = _granted(action)
    if percent is not None and most is not None and percent > most:
        return _beyond(f"{percent:g}% off, and at most {most:g}% is allowed", f"Grant at most {most:g}%.")
    if code and (codes or text) and code.lower() not in codes and code.lower() not in text.lower():
        return _beyond(f"the code {code}, which the deployment does not have", "Use a code that the deployment has.")
    return ok() if most is not None or codes or text else refuse("the allowed discounts are unknown")


def _beyond(granted: str, correction: str) -> Opinion:
    return nudge(f"It grants {granted}.", correction=f"{correction} Or grant none, and ask whoever sets the prices.")


def _most(action: Action, context: Context) -> float | None:
    stated = number(context.facts.get("max_discount_percent"))
    if stated is not None:
        return stated
    said = [each.most for each in rules(action, context).limits if each.is_percent and each.about & _DISCOUNTS]
    return max(said) if said else None


def _granted(action: Action) -> tuple[float | None, str]:
    """The percentage and the code that it grants."""
    percent, code = None, ""
    for name, value in action.args.items():
        of_name = set(words(str(name)))
        if of_name & {"percent", "percentage", "pct"} or of_name == {"discount"}:
            percent = number(str(value).rstrip("% "))
        if isinstance(value, str) and of_name & {"code", "coupon", "promo"} and not of_name & {"zip", "country"}:
            code = value.strip()[:100]
    return percent, code


def _codes(context: Context) -> set[str]:
    found: set[str] = set()
    for name in _CODES:
        stated = context.facts.get(name)
        entries: Iterable[object] = stated if isinstance(stated, (list, tuple, dict)) else ()
        for entry in entries:
            values = entry.values() if isinstance(entry, dict) else [entry]
            found.update(str(value).strip().lower() for value in values if isinstance(value, str))
    return found
