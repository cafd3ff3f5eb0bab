"""People whom a call contacts although a list that was read says that they refuse it: the columns `unsubscribed`,
`opted_out` and `consent` of the rows whose ids or addresses the call names."""

from __future__ import annotations

from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.entries.listing import LONGEST, Entry, shown
from supervisor.evidence.entries.words import pattern, row, values_in, words_in

_LONGEST_LIST = 16 * 1024  # characters of addresses in one argument
_MOST_NAMED = 500


class Refusal(NamedTuple):
    """Who refuses, and the field that says so."""

    who: str
    field: str
    value: str


@reader
def refused_in_list(action: Action, context: Context) -> Refusal | None:
    """The person whom a campaign, a sequence or a mailing reaches and whose newest row refuses it; None if none does,
    or the user says that this person wants it."""
    if not context.history or pattern("contacting").search(" ".join(words_in(action.tool[:256]))) is None:
        return None
    if pattern("contact_wanted").search(context.task or ""):
        return None
    given = {piece for _, value in values_in(action.args, _LONGEST_LIST) for piece in _pieces(value)}
    seen = set[str]()
    for step in shown(context):
        for entry in step.entries:
            own = (entry.people & given) - seen
            refusal = _refusal_in(entry) if own else None
            if refusal is not None:
                return Refusal(min(own), *refusal)
            seen |= own
    return None


def _pieces(value: str) -> set[str]:
    """The whole value, and the addresses and ids in it."""
    folded = value.lower()
    pieces = folded.replace(",", " ").replace(";", " ").split() if len(folded) > 1 else [folded]
    return {folded[:LONGEST], *pieces[:_MOST_NAMED]}


def _refusal_in(entry: Entry) -> tuple[str, str] | None:
    for name, text in entry.fields:
        spoken, value = " ".join(words_in(name)), text.strip().lower()
        if pattern("refusing_fields").fullmatch(spoken) and value in row("affirmed"):
            return name, text
        if pattern("consenting_fields").fullmatch(spoken) and value.split(" ")[0] in row("denied"):
            return name, text
    return None
