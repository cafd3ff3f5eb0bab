"""Shows many unrelated people each other's addresses in one message."""

import re

from supervisor.evidence.reading.facts import is_whole_number
from supervisor.evidence.session.recipients import addresses
from supervisor.evidence.urls.sites import registrable_domain
from supervisor.specialist import Action, Cause, Context, Opinion, nudge, ok, refuse, specialist

MOST_VISIBLE = 10
# Mail providers, whose customers do not know each other.
_PERSONAL = re.compile(
    r"(gmail|googlemail|outlook|hotmail|live|msn|yahoo|ymail|icloud|me|mac|aol|gmx|web|mail|proton|protonmail|pm"
    r"|fastmail|zoho|yandex|qq|163|126|naver|btinternet|sky|virginmedia|comcast|verizon|orange|free|libero|t-online)"
    r"\.[a-z.]{2,6}"
)


@specialist("message", facts=["max_visible_recipients"])
def recipients_exposed_to_each_other(action: Action, context: Context) -> Opinion:
    """Counts parties, not addresses: colleagues at one domain are one party, customers of a mail provider are not."""
    most = context.facts.get("max_visible_recipients", MOST_VISIBLE)
    if not is_whole_number(most, least=1):
        return refuse(f"max_visible_recipients is {most!r}, not a whole number above 0", Cause.INFRASTRUCTURE)
    visible = {address for part in ("to", "cc") for address in addresses(action.get(part))}
    if not visible:
        return refuse("the message names no e-mail address")
    parties = {_party(address) for address in visible}
    if len(parties) <= most:
        return ok()
    return nudge(
        f"It shows {len(visible)} recipients of {len(parties)} different parties each other's addresses.",
        correction="Put the recipients into `bcc` and your own address into `to`, or send each a message of their own.",
        sharper=f"Leave at most {most} addresses in `to` and `cc` together; move all others to `bcc`.",
        evidence=tuple(sorted(visible)[:5]),
    )


def _party(address: str) -> str:
    """The party of an address: its domain, or the whole address if the domain is a mail provider's."""
    domain = registrable_domain(address.rpartition("@")[2])
    return address if domain is None or _PERSONAL.fullmatch(domain) else domain
