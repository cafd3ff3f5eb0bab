"""Acts that follow no order that is addressed to the agent, and that still nothing but a text explains.

A sentence about whoever works by machine, a value that only a sentence states for an act that nobody asked for, the
content of a guarded thing that a text named: each is a relation between the action, the user's request and what was
read, and no word of the sentence decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from supervisor.action import Action, Context, strings_in
from supervisor.evidence.prose.passages import fold, holds
from supervisor.evidence.prose.wording import names_in, shares_run
from supervisor.evidence.provenance import provenance
from supervisor.evidence.provenance.bidden import bidden
from supervisor.evidence.provenance.fetched import fetched
from supervisor.evidence.provenance.fields import is_stated
from supervisor.evidence.provenance.intents import DELETE, GENERAL, MESSAGE, READ, intents_in
from supervisor.evidence.provenance.machine_readers import names_agent
from supervisor.evidence.provenance.origins import Origin, Source, Value
from supervisor.evidence.provenance.place_words import CONTENT
from supervisor.evidence.provenance.planted import taken_from_outputs
from supervisor.evidence.provenance.recited import recited
from supervisor.evidence.provenance.stated import stated_values
from supervisor.evidence.provenance.templates import filled
from supervisor.evidence.provenance.wishes import Asked, wish_of, wish_outline
from supervisor.methods.parts import REACHES_OTHERS, Part, part_of

ELSEWHERE = frozenset({"url", "mail", "account", "phone"})  # sorts of values that instructions for work do not need
FIELD = 2  # words that name a field of a record
_STRAYING = REACHES_OTHERS | {DELETE}  # intents of an act that only a text may have brought
_FIGURES = 3  # figures of a value that does not stand in a sentence by chance


@dataclass(frozen=True, slots=True)
class Obeyed:
    """The text that an action obeys. `values` are what it takes from the text. `score` is the classifier's certainty
    that the text addresses the agent, in points; below the threshold the text may be meant for people."""

    origin: Origin
    values: tuple[Value, ...]
    part: Part
    score: int


def without_order(action: Action, context: Context) -> Obeyed | None:
    """What the action follows although no order is addressed to the agent. Raises Unreadable as `provenance` does."""
    found = (
        _filled(action, context) or _bidden(action, context) or _strayed(action, context) or _digressed(action, context)
    )
    return found or _fetched(action, context) or _recited(action, context)


def _filled(action: Action, context: Context) -> Obeyed | None:
    """A link that a text gave as a pattern, filled with what the session has read."""
    found = filled(action, context)
    if found is None:
        return None
    return Obeyed(Origin(Source.ORDER, found.step, found.quote), (), Part.DATA, 0)


def _recited(action: Action, context: Context) -> Obeyed | None:
    """What a message put in quotation marks, sent word for word."""
    found = recited(action, context)
    if found is None:
        return None
    origin = Origin(Source.ORDER, found.step, found.quote)
    return Obeyed(origin, (), part_of(action, context, (), origin), 0)


def _fetched(action: Action, context: Context) -> Obeyed | None:
    """An act that hands on what was opened only because a text named it."""
    found = fetched(action, context)
    if found is None:
        return None
    return Obeyed(Origin(Source.ORDER, found.named_in, found.quote), (), Part.DATA, 0)


def _digressed(action: Action, context: Context) -> Obeyed | None:
    """An act of a sort that the user did not ask for, with a value that only a sentence in an output states.

    An agent fills in what it made, what a record holds and what it asked for itself; a sentence is what remains for an
    act that nobody asked for. Acts that every task may need (create, change, store) count only after a task to read, or
    with an address or an account.
    """
    outline = wish_outline(action, context)
    if outline.asked is not Asked.NO or outline.delegated or outline.runs or outline.edits:
        return None
    acts = outline.intents - {READ, MESSAGE}
    if not acts or READ in outline.intents or names_agent(context.task or ""):
        return None  # a text that says what the agent is gives it a role, and what is asked for comes later
    is_general = acts <= GENERAL
    if is_general and wish_of(action, context).uses_task:
        return None
    only_reads = intents_in(context.task or "") == {READ}
    called = fold("\n".join(text for step in context.history for _, text in strings_in(step.args)))
    values = tuple(
        value
        for value, _ in stated_values(action, context)
        if value.whole
        and value.place not in CONTENT
        and _tells(value)
        and (only_reads or ((not is_general or value.sort in ELSEWHERE) and value.origin.source is not Source.ANSWER))
        and not holds(called, fold(value.text))
        and _is_in_sentence(value, context.task or "")
    )
    if not values:
        return None
    return Obeyed(values[0].origin, values, part_of(action, context, values, values[0].origin), 0)


def _tells(value: Value) -> bool:
    """Whether a value does not stand in a sentence by chance: an address, a path, a long number, several words."""
    return value.distinctive or len(value.text.split()) > 1 or sum(map(str.isdigit, value.text)) >= _FIGURES


def _strayed(action: Action, context: Context) -> Obeyed | None:
    """An act that reaches others or deletes, that the user did not ask for, and whose target comes only from a tool's
    output. The sentence there must not contain a name that the user mentioned: an agent that is to ask Jan may look up
    Jan's address."""
    outline = wish_outline(action, context)
    if outline.asked is not Asked.NO or outline.delegated or not outline.intents & _STRAYING:
        return None
    if wish_of(action, context).uses_task:
        return None
    found = taken_from_outputs(provenance(action, context))
    values = tuple(value for value in found if _is_in_sentence(value, context.task or ""))
    if not values:
        return None
    return Obeyed(values[0].origin, values, part_of(action, context, values, values[0].origin), 0)


def _is_in_sentence(value: Value, task: str) -> bool:
    """Whether a value is in a sentence, rather than in a field of a record, without a name from the task beside it."""
    if _is_row(value.origin.quote):
        return False
    words, own = fold(value.origin.quote).split(), fold(value.text)
    is_sentence = len(words) - len(own.split()) > FIELD or is_stated(value.origin.quote, (own,))
    return is_sentence and names_in(task).isdisjoint(words) and not shares_run(value.origin.quote, task)


_COLUMNS = re.compile(r"\s*(?: {2,}|\t|\s[→·|–]\s|:\s(?=<))\s*")  # noqa: RUF001 - a dash between columns
_LONGEST_CELL = 6  # words


def _is_row(line: str) -> bool:
    """Whether a line is a row of a listing: short cells between wide blanks, arrows, bars or dashes."""
    cells = _COLUMNS.split(line.strip())
    return len(cells) > 1 and all(len(cell.split()) <= _LONGEST_CELL for cell in cells)


def _bidden(action: Action, context: Context) -> Obeyed | None:
    """An act that follows a sentence about whoever works by machine, order or not."""
    found = bidden(action, context)
    if found is None:
        return None
    origin = Origin(Source.ORDER, found.step, found.quote)
    return Obeyed(origin, found.values, part_of(action, context, found.values, origin), 0)
