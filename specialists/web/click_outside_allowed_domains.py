"""Follows a link to a site that the deployment does not allow."""

from supervisor.evidence.urls import host_of, is_domain_list, within
from supervisor.evidence.urls.sites import is_public_suffix, leaves_page
from supervisor.specialist import Action, Cause, Context, Opinion, block, ok, refuse, specialist


@specialist("click", "browse", "form", facts=["allowed_domains"])
def click_outside_allowed_domains(action: Action, context: Context) -> Opinion:
    """A listed domain allows itself and its subdomains. Relative links and anchors stay on the current site."""
    allowed = context.facts.get("allowed_domains")
    if allowed is None:
        return refuse("the deployment lists no allowed domains")
    if not is_domain_list(allowed):
        return refuse("allowed_domains is not a list of domain names", Cause.INFRASTRUCTURE)
    suffix = next((domain for domain in allowed if is_public_suffix(domain)), None)
    if suffix is not None:
        return refuse(f"allowed_domains lists {suffix}, below which anyone may register a name", Cause.INFRASTRUCTURE)
    url = action.text("url")
    if not url:
        return refuse("the action names no URL")
    if not leaves_page(url) or any(within(url, domain) for domain in allowed):
        return ok()
    where = host_of(url) or f"`{url[:80]}`"
    return block(f"It leads to {where}, which is not among the allowed domains.", evidence=(url[:200],))
