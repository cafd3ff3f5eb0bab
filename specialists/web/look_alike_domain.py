"""Goes to a site whose name imitates a site of the task or the deployment."""

from supervisor.evidence.urls import host_of, is_domain_list
from supervisor.evidence.urls.look_alike import look_alike
from supervisor.evidence.urls.sites import domains_named_in
from supervisor.specialist import Action, Cause, Context, Opinion, nudge, ok, refuse, specialist


@specialist("click", "browse", "http", "form", facts=["allowed_domains", "known_domains"])
def look_alike_domain(action: Action, context: Context) -> Opinion:
    """The known domains are those of the facts `known_domains` and `allowed_domains`, and of the task."""
    known: list[str] = []
    for fact in ("known_domains", "allowed_domains"):
        listed = context.facts.get(fact, ())
        if not is_domain_list(listed):
            return refuse(f"{fact} is not a list of domain names", Cause.INFRASTRUCTURE)
        known += listed
    known += domains_named_in(context.task or "")
    url = action.text("url")
    if not url or not known:
        return refuse("the action names no URL, or there is no known domain to compare it with")
    model = look_alike(url, known)
    if model is None:
        return ok()
    host = host_of(url)
    return nudge(
        f"It goes to {host}, whose name imitates {model}.",
        correction=f"Go to {model} itself. If {host} is meant, first ask the user to confirm that address.",
        sharper=f"Do not open {host}. Open https://{model}/ and find the page from there.",
        evidence=(url[:200],),
    )
