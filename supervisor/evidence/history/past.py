"""Evidence from a session's past, read once for each step and shared by all later actions.

A history only grows, and all decisions of its session share it, so evidence read from its steps is stored with it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Set
from itertools import chain, islice, repeat
from operator import contains
from typing import TypeVar, cast

from supervisor.action import Context, Step
from supervisor.history import History

_MOST_KEPT = 32  # pieces of evidence per history; their keys contain facts that may change, such as the directory


class Growing(ABC):
    """Evidence that is read from one step after the other.

    A step may be taken twice, by two threads or after a deadline; the second time must change nothing. A decision may
    have fewer steps than were taken, so the evidence is stored with the numbers of its steps.
    """

    taken = 0

    @abstractmethod
    def take(self, number: int, step: Step) -> None:
        """Adds the evidence of a step. It must be idempotent."""


G = TypeVar("G", bound=Growing)
T = TypeVar("T")


def grown(context: Context, make: Callable[..., G], *given: Hashable) -> G:
    """The evidence `make(*given)` after all steps of a history, kept from one decision to the next."""
    history = History.of(context.history)
    kept: G = remembered(history, (make, given), lambda: make(*given))
    while (number := kept.taken) < len(history):
        kept.take(number, history[number])
        kept.taken = number + 1
    return kept


def remembered(history: History, key: Hashable, make: Callable[[], T]) -> T:
    """The value that a history keeps under a key, made if absent; the least recently used value is evicted."""
    memory = history.memory
    kept = memory.pop(key, None)  # inserted again below as the most recent
    if kept is None:
        kept = make()
        for oldest in list(memory)[: max(len(memory) - _MOST_KEPT + 1, 0)]:
            memory.pop(oldest, None)
    return cast(T, memory.setdefault(key, kept))


class _Looked(Growing):
    """What a function finds in each step, looked up when it is first asked for."""

    def __init__(self, look: Callable[[Step], object]) -> None:
        self._look = look
        self._found: list[object] = []

    def take(self, number: int, step: Step) -> None:
        self._found[number : number + 1] = [_UNSEEN]

    def at(self, number: int, step: Step) -> object:
        found = self._found[number]
        if found is _UNSEEN:
            found = self._found[number] = self._look(step)
        return found


_UNSEEN = object()


def looked_up(context: Context, look: Callable[[Step], T], latest: int) -> Iterator[T]:
    """What a function finds in each of the `latest` steps, the last step first. It looks at each step once in a
    session, and must be a function of a module, which later actions know it by."""
    history = History.of(context.history)
    kept = grown(context, _Looked, look)
    for number in range(len(history) - 1, max(-1, len(history) - 1 - latest), -1):
        yield cast(T, kept.at(number, history[number]))


class _Texts(Growing):
    """The texts of each step: its output and its arguments."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, ...]] = []

    def take(self, number: int, step: Step) -> None:
        texts = (step.text, *(value for value in step.args.values() if isinstance(value, str)))
        self.steps[number : number + 1] = [texts]


def mentions(context: Context, name: str) -> bool:
    """Whether the output or an argument of any step contains a name, also as a part of a longer one."""
    texts = chain.from_iterable(islice(grown(context, _Texts).steps, len(context.history)))
    return any(map(contains, texts, repeat(name)))


class _Firsts(Growing):
    """Names, each with the number of the first step that has it, in the order of these steps."""

    def __init__(self, read: Callable[..., Iterable[str]], *given: Hashable) -> None:
        self._read = read
        self._given = given
        self.numbers: dict[str, int] = {}

    def take(self, number: int, step: Step) -> None:
        for name in self._read(step, *self._given):
            self.numbers.setdefault(name, number)


class Names(Set[str]):
    """The names in the first `steps` steps, and `more`. Construction and membership tests take constant time."""

    def __init__(self, firsts: Mapping[str, int], steps: int, more: frozenset[str] = frozenset()) -> None:
        self._firsts = firsts
        self._steps = steps
        self._more = more

    def __contains__(self, name: object) -> bool:
        return name in self._more or (isinstance(name, str) and self._firsts.get(name, self._steps) < self._steps)

    def __iter__(self) -> Iterator[str]:
        """`more`, then the other names in the order of their first steps."""
        yield from self._more
        yield from (name for name in tuple(self._firsts) if name not in self._more and name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def names_in_history(
    context: Context, read: Callable[..., Iterable[str]], *given: Hashable, more: frozenset[str] = frozenset()
) -> Names:
    """All names that `read(step, *given)` returns for the steps of a history, and `more`."""
    return Names(grown(context, _Firsts, read, *given).numbers, len(context.history), more)
