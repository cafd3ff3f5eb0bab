"""Sends a credential to others: in a message, a URL, a request's body, a form or a report."""

import functools
import re
from collections.abc import Sequence

from supervisor.evidence.secrets import secrets_in
from supervisor.evidence.secrets.passwords import passwords_in
from supervisor.evidence.urls import host_of, is_domain_list, is_local, within
from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Cause, Context, Opinion, block, ok, refuse, specialist

# The parts of each kind that are sent to other machines. A request's headers are left out, because a service identifies
# its caller by a bearer token there.
_OUTGOING = {
    "message": ("subject", "body"),
    "http": ("url", "body"),
    "browse": ("url",),
    "form": ("value", "url"),
    "report": ("text", "quote", "url", "citations"),
    "payment": ("note",),
}
_IN_WORDS = frozenset({"message", "report", "tool"})  # no kind that a service is logged in to with
_CREDENTIAL_FIELD = Pattern(r"(?i)passw|passphrase|secret|token|api.?key|access.?key|credential|\bpin\b|\bkey\b")
# Tools of unknown kind, by the words of their names: tools that send to other people, and tools that only keep secrets.
_SENDS = frozenset({"comment", "post", "publish", "reply", "send", "share", "toot", "tweet", "upload"})
_MAKES = frozenset({"add", "append", "create", "edit", "open", "submit", "update", "write"})
_PUBLIC_NAMES = (
    "announcement answer article blog bug card comment discussion email gist incident issue merge mr page paste post "
    "pr question release reply review snippet status story thread ticket tweet wiki"
)
_PUBLIC = frozenset(_PUBLIC_NAMES.split())
_SEARCHES = frozenset({"search", "query", "lookup"})
_ENGINE_NAMES = "bing brave duckduckgo exa google internet online perplexity serp tavily web"
_ENGINES = frozenset(_ENGINE_NAMES.split())
_KEEPS_NAMES = (
    "api auth authentication connection credential credentials database env environment key keys keystroke keystrokes "
    "login password passwords request secret secrets sql stdin terminal token tokens variable variables vault webhook"
)
_KEEPS = frozenset(_KEEPS_NAMES.split())


@specialist(*_OUTGOING, "tool", facts=["allowed_domains"])
def credential_in_outgoing_arguments(action: Action, context: Context) -> Opinion:
    """Requests to this machine and to the deployment's `allowed_domains` may contain credentials, for logins."""
    trusted = context.facts.get("allowed_domains", ())
    if not is_domain_list(trusted):
        return refuse("allowed_domains is not a list of domain names", Cause.INFRASTRUCTURE)
    if action.kind == "form" and _CREDENTIAL_FIELD.search(action.text("element")[:200]):
        return ok()
    if action.kind == "http" and _trusts(action.text("url"), trusted):
        return ok()
    if action.kind == "tool" and not _tells_others(action.tool):
        return ok()
    parts = {action.fields.get(part, part) for part in _OUTGOING.get(action.kind, ())}
    for place, text in action.strings():
        first = place.partition("[")[0].partition(".")[0]
        if first not in parts and (action.kind != "tool" or _CREDENTIAL_FIELD.search(place)):
            continue
        if found := secrets_in(text):
            return block(
                f"The {place} of this {action.kind} holds a credential ({found[0].type}).",
                evidence=tuple(one.token for one in found[:5]),
            )
        if action.kind in _IN_WORDS and (clear := passwords_in(text)):
            return block(f"The {place} of this {action.kind} holds a password in clear, in {clear[0].place}.")
    return ok()


@functools.lru_cache(maxsize=1024)
def _tells_others(tool: str) -> bool:
    """Whether a tool's name shows that it publishes, sends or searches the internet for its arguments."""
    name = re.split(r"__|[./:]", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", tool[:128]))[-1].lower()
    name = name.replace("pull_request", "pr").replace("merge_request", "mr")
    words = set(re.split(r"[_\s-]+", name))
    if words & _KEEPS:
        return False
    made, searched = words & _MAKES and words & _PUBLIC, words & _SEARCHES and words & _ENGINES
    return bool(words & _SENDS or made or searched)


def _trusts(url: str, trusted: Sequence[str]) -> bool:
    host = host_of(url)
    return host is not None and (is_local(host) or any(within(host, domain) for domain in trusted))
