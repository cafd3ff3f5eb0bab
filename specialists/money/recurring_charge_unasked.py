"""Starts a recurring charge although the task does not ask for one."""

from supervisor.evidence.actions.named_args import all_args, named_args
from supervisor.evidence.business.operations import own_words
from supervisor.evidence.business.words import listed, words
from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_SWITCHES = listed("recurring auto_renew autorenew auto_renewal is_recurring repeat subscribe subscription renews")
_INTERVALS = listed("interval frequency billing_period billing_cycle recurrence cadence")
_OFTEN = listed("daily weekly biweekly monthly quarterly yearly annually annual day week month year")
_STARTS = listed("subscribe create start buy purchase activate add sign enroll")
_SUBSCRIBED = listed("subscription subscribe membership trial autopay")
_ASKED = Pattern(
    r"(?i)\b(recurr\w*|subscri\w*|monthly|weekly|yearly|annual\w*|daily|quarterly|every|each|per (month|week|year)"
    r"|standing order|auto\w*|renew\w*|member\w*|trial|plan|regular\w*|months?|weeks?|years?|repeat\w*|enroll\w*"
    r"|sign(ing)? up|rent|salar\w*|abo\w*|monatlich\w*|wöchentlich\w*|jährlich\w*|dauerauftrag|jeden|mensu\w*|chaque"
    r"|cada|suscri\w*|abonn\w*|semanal\w*|anual\w*|ogni|ежемесячн\w*|подписк\w*)\b|毎月|毎週|每月|每周|订阅|定期"
)


@specialist("payment", "tool", "form", facts=["earlier_requests"])
def recurring_charge_unasked(action: Action, context: Context) -> Opinion:
    sign = _sign(action)
    if not sign:
        told = action.kind == "payment" or (
            _pays(action) and any(_plain(n) in _SWITCHES | _INTERVALS for n in named_args(action))
        )
        return ok() if told else refuse("it starts no recurring charge")
    if not context.task:
        return refuse("the context has no task")
    said = [context.task, *map(str, context.facts.get("earlier_requests") or ())]
    if any(_ASKED.search(text[:16_384]) for text in said):
        return ok()
    return nudge(
        f"{sign} makes it a recurring charge, and the task does not ask for one.",
        correction="Make it a single payment, without renewal. If only a subscription is on offer, first ask the user.",
        evidence=(sign,),
    )


def _sign(action: Action) -> str:
    """The argument or word that makes the charge recur; "" for none."""
    is_payment = action.kind == "payment" or _pays(action)
    for name, value in all_args(action) if is_payment else ():
        plain = _plain(name)
        if plain in _SWITCHES and (value is True or str(value).lower() in ("true", "yes", "on")):
            return f"{name} = {value}"
        if plain in _INTERVALS and str(value).lower() in _OFTEN:
            return f"{name} = {value}"
    tool = own_words(action.tool)
    started = bool(tool) and not _SUBSCRIBED.isdisjoint(tool) and not _STARTS.isdisjoint(tool[:2])
    return action.tool if started and _pays(action) else ""


def _plain(name: object) -> str:
    return "_".join(words(str(name)))


def _pays(action: Action) -> bool:
    """Whether an argument names an amount, a price or a means of payment."""
    names = {word for name in named_args(action) for word in words(str(name))}
    return not names.isdisjoint(("amount", "price", "payment", "card", "billing", "currency", "plan"))
