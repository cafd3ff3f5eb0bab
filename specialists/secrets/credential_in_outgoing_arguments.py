"""Sends a credential to somebody else: in a message, a URL, a request's body, a form or a report."""

from collections.abc import Sequence

from supervisor.evidence.secrets import secrets_in
from supervisor.evidence.web import host_of, is_domain_list, is_local, within
from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Cause, Context, Opinion, block, ok, refuse, specialist

# The parts of each kind that other people's machines get to see. A request's headers are left out: a bearer token in
# one is how its own service knows the caller.
_OUTGOING = {
    "message": ("subject", "body"),
    "http": ("url", "body"),
    "browse": ("url",),
    "form": ("value", "url"),
    "report": ("text", "quote", "url", "citations"),
    "payment": ("note",),
}
_CREDENTIAL_FIELD = Pattern(r"(?i)passw|passphrase|secret|token|api.?key|access.?key|credential|\bpin\b|\bkey\b")


@specialist(*_OUTGOING)
def credential_in_outgoing_arguments(action: Action, context: Context) -> Opinion:
    """Requests to this machine and to the deployment's `allowed_domains` may carry credentials: services log in."""
    trusted = context.facts.get("allowed_domains", ())
    if not is_domain_list(trusted):
        return refuse("allowed_domains is not a list of domain names", Cause.INFRASTRUCTURE)
    if action.kind == "form" and _CREDENTIAL_FIELD.search(action.text("element")[:200]):
        return ok()
    if action.kind == "http" and _trusts(action.text("url"), trusted):
        return ok()
    parts = {action.fields.get(part, part) for part in _OUTGOING[action.kind]}
    for place, text in action.strings():
        if place.partition("[")[0].partition(".")[0] in parts and (found := secrets_in(text)):
            return block(
                f"The {place} of this {action.kind} holds a credential ({found[0].type}).",
                evidence=tuple(one.token for one in found[:5]),
            )
    return ok()


def _trusts(url: str, trusted: Sequence[str]) -> bool:
    host = host_of(url)
    return host is not None and (is_local(host) or any(within(host, domain) for domain in trusted))
