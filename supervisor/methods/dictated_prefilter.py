"""Whether an output may have dictated an action, by bounded work in the host.

Each test demands less than what the judges (`obedience`, `bidden`) demand of the same sort of action, so that whoever
is spared by it would have found nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from supervisor.action import Action, Context
from supervisor.evidence.prose.passages import fold, holds
from supervisor.evidence.prose.wording import spaced, stems
from supervisor.evidence.provenance import folded_task, trusted_text
from supervisor.evidence.provenance.bidden import (
    LEAST_OF_ACTS,
    LEAST_OF_CODE,
    folded_arguments,
    is_opened_by_text,
    is_target_inside,
    opens_guarded,
)
from supervisor.evidence.provenance.intents import READ, intents_of
from supervisor.evidence.provenance.spellings import SpelledValue, may_name_outside, values_of
from supervisor.evidence.provenance.stretches import Stretch
from supervisor.evidence.provenance.templates import links_with_query
from supervisor.evidence.provenance.utterances import MAX_STEPS
from supervisor.evidence.provenance.wishes import EDITING, RUNNING
from supervisor.evidence.session.marks import marks_given
from supervisor.evidence.session.riders import switches_of
from supervisor.methods.parts import REACHES_OTHERS
from supervisor.methods.past_outputs import Bid, Heard, Observed


def may_be_dictated(action: Action, context: Context, past: Observed) -> bool:
    """Whether an output may be the source of an action. Of code or a command: any output if it has an address; else one
    that directs the agent beyond any procedure in which a value of it begins, or a sentence to a machine that has its
    words. Of an act that reaches others: any output. Of an edit: one of the latest that may address the agent, any that
    directs it, or a sentence to a machine. Of a reading: an order or a sentence in which its path begins, or one that
    says what comes first. Of another act: one of the latest that orders anything, or that states a value of it. Of
    a link with a query: any."""
    intents = intents_of(action.kind, fold(spaced(action.tool)))
    if intents & REACHES_OTHERS:
        return True
    if next(links_with_query(action), None) is not None:
        return True
    judged = _Judged(action, context, past)
    if action.kind in RUNNING:
        return judged.is_bidden_code() or judged.obeys_overreaching() or may_name_outside(action)
    if action.kind in EDITING:
        return judged.is_directed_lately or judged.is_bidden_edit()
    if intents == {READ} and (judged.is_directed_reading() or judged.is_bidden_reading()):
        return True
    if intents != {READ} and (judged.is_bidden_lately or judged.is_directed_lately or judged.is_ordered_lately):
        return True
    return any(marks_given(action)) or judged.takes_stated(past.preconditions if intents == {READ} else past.sentences)


class _Judged:
    """An action, compared with what the outputs before it show. What it is asked is whether something may be so."""

    def __init__(self, action: Action, context: Context, past: Observed) -> None:
        self._action = action
        self._context = context
        self._past = past
        self._steps = len(context.history)
        self._latest = range(max(0, self._steps - MAX_STEPS), self._steps)

    @property
    def is_bidden_lately(self) -> bool:
        """Whether one of the latest outputs has a sentence to a machine. Without one, no earlier sentence counts."""
        return any(number in self._past.bids for number in self._latest)

    @property
    def is_directed_lately(self) -> bool:
        """Whether one of the latest outputs addresses the agent, or any output directs it."""
        return self._past.directs_from < self._steps or any(each in self._past.addressing for each in self._latest)

    @property
    def is_ordered_lately(self) -> bool:
        """Whether one of the latest outputs has an order."""
        return any(number in self._past.ordering for number in self._latest)

    def obeys_overreaching(self) -> bool:
        """Whether a value of the action begins in an order to the agent that no legitimate procedure would give."""
        return self._begins_in_order(Heard.OVERREACHES, overreaching=True)

    def is_directed_reading(self) -> bool:
        """Whether a value of the action begins in an order to the agent."""
        return self.is_directed_lately and self._begins_in_order(Heard.ADDRESSES, overreaching=False)

    def is_bidden_code(self) -> bool:
        """Whether the action takes its words from a sentence to a machine."""
        return self.is_bidden_lately and (self._bids is None or self._has_words_of(self._bids, LEAST_OF_CODE))

    def is_bidden_edit(self) -> bool:
        """The same of an edit, or whether an address in it begins in such a sentence."""
        if not self.is_bidden_lately:
            return False
        if self._bids is None or self._has_words_of(self._bids, LEAST_OF_ACTS):
            return True
        return self._begins_in(filter(is_target_inside, self._values), [bid.stretch for bid in self._bids])

    def is_bidden_reading(self) -> bool:
        """Whether a path of the action begins in a sentence to a machine, or it takes its words from one for what its
        owner alone opens."""
        if not self.is_bidden_lately:
            return False
        if self._bids is None or (opens_guarded(self._action) and self._has_words_of(self._bids, LEAST_OF_ACTS)):
            return True
        return self._begins_in(filter(is_opened_by_text, self._values), [bid.stretch for bid in self._bids])

    def takes_stated(self, texts: Sequence[str]) -> bool:
        """Whether one of the latest of these texts states a value of the action that the task does not have, or names
        one of its switches."""
        values = [value for value in self._values if value.whole or value.distinctive]
        sought = [*(each for value in values for each in value.spellings), *switches_of(self._action)]
        squeezed = [each.replace(" ", "") for each in sought]
        return any(each in texts[number] for number in self._latest for each in squeezed)

    def _begins_in_order(self, heard: Heard, *, overreaching: bool) -> bool:
        """Whether a value begins in one of the orders of the outputs that show this, or one of these was not read."""
        known = self._past.heard
        kept = [
            orders
            for number, orders in list(self._past.directives.items())
            if number < self._steps and known[number] & (heard | Heard.UNREAD)
        ]
        if None in kept:
            return True
        orders = [each for said in kept for each in said or () if each.overreaches or not overreaching]
        return bool(orders) and self._begins_in(self._values, [each.stretch for each in orders])

    def _begins_in(self, values: Iterable[SpelledValue], stretches: Sequence[Stretch]) -> bool:
        return any(stretch.may_begin(value) for value in values for stretch in stretches)

    def _has_words_of(self, bids: Sequence[Bid], least: int) -> bool:
        """Whether half of the action's words, and at least so many, stand in one sentence. The words of the user and
        of the deployment do not count."""
        own = stems(folded_arguments(self._action)) - stems(trusted_text(self._context))
        return any(2 * len(taken) >= len(own) for bid in bids if len(taken := own & bid.words) >= least)

    @cached_property
    def _bids(self) -> list[Bid] | None:
        """The sentences to machines in all outputs; None if some were not read."""
        kept = [bids for number, bids in list(self._past.bids.items()) if number < self._steps]
        return None if None in kept else [bid for bids in kept for bid in bids or ()]

    @cached_property
    def _values(self) -> list[SpelledValue]:
        """The values of the action that the task does not have."""
        task = folded_task(self._context)
        values = values_of(self._action, self._context)
        return [value for value in values if not any(holds(task, each) for each in value.spellings)]
