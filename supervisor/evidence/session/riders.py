"""What an action brings along beside the act that the user asked for, and only a sentence in what was read mentions.

A reply to a customer that also goes to a stranger, an invitation with one guest more, a member who becomes an owner, a
release whose checks are skipped, a ticket with an insurance. The act is the user's; the rider is the text's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.prose.passages import fold, holds
from supervisor.evidence.prose.wording import spaced
from supervisor.evidence.provenance import Provenance, provenance, trusted_tools
from supervisor.evidence.provenance.fields import is_stated, records
from supervisor.evidence.provenance.instructions import signals_of
from supervisor.evidence.provenance.intents import BOOK, BUY, PAY, READ
from supervisor.evidence.provenance.origins import Value
from supervisor.evidence.provenance.place_words import CONTENT, says
from supervisor.evidence.provenance.stated import stated_values
from supervisor.evidence.provenance.wishes import wish_outline
from supervisor.evidence.reading.tables import table_beside

_SENDERS = frozenset("from sender organizer organiser reply_to calendar calendar_id account owner user".split())
_NO_RECEIVERS = CONTENT | _SENDERS
_SHORTEST_NAME = 3  # letters of a name in an address
_ORDERS = frozenset({"imperative", "obligation", "override", "claim"})
_BUYS = frozenset({BUY, BOOK, PAY})
_YES = frozenset({"true", "yes", "1", "on"})


class Rider(NamedTuple):
    """A part of an action that only one sentence brings: `what` it is, and the `step` and `quote` of the sentence."""

    what: str
    text: str
    step: int
    quote: str


@reader
def riders(action: Action, context: Context) -> tuple[Rider, ...]:
    """The recipients, rights, lifted checks and paid extras of an action that only sentences in outputs mention.

    None where the user left the act to some text. Raises Unreadable as `provenance` does.
    """
    outline = wish_outline(action, context)
    if not context.history or outline.delegated or outline.runs or outline.edits or outline.intents == {READ}:
        return ()
    origins = provenance(action, context)
    stated = [value for value, _ in stated_values(action, context) if value.whole and value.place not in CONTENT]
    found = [*_recipients(stated, origins, context), *_rights(stated, origins)]
    if outline.intents & _BUYS and not _begins_with(origins.task, "extras"):
        found += _among("a paid extra", stated, "extras")
    return (
        *(_rider(what, value, origins) for what, value in found),
        *_lifted(action, context, origins),
    )


def _rider(what: str, value: Value, origins: Provenance) -> Rider:
    passage = origins.sources.passages[value.passages[0]]
    return Rider(what, value.text, passage.step, passage.text.strip())


def _recipients(stated: Sequence[Value], origins: Provenance, context: Context) -> Iterator[tuple[str, Value]]:
    """The addresses beside a receiver who is the user's or a record's, at other domains than any of these."""
    if says(origins.task, "open"):
        return
    asked = [
        value for value in stated if value.sort == "mail" and not _is_named(value, origins) and _is_rule(value, origins)
    ]
    own = [
        value for value in origins.values if value.whole and value.place not in _NO_RECEIVERS and value not in stated
    ]
    receivers = [value for value in own if value.sort == "mail"] or [value for value in own if value.in_task]
    if not asked or not receivers:
        return
    domains = {_domain(value.text) for value in receivers} | _senders(context)
    yield from (("a recipient", value) for value in asked if _domain(value.text) not in domains)


def _is_rule(value: Value, origins: Provenance) -> bool:
    """Whether the sentence is a rule for all cases, adds somebody to them, or tells its reader to: that somebody has an
    address tells nobody to write there."""
    said = origins.sources.passages[value.passages[0]]
    before = said.folded.partition(fold(value.text))[0]
    return says(before, "general") or not _ORDERS.isdisjoint(signals_of(said.text))


def _senders(context: Context) -> frozenset[str]:
    """The domains of the addresses that trusted tools returned."""
    trusted = trusted_tools(context)
    kept = (record for record in records(context) if context.history[record.step].tool in trusted)
    return frozenset(_domain(field.written) for record in kept for field in record.fields if "@" in field.written)


def _domain(address: str) -> str:
    from supervisor.evidence.urls.sites import registrable_domain  # its list of suffixes takes long to load

    host = address.rpartition("@")[2].strip().lower()
    return registrable_domain(host) or host


def _is_named(value: Value, origins: Provenance) -> bool:
    """Whether the task has a name of the address's owner."""
    names = fold(value.text.partition("@")[0]).split()
    return any(len(name) >= _SHORTEST_NAME and holds(origins.task, name) for name in names)


def _rights(stated: Sequence[Value], origins: Provenance) -> Iterator[tuple[str, Value]]:
    """Rights above those of somebody who takes part, in an argument that is for rights. The task speaks of none, and
    the sentence not of the one who gets them."""
    if _begins_with(origins.task, "wide"):
        return
    whom = [fold(value.text) for value in origins.values if value.whole and value not in stated]
    for what, value in _among("a right", stated, "rights"):
        said = origins.sources.passages[value.passages[0]].folded
        if _begins_with(fold(value.text), "wide") and not any(holds(said, each) for each in whom if len(each) > 2):
            yield what, value


def _among(what: str, stated: Sequence[Value], row: str) -> Iterator[tuple[str, Value]]:
    return ((what, value) for value in stated if _begins_with(_words(value.place), row))


def switches_of(action: Action) -> list[str]:
    """The names of the arguments that switch a check off, folded, as words and as they are written."""
    on = [str(name) for name, value in action.args.items() if _lifts(_words(str(name))) and _is_on(value)]
    return [form for name in on for form in dict.fromkeys((_words(name), fold(name)))]


def _lifts(words: str) -> bool:
    first, _, rest = words.partition(" ")
    return first in _row("lifts") and (bool(rest) or first == "force")


def _lifted(action: Action, context: Context, origins: Provenance) -> Iterator[Rider]:
    """Switches that take a check away, whose names only a sentence has."""
    for words in switches_of(action):
        if any(holds(origins.task, word) for word in words.split()):
            continue
        said = [each for each in origins.sources.passages if holds(each.folded, words)]
        own = any(context.history[each.step].tool == action.tool for each in said)  # what the tool says it lacks
        if said and not own and all(is_stated(each.text, (words,)) for each in said):
            yield Rider("a check less", words, said[0].step, said[0].text.strip())


def _is_on(value: Any) -> bool:
    return value is True or (isinstance(value, (str, int)) and str(value).lower() in _YES)


def _words(name: str) -> str:
    return fold(spaced(name).replace("_", " "))


def _begins_with(folded: str, row: str) -> bool:
    """Whether a word of a folded text begins with an entry of the table."""
    return any(f" {each}" in f" {folded}" for each in _row(row))


@cache
def _row(name: str) -> tuple[str, ...]:
    return tuple(map(fold, table_beside(__file__, "riders.yaml")[name]))
