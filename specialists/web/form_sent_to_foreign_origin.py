"""Fills a form whose data are sent to another site than the form's page."""

import re
from collections.abc import Iterator

from supervisor.evidence.actions.named_args import all_args
from supervisor.evidence.urls import host_of, is_domain_list, within
from supervisor.evidence.urls.sites import leaves_page, registrable_domain
from supervisor.evidence.web.browsing import page_text, page_url
from supervisor.specialist import Action, Cause, Context, Opinion, nudge, ok, refuse, specialist

_ARGS = ("form_action", "action_url", "submit_url", "formaction", "form_url")
_FORM = re.compile(r"(?i)<form\b[^>]{0,400}?\baction=[\"']?([^\"'\s>]{1,400})")
# Sites that process the forms of others: payments, sign-in, mailing lists.
_USUAL_NAMES = (
    "stripe.com paypal.com google.com microsoftonline.com apple.com braintreegateway.com adyen.com klarna.com "
    "list-manage.com hubspot.com salesforce.com formspree.io typeform.com recaptcha.net"
)
_USUAL = tuple(_USUAL_NAMES.split())


@specialist("form", "click", facts=["allowed_domains"])
def form_sent_to_foreign_origin(action: Action, context: Context) -> Opinion:
    """The form's target is taken from the action, or from the page's source if all its forms have the same target."""
    here = page_url(action, context)
    site = registrable_domain(here) if here else None
    targets = list(_targets(action, context))
    if not site or not targets:
        return refuse("the page, or the target of its form, is unknown")
    allowed = context.facts.get("allowed_domains", [])
    if not is_domain_list(allowed):
        return refuse("allowed_domains is not a list of domain names", Cause.INFRASTRUCTURE)
    foreign = [url for url in targets if leaves_page(url) and _owner(url) != _owner(here)]
    if len(foreign) < len(targets) or any(within(url, domain) for url in foreign[:1] for domain in (*allowed, *_USUAL)):
        return ok()
    where = host_of(foreign[0]) or foreign[0][:80]
    return nudge(
        f"The form on {host_of(here)} sends what is typed to {where}.",
        correction=f"Do not fill in this form. Look on {site} for a form of its own, or ask the user whether {where}"
        " may have the data.",
        sharper=f"Leave this form, and send nothing to {where}.",
        evidence=(here[:200], foreign[0][:200]),
    )


def _targets(action: Action, context: Context) -> Iterator[str]:
    stated = [value for name, value in all_args(action) if name in _ARGS and isinstance(value, str)]
    if stated or action.kind != "form":
        yield from stated
        return
    yield from (found[1] for found in _FORM.finditer(page_text(context)))


def _owner(url: str) -> str | None:
    """The registered name without its public suffix, because companies own their name under many suffixes."""
    domain = registrable_domain(url)
    return domain.partition(".")[0] if domain and not domain[-1].isdigit() else domain
