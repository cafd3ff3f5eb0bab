"""A small chart: lines over two axes, as SVG, built from strings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 690, 50, 360
COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
)  # safe for colour-blind readers (Okabe and Ito)
Line = Sequence[tuple[float, float]]


def chart(title: str, x: str, y: str, lines: Mapping[str, Line], *, is_linear: bool = False) -> str:
    """A chart of lines by name, each of positive points; `x` and `y` label the axes, which are logarithmic unless they
    are linear, from 0 on."""
    axis = _Linear if is_linear else _Logarithmic
    across = axis([each for line in lines.values() for each, _ in line], LEFT, RIGHT)
    up = axis([each for line in lines.values() for _, each in line], BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        _text(WIDTH / 2, 22, title, "middle"),
        _text((LEFT + RIGHT) / 2, HEIGHT - 18, x, "middle"),
        _text(16, (TOP + BOTTOM) / 2, y, "middle", f'transform="rotate(-90 16 {(TOP + BOTTOM) / 2})"'),
        *(_rule(at, TOP, at, BOTTOM) + _text(at, BOTTOM + 18, tick, "middle") for tick, at in across.ticks()),
        *(_rule(LEFT, at, RIGHT, at) + _text(LEFT - 8, at + 4, tick, "end") for tick, at in up.ticks()),
    ]
    for number, ((name, line), colour) in enumerate(zip(lines.items(), COLOURS, strict=False)):
        points = [f"{across.place(one):.1f},{up.place(other):.1f}" for one, other in line]
        parts.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += ['<circle cx="{}" cy="{}" r="3" fill="{}"/>'.format(*point.split(","), colour) for point in points]
        parts.append(_text(LEFT + 12, TOP + 18 * (number + 1), f"● {name}", "start", f'fill="{colour}"'))
    return "\n".join([*parts, "</svg>", ""])


class _Linear:
    """From 0 to the greatest value, in fifths."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        self._high = max(values) or 1.0
        self._start, self._end = start, end

    def place(self, value: float) -> float:
        return self._start + value / self._high * (self._end - self._start)

    def ticks(self) -> Iterator[tuple[str, float]]:
        values = (self._high * fifth / 5 for fifth in range(6))
        return ((f"{value:,.9g}", self.place(value)) for value in values)


class _Logarithmic:
    """Whole powers of ten, from below the least value to above the greatest."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        self._low = math.floor(math.log10(min(values)))
        self._high = max(math.ceil(math.log10(max(values))), self._low + 1)
        self._start, self._end = start, end

    def place(self, value: float) -> float:
        share = (math.log10(value) - self._low) / (self._high - self._low)
        return self._start + share * (self._end - self._start)

    def ticks(self) -> Iterator[tuple[str, float]]:
        return ((f"{10.0**power:,.9g}", self.place(10.0**power)) for power in range(self._low, self._high + 1))


def _rule(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#ddd"/>'


def _text(x: float, y: float, text: str, anchor: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="12" {more}>{escape(text)}</text>'
