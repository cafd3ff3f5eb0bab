"""A message has reached more people than it was addressed to."""

import re2

from supervisor.evidence.actions.named_args import outer_args
from supervisor.evidence.actions.results import returned, text_of, values_named
from supervisor.evidence.changes.asked import task_mentions
from supervisor.evidence.session.recipients import addresses, recipients
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_LISTS = frozenset({"accepted", "deliveredto", "recipients", "sentto", "to"})
_COUNTS = frozenset(
    {"accepted", "delivered", "deliveredcount", "emailssent", "messagessent", "recipientcount", "recipients", "sent"}
    | {"sentcount", "totalrecipients"}
)
_SAID = re2.compile(
    r"(?i)\b(?:sent|delivered|queued|e-?mailed)\b[^.\n]{0,40}?\b(\d{1,3}(?:,\d{3})+|\d{1,9}) "
    r"(?:recipients?|people|persons?|users?|members?|subscribers?|contacts?|addresses|customers?|inboxes|mailboxes)\b"
)
_OWN = ("from", "sender", "reply_to", "from_email", "from_address")
_MANY = ("all", "every", "list", "group", "team", "channel", "everyone", "subscribers", "staff", "members", "campaign")
_COPIES = 1  # copies that a mail system keeps for itself


@specialist("message")
def reached_more_than_addressed(action: Action, context: Context) -> Opinion:
    meant = recipients(action)
    if not meant:
        return refuse("the message names no e-mail address")
    if context.outcome.failed or task_mentions(action, context, *_MANY):
        return ok()
    said = returned(action, context)
    own = {each for name, value in outer_args(action) if name in _OWN for each in addresses(value)}
    strangers = sorted({each for _, listed in values_named(said, _LISTS) for each in addresses(listed)} - meant - own)
    counts = [count for _, count in values_named(said, _COUNTS) if type(count) is int]
    counts += [int(found[1].replace(",", "")) for found in _SAID.finditer(text_of(context))]
    reached = max(counts, default=0)
    if strangers:
        who = f"It also went to {', '.join(strangers[:3])}" + (" and others" if len(strangers) > 3 else "")
    elif reached > len(meant) + _COPIES:
        who = f"It went to {reached:,} people"
    else:
        return ok()
    return nudge(
        f"{who}, and was addressed to {len(meant)}: {', '.join(sorted(meant)[:3])}.",
        correction="Send nothing more to these addresses, not even a correction. Tell the user who has received it, and"
        " go on with addresses that belong to one person each.",
        evidence=(*strangers[:3], str(reached)),
    )
