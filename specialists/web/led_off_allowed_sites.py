"""A page on an allowed site has led to a site that is not allowed."""

from collections.abc import Iterator

import re2

from supervisor.evidence.actions.results import returned, text_of, values_named
from supervisor.evidence.urls import host_of, is_domain_list, within
from supervisor.evidence.urls.sites import leaves_page
from supervisor.specialist import Action, Cause, Context, Opinion, nudge, ok, refuse, specialist

_ADDRESSES = frozenset({"currenturl", "finalurl", "location", "pageurl", "redirectedto", "url"})
_SAID = re2.compile(
    r"(?im)(?:^\W*(?:(?:page|current|final|new) )?url\W*:|\b(?:redirected to|now at|landed on|navigated to|opened))"
    r"[\s`\"'<]*(https?://[^\s`\"'<>)]+)"
)


@specialist("click", "browse", "form", needs_facts=["allowed_domains"], facts=["allowed_domains"])
def led_off_allowed_sites(action: Action, context: Context) -> Opinion:
    """A listed domain allows itself and its subdomains, as for links."""
    allowed = context.facts.get("allowed_domains")
    if not is_domain_list(allowed):
        return refuse("allowed_domains is not a list of domain names", Cause.INFRASTRUCTURE)
    for url in _addresses(action, context):
        if leaves_page(url) and not any(within(url, domain) for domain in allowed):
            where = host_of(url) or f"`{url[:80]}`"
            return nudge(
                f"It ended at {where}, which is not among the allowed domains.",
                correction=f"Go back to an allowed site ({', '.join(allowed[:5])}). Type nothing into this page, and"
                " use nothing from it.",
                evidence=(url[:200],),
            )
    return ok()


def _addresses(action: Action, context: Context) -> Iterator[str]:
    """Yields the browser's address. In a text output only the first one counts: later ones are the page's own text."""
    yield from (said for _, said in values_named(returned(action, context), _ADDRESSES) if isinstance(said, str))
    if found := _SAID.search(text_of(context)):
        yield found[1]
