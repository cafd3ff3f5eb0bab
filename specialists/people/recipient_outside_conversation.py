"""Sends the reply in a conversation to somebody who is not in it and whom the user did not name."""

from supervisor.evidence.actions.named_args import outer_args
from supervisor.evidence.business import business
from supervisor.evidence.business.words import words
from supervisor.evidence.session.recipients import acquaintances, addresses, recipients
from supervisor.evidence.urls.sites import registrable_domain
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_THREADS = (
    "in_reply_to",
    "reply_to_id",
    "thread_id",
    "conversation_id",
    "reply_to_message_id",
    "email_id",
    "message_id",
)
_PARTIES = ("from", "sender", "to", "cc", "recipients", "participants", "reply_to")
_FACTS = ("thread", "conversation_participants", "email", "ticket", "message")


@specialist("message", facts=["thread"])
def recipient_outside_conversation(action: Action, context: Context) -> Opinion:
    to = recipients(action)
    members = _members(action, context)
    if not to or not members:
        return refuse("it is not a reply in a conversation with known members")
    named = acquaintances(action, context).user
    domains = {registrable_domain(address.rpartition("@")[2]) for address in members}
    for address in sorted(to - members - named):
        known = registrable_domain(address.rpartition("@")[2]) in domains
        return nudge(
            f"{address} is not in the conversation that it answers, and the user did not name them.",
            correction=f"Send it to the members of the conversation only: {', '.join(sorted(members)[:10])}. "
            + ("Ask the user before a colleague of theirs is added." if known else "Ask the user before anybody else."),
            evidence=(address,),
        )
    return ok()


def _members(action: Action, context: Context) -> set[str]:
    """The addresses in the message or thread that it answers, from the facts or from a tool's output."""
    name = set(words(action.tool))
    answered = [str(value) for name, value in outer_args(action) if name in _THREADS and value]
    answers = bool(answered) or not name.isdisjoint({"reply", "respond", "answer"})
    members: set[str] = set()
    if answers:
        for fact in _FACTS:
            members |= _addresses_of(context.facts.get(fact))
    known = business(action, context)
    for each in answered:
        record = known.find("email", each) or known.find("thread", each) or known.find("message", each)
        members |= _addresses_of(record.values) if record else set()
    return members


def _addresses_of(value: object) -> set[str]:
    if isinstance(value, (str, list)):
        return addresses(value)
    values = dict(value) if isinstance(value, dict) else {}
    return {address for part in _PARTIES for address in addresses(values.get(part))}
