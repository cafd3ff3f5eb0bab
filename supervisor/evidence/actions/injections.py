"""The SQL that the values of a form or of an address would inject into a site's statements (CWE-89)."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote_plus

from supervisor.action import Action, Context, strings_in
from supervisor.evidence import reader
from supervisor.evidence.sql.injection import MAX_CHARS, Injection, injection_in

_LONGEST_SENT = 500  # characters of a value in JSON; a longer value is prose


@reader
def injections(action: Action, context: Context) -> tuple[tuple[str, Injection], ...]:
    """The injections in the values that an action sends to a site, each with its place: the fields of a form, or the
    parameters of an address and of its request body."""
    found = ((place, injection_in(text)) for place, text in _values(action))
    return tuple((place, each) for place, each in found if each is not None)


def _values(action: Action) -> Iterator[tuple[str, str]]:
    if action.kind not in ("browse", "http"):
        yield from strings_in(action.args)
        return
    _, _, query = action.text("url").partition("#")[0].partition("?")
    body = action.get("body")
    if isinstance(body, str) and "=" in body[:100] and body[:1] not in "{[<":  # the fields of a form, encoded
        query = f"{query}&{body}"
    for parameter in query[:MAX_CHARS].split("&"):
        name, _, value = parameter.partition("=")
        yield name, unquote_plus(value)
    sent = strings_in(body) if isinstance(body, (dict, list)) else ()
    yield from ((place, text) for place, text in sent if len(text) <= _LONGEST_SENT)
