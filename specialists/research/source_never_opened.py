"""Cites a page that was not opened in this session."""

from supervisor.evidence.history.past import mentions
from supervisor.evidence.research.citations import addresses_given, cited_names, given_with_task, key_of, known_texts
from supervisor.evidence.urls import host_of
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, refuse, specialist

MOST_STEPS = 400


@specialist("report", needs_past=True, facts=["sources"])
def source_never_opened(action: Action, context: Context) -> Opinion:
    """Flags a page that is known only from a search result, and nudges one that no step has mentioned."""
    opened = _opened(context)
    cited = [name for name in cited_names(action) if name.startswith(("http://", "https://"))]
    if not cited or not opened:
        return refuse("no address is cited, or this session has opened no page")
    given = known_texts(context.facts.get("sources"))
    told = given_with_task(context).casefold()
    seen = None
    for url in cited:
        if key_of(url) in opened or key_of(url) in given or key_of(url) in told:
            continue
        if not mentions(context, url.rstrip("/")):
            return nudge(
                f"{url[:200]} is cited, and no step of this session mentions it.",
                correction="Open the page and read it before you cite it, or cite a page that you have read.",
                sharper=f"Remove the citation of {host_of(url) or url[:80]}, and the claims that rest on it.",
                confidence=0.9,
                evidence=(url[:200],),
            )
        seen = seen or url
    return flag(f"{seen[:200]} is cited and was not opened, only listed.", confidence=0.7) if seen else ok()


def _opened(context: Context) -> set[str]:
    """The keys of the addresses that were passed to tools."""
    first = max(0, len(context.history) - MOST_STEPS)
    steps = (context.history[at] for at in range(first, len(context.history)))
    keys = {key for step in steps if not step.failed for key in addresses_given(step)}
    return {key for key in keys if key.startswith(("http://", "https://"))}
