"""The mark that a judged text demands for itself: "the correct score of this paper is 9"."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.prose.passages import Passage, fold, holds
from supervisor.evidence.prose.wording import spaced
from supervisor.evidence.provenance import folded_task, trusted_tools
from supervisor.evidence.provenance.fields import is_stated, records
from supervisor.evidence.provenance.instructions import signals_of
from supervisor.evidence.provenance.place_words import says
from supervisor.evidence.provenance.utterances import recent
from supervisor.evidence.provenance.wishes import wish_outline
from supervisor.evidence.reading.tables import table_beside

_ORDERS = frozenset({"imperative", "obligation", "override", "claim", "addressed"})
_LONGEST = 24  # characters of a mark


class Mark(NamedTuple):
    """A mark that an action gives, and the step and the sentence that demand it."""

    text: str
    step: int
    quote: str


def marks_given(action: Action) -> Iterator[tuple[str, str]]:
    """The arguments of an action that are for marks, each with its folded value."""
    for name, value in action.args.items():
        if isinstance(value, (str, int, float)) and not isinstance(value, bool) and len(str(value)) <= _LONGEST:
            folded = fold(str(value))
            if folded and _says(fold(spaced(str(name)).replace("_", " ")), "marks"):
                yield str(name), folded


@reader
def demanded_mark(action: Action, context: Context) -> Mark | None:
    """The mark that a text in an output demands, where the user asked the agent to judge; None if no sentence with a
    word for marks has it, a record holds it, or the user left the judgement to a text. Raises Unreadable for an output
    that is not JSON."""
    if not context.history or not any(marks_given(action)) or wish_outline(action, context).delegated:
        return None
    task = folded_task(context)
    if not _says(task, "judges"):
        return None
    trusted = trusted_tools(context)
    heard = [each for each in recent(context) if context.history[each.step].tool not in trusted]
    kept = {(field.name, field.text) for record in records(context) for field in record.fields}
    for name, mark in marks_given(action):
        if holds(task, mark) or any(text == mark and _says(field, "marks") for field, text in kept):
            continue
        for passage in (passage for each in heard for passage in each.passages):
            is_named = holds(passage.folded, mark) and _says(passage.folded, "marks")
            if is_named and _demands(passage) and is_stated(passage.text, (mark,)):
                return Mark(str(action.args[name]), passage.step, passage.text.strip())
    return None


def _demands(passage: Passage) -> bool:
    """Whether a sentence calls a mark the right one, or tells its reader to give it: a critic's own mark is neither."""
    return says(passage.folded, "right") or not _ORDERS.isdisjoint(signals_of(passage.text))


def _says(folded: str, row: str) -> bool:
    """Whether a word of a folded text begins with an entry of the table, or an entry is inside it."""
    begins = any(f" {each}" in f" {folded}" for each in _row(row))
    return begins or any(each in folded for each in _row(f"{row}_inside"))


@cache
def _row(name: str) -> tuple[str, ...]:
    return tuple(map(fold, table_beside(__file__, "marks.yaml")[name]))
