"""The names in the commands of earlier steps: files made, branches, programs.

A search for a name reads only the steps that may mention it. The text of most steps shows that without a parser.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Set

from supervisor.action import Context, Step
from supervisor.evidence.history.past import Growing, grown
from supervisor.evidence.history.past_scripts import PastStep, PastSteps, past_steps
from supervisor.evidence.history.surfaces import matcher_of, places_above
from supervisor.evidence.reading.paths import resolve

_MOST_SEARCHED = 1024  # names
Worth = Callable[[Step], bool]


class Sought(Growing):
    """Evidence whose steps are read only when a name is requested that they may mention."""

    def __init__(self, steps: PastSteps, cwd: str | None) -> None:
        self._steps = steps
        self._new: dict[int, None] = {}
        self._surfaces: dict[int, str] = {}  # of the steps that are not yet read
        self._order: list[int] = []  # steps with a surface, in the order of their numbers
        self._searched: dict[tuple[str, bool], int] = {}  # for each name, how many of `_order` are searched
        self._above, self._marks = places_above(resolve(cwd or "."))
        self._at_places: set[int] = set()  # the steps that may mention the current directory or a parent

    @abstractmethod
    def read(self, number: int, past: PastStep) -> None:
        """Adds the evidence of a step. It may be called twice for a step; the second call must change nothing."""

    def is_worth(self, step: Step) -> bool:
        """Whether a step may have evidence at all, by a quick test."""
        return True

    def take(self, number: int, step: Step) -> None:
        if self.is_worth(step):
            self._new[number] = None

    def look_for(self, name: str, *, within: bool = False) -> None:
        """Reads the steps that may mention a name or, with `within`, a name that contains it."""
        self._add_surfaces()
        seen, end = self._searched.get((name, within), 0), len(self._order)
        if name.removesuffix("/*") in self._above and not within:
            found = list(self._at_places)
        else:
            found, may_mention = [], matcher_of(name, within=within)
            for number in self._order[seen:end]:
                if may_mention(self._surfaces.get(number, "")):
                    found.append(number)
        for number in found:
            if number in self._surfaces:
                self.read(number, self._steps.read(number))
                self._surfaces.pop(number, None)
                self._at_places.discard(number)
        if len(self._searched) >= _MOST_SEARCHED:
            self._searched.clear()
        self._searched[name, within] = end

    def _add_surfaces(self) -> None:
        for number in list(self._new):
            past = self._steps.steps[number]
            text = past.surface if past.is_plain else self._steps.read(number).surface
            if text is None:
                self.read(number, past)
            elif text:
                self._surfaces[number] = text
                self._order.append(number)
                if self._marks.search(text):
                    self._at_places.add(number)
            self._new.pop(number, None)


class _FirstSteps(Sought):
    """The names in the steps that were read, each with the number of its first step."""

    def __init__(
        self, names: Callable[[PastStep], Iterable[str]], worth: Worth, steps: PastSteps, cwd: str | None
    ) -> None:
        super().__init__(steps, cwd)
        self._names = names
        self._worth = worth
        self.numbers: dict[str, int] = {}

    def is_worth(self, step: Step) -> bool:
        return self._worth(step)

    def read(self, number: int, past: PastStep) -> None:
        for name in self._names(past):
            self.numbers[name] = min(number, self.numbers.get(name, number))


class Traces(Set[str]):
    """The names in earlier steps, and `more`. A membership test reads only the steps that may mention the name;
    iteration reads all steps."""

    def __init__(self, first: _FirstSteps, steps: int, more: frozenset[str] = frozenset()) -> None:
        self._first = first
        self._steps = steps
        self._more = more

    def __contains__(self, name: object) -> bool:
        if name in self._more or not isinstance(name, str):
            return name in self._more
        if not self._is_before(name):
            self._first.look_for(name)
        return self._is_before(name)

    def like(self, name: str, *, within: bool = False) -> Iterator[str]:
        """All names with the same last part or, with `within`, that contain this name; possibly others as well."""
        self._first.look_for(name, within=within)
        yield from self._more
        yield from (each for each in tuple(self._first.numbers) if self._is_before(each))

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(self.like("", within=True)))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _is_before(self, name: str) -> bool:
        return self._first.numbers.get(name, self._steps) < self._steps


def traces(
    context: Context,
    names: Callable[[PastStep], Iterable[str]],
    more: frozenset[str] = frozenset(),
    *,
    worth: Worth = lambda step: True,
) -> Traces:
    """All names that `names` returns for the commands of earlier steps that pass `worth`, and `more`.

    Every name must end in a part of a word of its step: a path, a ref, a program. Directories that a script only
    changes to are not searched.
    """
    first = grown(context, _FirstSteps, names, worth, past_steps(context), context.cwd)
    return Traces(first, len(context.history), more)
