"""Sends an offer to many people without a way to unsubscribe."""

from supervisor.evidence.prose.offers import is_offer
from supervisor.evidence.reading.facts import is_whole_number
from supervisor.evidence.session.recipients import body_of, recipients
from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Cause, Context, Opinion, nudge, ok, refuse, specialist

MOST_AT_ONCE = 20
_WAY_OUT = Pattern(
    r"(?i)\b(unsubscribe|opt[- ]?out|manage (your )?preferences|stop receiving|reply stop|text stop|no longer wish|"
    r"abmelden|abbestellen|d[ée]sabonner|se d[ée]sinscrire|darse de baja|cancelar (la )?suscripci[oó]n|disiscri\w*|"
    r"отписаться)\b|配信停止|退订|수신거부"
)


@specialist("message", facts=["max_bulk_recipients"])
def bulk_mail_without_way_out(action: Action, context: Context) -> Opinion:
    """The fact `max_bulk_recipients` (default 20) is the most recipients of an offer without a way to unsubscribe."""
    most = context.facts.get("max_bulk_recipients", MOST_AT_ONCE)
    if not is_whole_number(most, least=1):
        return refuse(f"max_bulk_recipients is {most!r}, not a whole number above 0", Cause.INFRASTRUCTURE)
    to, text = recipients(action), body_of(action)
    if not to:
        return refuse("the message names no e-mail address")
    if len(to) <= most or not is_offer(text) or _WAY_OUT.search(text):
        return ok()
    return nudge(
        f"It sends an offer to {len(to)} people, and names no way to unsubscribe.",
        correction="Send it only to people who agreed to offers, and end it with a link or an address to unsubscribe.",
    )
