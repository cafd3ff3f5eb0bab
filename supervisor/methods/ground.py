"""What an action and an order must have in common before it is worth working out what the one takes from the other.

Most orders in a session's outputs are about something else. To see that takes a few sets of words, and no value has to
be looked up for it. It errs to the side of common ground: in outputs where there is none, `obedience` finds nothing.
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
from supervisor.evidence.provenance.spellings import Spelt
from supervisor.evidence.provenance.utterances import SURE_ALONE, Utterance
from supervisor.evidence.provenance.wishes import MASK, Asked, deed_of
from supervisor.methods.injection_index import InjectionIndex

SHORTEST_NAME = 4  # letters; a shorter name stands in many texts


class _Sought(NamedTuple):
    """A value as it is looked for: the words that it may begin with (none where it may begin inside of one), what has
    to stand in the output besides, the recent steps where it may begin, and whether to take it is to obey, whatever is
    done with it."""

    firsts: Set[str]
    needed: tuple[str, ...]
    begun: Set[int]
    telling: bool

    def may_begin_with(self, words: Set[str]) -> bool:
        """Whether it may begin among these words of orders."""
        return not self.firsts or not self.firsts.isdisjoint(words)

    def may_stand_in(self, said: Utterance) -> bool:
        """Whether an output has what it needs."""
        return all(each in said.squeezed.text for each in self.needed)


@dataclass(frozen=True, slots=True)
class Ground:
    """What an action brings: its values, those among them that somebody may have written with other spaces, what it
    does, and the stems of what its tool is for.

    What is run brings only values: people write for each other all day what commands do. What only looks at something
    brings only targets and names. `least`: how many stems of the tool say that it is spoken of; `undoes`: it deletes,
    or holds a secret that nobody could look up.
    """

    values: tuple[_Sought, ...]
    spread: tuple[str, ...]
    intents: frozenset[str]
    tool: frozenset[str]
    least: int
    undoes: bool

    def with_orders_of(self, suspicion: InjectionIndex, *, recent: bool) -> bool:
        """Whether any order of an output has something in common with the action. `recent`: it is one of those of which
        is known where a value may begin."""
        values = [each for each in self._values_in(suspicion, recent) if each.may_stand_in(suspicion.said)]
        orders = suspicion.said.loudest if values or self._is_like(suspicion) else ()
        return any(self._with(order, values, suspicion) for order in orders) or any(
            each in suspicion.said.squeezed.text for each in self.spread
        )

    def _values_in(self, suspicion: InjectionIndex, recent: bool) -> Iterator[_Sought]:
        said, known = suspicion.said, recent and not suspicion.said.encodes
        values = (each for each in self.values if not known or said.step in each.begun)
        return (each for each in values if each.may_begin_with(suspicion.words))

    def _is_like(self, suspicion: InjectionIndex) -> bool:
        """Whether all orders of an output together speak of what the action does."""
        told = len(self.tool & suspicion.stems) >= self.least
        return told or not self.intents.isdisjoint(suspicion.intents)

    def _with(self, order: Order, values: Iterable[_Sought], suspicion: InjectionIndex) -> bool:
        if len(self.tool & order.stems) >= self.least:
            return True
        begun = [each for each in values if each.may_begin_with(order.words)]
        if any(each.telling for each in begun):
            return True
        if self.intents.isdisjoint(intents_ordered(order.text)):
            return False
        return bool(begun) or self.undoes or suspicion.is_directed(order)


@reader
def ground(action: Action, context: Context) -> Ground:
    """What the action brings."""
    deed, known, found = deed_of(action, context), purposes(action, context), whereabouts(action, context)
    wished = deed.runs or deed.intents == {READ} or (deed.asked is Asked.YES and bool(action.args))
    return Ground(
        values=tuple(_sought(value, at.begun, telling=deed.runs or _is_telling(value)) for value, at in found.items()),
        spread=tuple(filter(None, map(_spread, found))),
        intents=frozenset() if deed.runs else deed.intents - {READ},
        tool=frozenset() if wished else frozenset(known[action.tool]),
        least=1 if len(known) > 1 else LONE,
        undoes=DELETE in deed.intents or any(value.text.startswith(MASK) for value in found),
    )


def _is_telling(value: Spelt) -> bool:
    return value.whole and (value.distinctive or (value.sort == "name" and len(value.text) >= SHORTEST_NAME))


def _sought(value: Spelt, begun: Set[int], *, telling: bool) -> _Sought:
    firsts = frozenset[str]() if value.is_glued else {folded.partition(" ")[0] for folded in value.spellings}
    needed = value.spellings[0].split() if len(value.spellings) == 1 else ()
    return _Sought(firsts, tuple(needed), begun, telling)


def _spread(value: Spelt) -> str:
    squeezed = value.spellings[0].replace(" ", "")
    return squeezed if value.distinctive and len(squeezed) >= SURE_ALONE else ""
