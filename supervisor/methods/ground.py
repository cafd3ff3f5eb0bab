"""The common ground of an action and an order: a cheap check before the exact one of what the action takes from it.

Most orders in a session's outputs are about something else. A few sets of words show that, without looking up any
value. False positives are harmless: in outputs without common ground, `obedience` finds nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.provenance.concordance import whereabouts
from supervisor.evidence.provenance.instructions import Order
from supervisor.evidence.provenance.intents import DELETE, READ, intents_ordered
from supervisor.evidence.provenance.purposes import LONE, purposes
from supervisor.evidence.provenance.spellings import SpelledValue
from supervisor.evidence.provenance.utterances import SURE_ALONE, Utterance
from supervisor.evidence.provenance.wishes import MASK, Asked, wish_outline
from supervisor.methods.injection_index import InjectionIndex

SHORTEST_NAME = 4  # letters; a shorter name occurs in many texts


class _Sought(NamedTuple):
    """A value to search for. `firsts`: the words that it may begin with (empty if it may begin inside a word).
    `needed`: other words that the output must contain. `begun`: the recent steps in which it may begin. `decisive`:
    whether taking it from an order means obeying the order, whatever the action does with it."""

    firsts: Set[str]
    needed: tuple[str, ...]
    begun: Set[int]
    decisive: bool

    def may_begin_with(self, words: Set[str]) -> bool:
        """Whether it may begin with one of these words of orders."""
        return not self.firsts or not self.firsts.isdisjoint(words)

    def may_stand_in(self, said: Utterance) -> bool:
        """Whether an output contains all needed words."""
        return all(each in said.squeezed.text for each in self.needed)


@dataclass(frozen=True, slots=True)
class Ground:
    """The features of an action that an order may share: its `values`; `spread`, the values that may be written with
    other spaces; its `intents`; and `tool`, the stems of the tool's purpose.

    A command that is run has only values, because people often describe to each other what commands do. An action that
    only reads has only targets and names. `least`: how many stems of the tool an order must contain to be about the
    tool. `undoes`: the action deletes, or contains a masked secret, which cannot be searched for.
    """

    values: tuple[_Sought, ...]
    spread: tuple[str, ...]
    intents: frozenset[str]
    tool: frozenset[str]
    least: int
    undoes: bool

    def with_orders_of(self, index: InjectionIndex, *, recent: bool) -> bool:
        """Whether any order of an output has something in common with the action. `recent`: it is one of the latest
        outputs, for which the steps where a value begins are known."""
        values = [each for each in self._values_in(index, recent) if each.may_stand_in(index.said)]
        orders = index.said.loudest if values or self._is_like(index) else ()
        return any(self._with(order, values, index) for order in orders) or any(
            each in index.said.squeezed.text for each in self.spread
        )

    def _values_in(self, index: InjectionIndex, recent: bool) -> Iterator[_Sought]:
        said, known = index.said, recent and not index.said.encodes
        values = (each for each in self.values if not known or said.step in each.begun)
        return (each for each in values if each.may_begin_with(index.words))

    def _is_like(self, index: InjectionIndex) -> bool:
        """Whether all orders of an output together are about what the action does."""
        is_about_tool = len(self.tool & index.stems) >= self.least
        return is_about_tool or not self.intents.isdisjoint(index.intents)

    def _with(self, order: Order, values: Iterable[_Sought], index: InjectionIndex) -> bool:
        if len(self.tool & order.stems) >= self.least:
            return True
        begun = [each for each in values if each.may_begin_with(order.words)]
        if any(each.decisive for each in begun):
            return True
        if self.intents.isdisjoint(intents_ordered(order.text)):
            return False
        return bool(begun) or self.undoes or index.is_directed(order)


@reader
def ground(action: Action, context: Context) -> Ground:
    """The features of the action that an order may share."""
    outline, known, found = wish_outline(action, context), purposes(action, context), whereabouts(action, context)
    wished = outline.runs or outline.intents == {READ} or (outline.asked is Asked.YES and bool(action.args))
    return Ground(
        values=tuple(
            _sought(value, at.begun, decisive=outline.runs or _is_decisive(value)) for value, at in found.items()
        ),
        spread=tuple(filter(None, map(_spread, found))),
        intents=frozenset() if outline.runs else outline.intents - {READ},
        tool=frozenset() if wished else frozenset(known[action.tool]),
        least=1 if len(known) > 1 else LONE,
        undoes=DELETE in outline.intents or any(value.text.startswith(MASK) for value in found),
    )


def _is_decisive(value: SpelledValue) -> bool:
    return value.whole and (value.distinctive or (value.sort == "name" and len(value.text) >= SHORTEST_NAME))


def _sought(value: SpelledValue, begun: Set[int], *, decisive: bool) -> _Sought:
    firsts = frozenset[str]() if value.is_glued else {folded.partition(" ")[0] for folded in value.spellings}
    needed = value.spellings[0].split() if len(value.spellings) == 1 else ()
    return _Sought(firsts, tuple(needed), begun, decisive)


def _spread(value: SpelledValue) -> str:
    squeezed = value.spellings[0].replace(" ", "")
    return squeezed if value.distinctive and len(squeezed) >= SURE_ALONE else ""
