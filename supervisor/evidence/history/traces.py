"""The names that what earlier steps ran tells of: files made, branches, programs.

Who asks for one has only those steps read that may tell of it, which the text of most shows without a parser.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Set

from supervisor.action import Context, Step
from supervisor.evidence.history.past import Growing, grown
from supervisor.evidence.history.past_scripts import Ran, Runs, runs_of
from supervisor.evidence.history.surfaces import places_above, teller_of
from supervisor.evidence.reading.paths import resolve

_MOST_ASKED = 1024  # names
Worth = Callable[[Step], bool]


class Sought(Growing):
    """Evidence for which a step is read once somebody asks for a name that it may tell of."""

    def __init__(self, runs: Runs, cwd: str | None) -> None:
        self._runs = runs
        self._new: dict[int, None] = {}
        self._surfaces: dict[int, str] = {}  # of the steps that are not read yet
        self._order: list[int] = []  # in which they were looked at
        self._asked: dict[tuple[str, bool], int] = {}  # how many of these no longer need to be asked for a name
        self._above, self._marks = places_above(resolve(cwd or "."))
        self._at_places: set[int] = set()  # the steps among them that may tell of the places above

    @abstractmethod
    def read(self, number: int, ran: Ran) -> None:
        """Adds what a step tells. It may be called twice for one, which changes nothing."""

    def is_worth(self, step: Step) -> bool:
        """Whether a step may tell anything at all, as far as a look at it shows."""
        return True

    def take(self, number: int, step: Step) -> None:
        if self.is_worth(step):
            self._new[number] = None

    def look_for(self, name: str, *, within: bool = False) -> None:
        """Reads the steps that may tell of a name, or of one that it stands `within`."""
        self._look_at_new()
        seen, end = self._asked.get((name, within), 0), len(self._order)
        if name.removesuffix("/*") in self._above and not within:
            found = list(self._at_places)
        else:
            found, may_tell = [], teller_of(name, within=within)
            for number in self._order[seen:end]:
                if may_tell(self._surfaces.get(number, "")):
                    found.append(number)
        for number in found:
            if number in self._surfaces:
                self.read(number, self._runs.read(number))
                self._surfaces.pop(number, None)
                self._at_places.discard(number)
        if len(self._asked) >= _MOST_ASKED:
            self._asked.clear()
        self._asked[name, within] = end

    def _look_at_new(self) -> None:
        for number in list(self._new):
            ran = self._runs.steps[number]
            text = ran.surface if ran.is_plain else self._runs.read(number).surface
            if text is None:
                self.read(number, ran)
            elif text:
                self._surfaces[number] = text
                self._order.append(number)
                if self._marks.search(text):
                    self._at_places.add(number)
            self._new.pop(number, None)


class _Told(Sought):
    """The names that the steps which were read tell of, each with the number of the first of them."""

    def __init__(self, names: Callable[[Ran], Iterable[str]], worth: Worth, runs: Runs, cwd: str | None) -> None:
        super().__init__(runs, cwd)
        self._names = names
        self._worth = worth
        self.numbers: dict[str, int] = {}

    def is_worth(self, step: Step) -> bool:
        return self._worth(step)

    def read(self, number: int, ran: Ran) -> None:
        for name in self._names(ran):
            self.numbers[name] = min(number, self.numbers.get(name, number))


class Traces(Set[str]):
    """The names that earlier steps tell of, and some more. Who asks for one has only those steps read that may tell of
    it; who goes through all has all of them read."""

    def __init__(self, told: _Told, steps: int, more: frozenset[str] = frozenset()) -> None:
        self._told = told
        self._steps = steps
        self._more = more

    def __contains__(self, name: object) -> bool:
        if name in self._more or not isinstance(name, str):
            return name in self._more
        if not self._is_told(name):
            self._told.look_for(name)
        return self._is_told(name)

    def like(self, name: str, *, within: bool = False) -> Iterator[str]:
        """All names that have the same last part, or that this one stands `within`; and maybe others."""
        self._told.look_for(name, within=within)
        yield from self._more
        yield from (each for each in tuple(self._told.numbers) if self._is_told(each))

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(self.like("", within=True)))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _is_told(self, name: str) -> bool:
        return self._told.numbers.get(name, self._steps) < self._steps


def traces(
    context: Context,
    names: Callable[[Ran], Iterable[str]],
    more: frozenset[str] = frozenset(),
    *,
    worth: Worth = lambda step: True,
) -> Traces:
    """All that `names` gives for what earlier steps ran, of those that are worth a look, and `more`. Every name has to
    end in a part of a word of the step: a path, a ref, a program. Where a script only goes to is not looked at."""
    told = grown(context, _Told, names, worth, runs_of(context), context.cwd)
    return Traces(told, len(context.history), more)
