"""Writes to somebody who has asked not to be contacted."""

from collections.abc import Mapping

from supervisor.evidence.business import Record, business
from supervisor.evidence.entries.refusals import refused_in_list
from supervisor.evidence.prose.offers import is_offer
from supervisor.evidence.session.recipients import body_of, recipients
from supervisor.specialist import Action, Context, Opinion, block, nudge, ok, refuse, specialist

_NEVER = ("do_not_contact", "dnc", "do_not_call", "blocked_recipients", "no_contact", "suppression_list")
_NO_OFFERS = ("unsubscribed", "opted_out", "opt_out", "opt_outs", "marketing_opt_out", "unsubscribe_list")
_CONSENTS = ("marketing_consent", "email_consent", "newsletter", "marketing_opt_in", "consent", "subscribed")


@specialist("message", "tool", "http", "form", facts=["do_not_contact", "unsubscribed"])
def contact_refused(action: Action, context: Context) -> Opinion:
    """A message to somebody on the deployment's lists is blocked; one to somebody in a list that was read is nudged,
    since a campaign has other recipients as well."""
    listed = refused_in_list(action, context)
    if listed is not None and (action.kind != "message" or is_offer(body_of(action))):
        return nudge(
            f"The list says of {listed.who} “{listed.field}: {listed.value}”.",
            correction=f"Leave {listed.who} out, and whoever else refuses by that column.",
            sharper="Send nothing before everybody who refuses is out of the list.",
            evidence=(listed.who, listed.field),
        )
    if action.kind != "message":
        return ok()
    to = recipients(action) or {str(action.get("to") or "").strip().lower()} - {""}
    if not to:
        return refuse("it names no recipient")
    offers = is_offer(body_of(action))
    lists = _NEVER + _NO_OFFERS if offers else _NEVER
    refused = {each for name in lists for each in _listed(context.facts.get(name))}
    known, told = business(action, context), any(context.facts.get(name) is not None for name in _NEVER + _NO_OFFERS)
    for address in sorted(to):
        person = known.person(address)
        told = told or person is not None
        if address in refused or (person is not None and _refuses(person, offers=offers)):
            what = "offers" if address not in refused and offers else "messages"
            return block(f"{address} has asked for no {what}.", evidence=(address,))
    return ok() if told else refuse("no list of people who refuse contact is known")


def _refuses(person: Record, *, offers: bool) -> bool:
    values = person.values
    if any(values.get(name) is True for name in _NEVER):
        return True
    said_no = any(values.get(name) is True for name in _NO_OFFERS) or any(
        values.get(name) is False for name in _CONSENTS
    )
    return offers and said_no


def _listed(stated: object) -> set[str]:
    """The addresses in a list of them, or of people with one."""
    entries = stated if isinstance(stated, (list, tuple)) else ()
    values = [v for each in entries for v in (each.values() if isinstance(each, Mapping) else [each])]
    return {value.strip().lower() for value in values if isinstance(value, str)}
