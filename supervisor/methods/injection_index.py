"""An index of the suspicious orders in one output, computed once however many actions follow."""

from __future__ import annotations

from functools import cached_property

from supervisor.action import Context
from supervisor.evidence.history.past import remembered
from supervisor.evidence.provenance.instructions import Order, signals_of
from supervisor.evidence.provenance.intents import READ, intents_ordered
from supervisor.evidence.provenance.utterances import Utterance
from supervisor.history import History
from supervisor.methods.agent_directed import is_directed

_KEPT = 128  # of a session


class InjectionIndex:
    """The words, stems, intents and signals of the loudest orders in one output."""

    def __init__(self, said: Utterance) -> None:
        self.said = said
        self._directed: dict[tuple[int, ...], bool] = {}

    def is_directed(self, order: Order) -> bool:
        """Whether an order addresses the agent."""
        if order.core not in self._directed:
            self._directed[order.core] = is_directed([self.said.passages[number] for number in order.core])
        return self._directed[order.core]

    @cached_property
    def directed(self) -> frozenset[str]:
        """The signals of all orders that address the agent."""
        numbers = (number for order in filter(self.is_directed, self.said.loudest) for number in order.core)
        return frozenset().union(*(signals_of(self.said.passages[number].text) for number in numbers))

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of all orders."""
        return frozenset().union(*(order.words for order in self.said.loudest))

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all orders."""
        return frozenset().union(*(order.stems for order in self.said.loudest))

    @cached_property
    def intents(self) -> frozenset[str]:
        """The intents of all orders, except reading."""
        return frozenset().union(*(intents_ordered(order.text) for order in self.said.loudest)) - {READ}


def injection_index_of(context: Context, said: Utterance) -> InjectionIndex:
    """The index of an output, cached for later actions of the session."""
    known = remembered(History.of(context.history), injection_index_of, dict[Utterance, InjectionIndex])
    if len(known) > _KEPT:
        known.clear()
    return known.get(said) or known.setdefault(said, InjectionIndex(said))
