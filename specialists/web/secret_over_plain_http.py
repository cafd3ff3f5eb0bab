"""Types a password or card number into a page that came without encryption."""

from supervisor.evidence.urls import host_of, is_address, is_local, scheme_of
from supervisor.evidence.web.browsing import page_url
from supervisor.evidence.web.typing_in import secret_fields
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("form")
def secret_over_plain_http(action: Action, context: Context) -> Opinion:
    """This very machine, and hosts that only a local network knows, need none."""
    fields = secret_fields(action)
    url = page_url(action, context)
    if not fields or not url:
        return refuse("no secret is typed, or nothing tells which page this is")
    host = host_of(url)
    if scheme_of(url) != "http" or host is None or is_local(host) or is_address(host) or "." not in host:
        return ok()
    if host.endswith((".local", ".internal", ".lan", ".test", ".localdomain")):
        return ok()
    return nudge(
        f"It types into “{fields[0][:80]}” on http://{host}, where everybody on the way can read it.",
        correction=f"Open https://{host} and fill the form there. If the site has no encrypted page, tell the user.",
        sharper=f"Type nothing secret on http://{host}.",
        evidence=(fields[0][:100], url[:200]),
    )
