"""Plots of weeks as inline SVG: geometry alone, which a template draws with classes of the stylesheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 320, 120
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 8, 8, 20  # on the left there is room for `1,000,000`

Values = Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of one week."""

    x: float
    y: float
    width: float
    height: float
    told: str


@dataclass(frozen=True, slots=True)
class Plot:
    """One measure over the weeks, oldest first; None where a week has none. `second` is drawn beside the first.
    `top` is the greatest value of the axis (None: that of the data)."""

    title: str
    weeks: Sequence[str]
    first: Values
    second: Values = ()
    names: tuple[str, str] = ("", "")
    are_bars: bool = False
    top: float | None = None
    form: str = "{:,.0f}"

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw: no value, or no bar with a height. A share of 0 is a point of a line."""
        values = (*self.first, *self.second)
        return not any(values) if self.are_bars else all(each is None for each in values)

    @property
    def greatest(self) -> float:
        """The value at the top of the axis."""
        return self.top or max((each for each in (*self.first, *self.second) if each is not None), default=0) or 1

    @property
    def told_greatest(self) -> str:
        """The same for people."""
        return self.form.format(self.greatest)

    @property
    def summary(self) -> str:
        """What the plot shows, for who does not see it."""
        told = [self._series(self.names[0], self.first)]
        told += [self._series(self.names[1], self.second)] if self.second else []
        return "; ".join(told)

    def _series(self, name: str, values: Values) -> str:
        pairs = zip(self.weeks, values, strict=True)
        found = [f"{week} {self.form.format(each)}" for week, each in pairs if each is not None]
        return f"{name} {', '.join(found) or 'nothing'}".strip()

    @property
    def bars(self) -> list[Bar]:
        """The bars of the first measure."""
        wide = self._step * 0.7
        return [
            Bar(
                self._x(place) - wide / 2, self._y(each), wide, HEIGHT - _BOTTOM - self._y(each), f"{week}: {each:,.0f}"
            )
            for place, (week, each) in enumerate(zip(self.weeks, self.first, strict=True))
            if each
        ]

    @property
    def lines(self) -> list[tuple[str, list[str], list[tuple[float, float]]]]:
        """Class, runs of points without a gap, and all points, of each measure."""
        series = [("line", self.first), ("line second", self.second)]
        return [(style, self._runs(values), self._points(values)) for style, values in series if values]

    def _points(self, values: Values) -> list[tuple[float, float]]:
        return [(self._x(place), self._y(each)) for place, each in enumerate(values) if each is not None]

    def _runs(self, values: Values) -> list[str]:
        runs: list[list[str]] = [[]]
        for place, each in enumerate(values):
            if each is None:
                runs.append([])
            else:
                runs[-1].append(f"{self._x(place):.1f},{self._y(each):.1f}")
        return [" ".join(run) for run in runs if len(run) > 1]

    @property
    def _step(self) -> float:
        return (WIDTH - _LEFT - _RIGHT) / max(len(self.weeks), 1)

    def _x(self, place: int) -> float:
        return round(_LEFT + (place + 0.5) * self._step, 1)

    def _y(self, each: float) -> float:
        return round(HEIGHT - _BOTTOM - min(each / self.greatest, 1) * (HEIGHT - _BOTTOM - _TOP), 1)
