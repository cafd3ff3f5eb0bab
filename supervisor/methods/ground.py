"""What an action and an order must have in common before it is worth working out what the one takes from the other.

Most orders in a session's outputs are about something else. To see that takes a few sets of words, and no value has to
be looked up for it. It errs to the side of common ground: where there is none, `obedience` would find nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.language.passages import is_numeric
from supervisor.evidence.provenance.concordance import beginnings, whereabouts
from supervisor.evidence.provenance.instructions import Order
from supervisor.evidence.provenance.intents import DELETE, READ, intents_ordered
from supervisor.evidence.provenance.purposes import LONE, purposes
from supervisor.evidence.provenance.spellings import Spelt
from supervisor.evidence.provenance.utterances import SURE_ALONE, Utterance
from supervisor.evidence.provenance.wishes import MASK, Asked, deed_of
from supervisor.methods.agent_directed import is_directed

SHORTEST_NAME = 4  # letters; a shorter name stands in many texts


class _Sought(NamedTuple):
    """A value as it is looked for: what it may begin with, the words that have to stand in the output besides, the
    recent steps where it may begin, and whether to take it is to obey, whatever is done with it."""

    firsts: frozenset[str]
    words: tuple[str, ...]
    begun: Set[int]
    telling: bool

    def given_by(self, orders: Iterable[Order], said: Utterance) -> bool:
        """Whether it may begin in one of these orders of an output."""
        begins = any(not self.firsts.isdisjoint(order.words) for order in orders)
        return begins and all(word in said.squeezed.text for word in self.words)


@dataclass(frozen=True, slots=True)
class Ground:
    """What an action brings: its values, those among them that somebody may have written with other spaces, what it
    does, and the stems of what its tool is for.

    What is run brings only values: people write for each other all day what commands do. What only looks at something
    brings only targets and names. `least`: how many stems of the tool say that it is spoken of; `foreign`: a value is
    in letters that are written together; `undoes`: it deletes, or holds a secret that nobody could look up.
    """

    values: tuple[_Sought, ...]
    spread: tuple[str, ...]
    intents: frozenset[str]
    tool: frozenset[str]
    least: int
    foreign: bool
    undoes: bool

    def with_orders_of(self, said: Utterance, *, recent: bool) -> bool:
        """Whether any order of an output has something in common with the action."""
        values = [each for each in self.values if not recent or said.encodes or said.step in each.begun]
        if any(each.telling and each.given_by(said.orders, said) for each in values):
            return True
        if any(self._speaks_of_tool(order) or self._does_same(order, values, said) for order in said.orders):
            return True
        return any(each in said.squeezed.text for each in self.spread)

    def _speaks_of_tool(self, order: Order) -> bool:
        return len(self.tool & order.stems) >= self.least or (self.foreign and not order.text.isascii())

    def _does_same(self, order: Order, values: Iterable[_Sought], said: Utterance) -> bool:
        """Whether it orders the act, and the agent or a value of the action besides."""
        if self.intents.isdisjoint(intents_ordered(order.text)):
            return False
        if self.undoes or any(each.given_by([order], said) for each in values):
            return True
        return is_directed([said.passages[number] for number in order.core])


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
        foreign=any(not folded.isascii() for value in found for folded in value.spellings),
        undoes=DELETE in deed.intents or any(value.text.startswith(MASK) for value in found),
    )


def _is_telling(value: Spelt) -> bool:
    return value.whole and (value.distinctive or (value.sort == "name" and len(value.text) >= SHORTEST_NAME))


def _sought(value: Spelt, begun: Set[int], *, telling: bool) -> _Sought:
    firsts = frozenset(first for folded in value.spellings for first in beginnings(folded))
    first, *others = value.spellings
    words = [] if others else [first.replace(" ", "")] if is_numeric(first) else first.split()[1:]
    return _Sought(firsts, tuple(words), begun, telling)


def _spread(value: Spelt) -> str:
    squeezed = value.spellings[0].replace(" ", "")
    return squeezed if value.distinctive and len(squeezed) >= SURE_ALONE else ""
