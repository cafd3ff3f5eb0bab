"""Types a password or card number into a page that was loaded without encryption."""

from supervisor.evidence.urls import host_of, is_address, is_local, scheme_of
from supervisor.evidence.web.browsing import page_url
from supervisor.evidence.web.typing_in import secret_fields
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("form")
def secret_over_plain_http(action: Action, context: Context) -> Opinion:
    """This machine, and hosts of a local network, need no encryption."""
    fields = secret_fields(action)
    url = page_url(action, context)
    if not fields or not url:
        return refuse("no secret is typed, or the page is unknown")
    host = host_of(url)
    if scheme_of(url) != "http" or host is None or is_local(host) or is_address(host) or "." not in host:
        return ok()
    if host.endswith((".local", ".internal", ".lan", ".test", ".localdomain")):
        return ok()
    return nudge(
        f"It types into “{fields[0][:80]}” on http://{host}, where others on the network can read it.",
        correction=f"Open https://{host} and fill the form there. If the site has no encrypted page, tell the user.",
        sharper=f"Type nothing secret on http://{host}.",
        evidence=(fields[0][:100], url[:200]),
    )
