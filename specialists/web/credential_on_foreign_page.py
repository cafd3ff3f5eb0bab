"""Types a password or code on a page of a site that it does not belong to."""

import re

from supervisor.evidence.urls import host_of, is_domain_list, within
from supervisor.evidence.urls.look_alike import look_alike
from supervisor.evidence.urls.sites import domains_named_in, registrable_domain
from supervisor.evidence.web.browsing import page_url
from supervisor.evidence.web.typing_in import credential_fields
from supervisor.specialist import Action, Cause, Context, Opinion, block, nudge, ok, refuse, specialist

_FACTS = ("login_domains", "known_domains", "allowed_domains")
# Sign-in services of many sites.
_SIGN_IN = (
    "google.com",
    "microsoftonline.com",
    "live.com",
    "apple.com",
    "okta.com",
    "auth0.com",
    "github.com",
    "amazoncognito.com",
)

_MAIL = re.compile(r"[\w.+-]{1,64}@[\w.-]{1,253}")


@specialist("form", facts=["allowed_domains", "known_domains", "login_domains"])
def credential_on_foreign_page(action: Action, context: Context) -> Opinion:
    """The expected sites are those of `login_domains`, `known_domains` and `allowed_domains`, and of the task."""
    fields = credential_fields(action)
    if not fields:
        return refuse("no credential is typed")
    known: list[str] = []
    for fact in _FACTS:
        listed = context.facts.get(fact, ())
        if not is_domain_list(listed):
            return refuse(f"{fact} is not a list of domain names", Cause.INFRASTRUCTURE)
        known += listed
    task = _MAIL.sub(" ", (context.task or "")[:16_384])
    known += domains_named_in(task)
    here = host_of(page_url(action, context))
    if not here or not known:
        return refuse("the page, or the site of the credential, is unknown")
    if any(within(here, domain) or registrable_domain(here) == registrable_domain(domain) for domain in known):
        return ok()
    model = look_alike(here, known)
    if model:
        return block(f"It types a credential on {here}, which imitates {model}.", evidence=(fields[0][:100], here))
    if _names(task, here) or any(within(here, domain) for domain in _SIGN_IN):
        return ok()
    return nudge(
        f"It types into “{fields[0][:80]}” on {here}, which is none of the sites that the task is about.",
        correction=f"Leave {here}. Sign in on {known[0]} itself, or ask the user whether {here} may have the"
        " credential.",
        sharper=f"Do not type any credential on {here}.",
        evidence=(fields[0][:100], here),
    )


def _names(task: str, host: str) -> bool:
    """Whether the task mentions the site by its name: "Netflix" for netflix.com."""
    name = (registrable_domain(host) or "").partition(".")[0]
    words = re.findall(r"[^\W_]{4,}", task.lower())
    return any(word in name for word in words)
