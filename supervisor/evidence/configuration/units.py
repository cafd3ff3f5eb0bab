"""Whether an alert speaks of its metric in another unit than the name of the metric has."""

from __future__ import annotations

import re
from typing import NamedTuple

from supervisor.evidence.configuration.fault import texts

# A quantity: its units by the ends of metrics' names, and by the words that people write, each with its size.
_QUANTITIES: tuple[tuple[dict[str, float], dict[str, float]], ...] = (
    (
        {
            "seconds": 1,
            "milliseconds": 1e-3,
            "millis": 1e-3,
            "ms": 1e-3,
            "microseconds": 1e-6,
            "us": 1e-6,
            "nanoseconds": 1e-9,
        }
        | {"ns": 1e-9, "minutes": 60, "hours": 3600},
        {
            "ms": 1e-3,
            "milliseconds": 1e-3,
            "msec": 1e-3,
            "s": 1,
            "sec": 1,
            "seconds": 1,
            "second": 1,
            "µs": 1e-6,
            "us": 1e-6,
        }
        | {"min": 60, "minutes": 60, "hours": 3600, "h": 3600},
    ),
    (
        {
            "bytes": 1,
            "kilobytes": 1e3,
            "kibibytes": 1e3,
            "kb": 1e3,
            "megabytes": 1e6,
            "mb": 1e6,
            "mebibytes": 1e6,
            "gigabytes": 1e9,
        },
        {
            "B": 1,
            "bytes": 1,
            "KB": 1e3,
            "kB": 1e3,
            "KiB": 1e3,
            "MB": 1e6,
            "MiB": 1e6,
            "GB": 1e9,
            "GiB": 1e9,
            "TB": 1e12,
        },
    ),
    (
        {"celsius": 1, "millicelsius": 1e-3, "decicelsius": 0.1, "centicelsius": 0.01},
        {"°C": 1, "celsius": 1, "degrees": 1, "deg": 1},
    ),
    ({"ratio": 1, "fraction": 1, "percent": 0.01, "percentage": 0.01, "pct": 0.01}, {"%": 0.01, "percent": 0.01}),
    ({"volts": 1, "millivolts": 1e-3, "mv": 1e-3}, {"V": 1, "volts": 1, "mV": 1e-3}),
    ({"amperes": 1, "amps": 1, "milliamperes": 1e-3, "milliamps": 1e-3}, {"A": 1, "mA": 1e-3}),
    ({"watts": 1, "milliwatts": 1e-3, "kilowatts": 1e3}, {"W": 1, "kW": 1e3, "mW": 1e-3}),
    (
        {"meters": 1, "metres": 1, "millimeters": 1e-3, "millimetres": 1e-3, "centimeters": 1e-2},
        {"m": 1, "mm": 1e-3, "cm": 1e-2},
    ),
    (
        {"pascals": 1, "hectopascals": 100, "kilopascals": 1e3},
        {"Pa": 1, "hPa": 100, "kPa": 1e3, "bar": 1e5, "mbar": 100},
    ),
)
_METRIC = re.compile(r"\b[a-zA-Z_:][\w:]*_([a-z]+)(?:_(?:total|sum|count|bucket|max|min|avg))?(?=\s*[{\[)<>=]|\s*$)")
_COMPARED = re.compile(r"[<>]=?\s*(-?\d[\d_]*(?:\.\d+)?(?:e\d+)?)\s*$")
_SCALED = re.compile(r"[*/]\s*\(?\s*\d|\d\s*[*]|\)\s*/|/\s*[a-z(]", re.IGNORECASE)
_VALUE = re.compile(r"\{\{\s*(?:\$value|\.Value|printf\s+\"[^\"]{1,20}\"\s+\$value)\s*\}\}\s*([°µ%A-Za-z]+)")
_NUMBER = re.compile(r"(?<![\w.])(-?\d[\d,]*(?:\.\d+)?)\s*([°µ%A-Za-z]+)")


class _Unit(NamedTuple):
    quantity: int
    size: float


def other_unit(expression: str, annotations: object) -> str:
    """The words of the annotations that give the value, or the very threshold, another unit than the metric has; empty
    if they agree, if the expression converts, or if the metric's name has no unit."""
    said = " ".join(
        text for each in (annotations if isinstance(annotations, list) else [annotations]) for text in _texts(each)
    )
    if not said or _SCALED.search(expression):
        return ""
    unit = next((each for name in _METRIC.findall(expression) if (each := _of_metric(name))), None)
    if unit is None:
        return ""
    for found in _VALUE.finditer(said):
        if _is_other(unit, found[1]):
            return found[0]
    threshold = _COMPARED.search(expression)
    for found in _NUMBER.finditer(said) if threshold else ():
        is_threshold = threshold is not None and float(found[1].replace(",", "")) == float(
            threshold[1].replace("_", "")
        )
        if is_threshold and float(found[1].replace(",", "")) != 0 and _is_other(unit, found[2]):
            return found[0]
    return ""


def _texts(value: object) -> list[str]:
    return [text for each in value.values() for text in texts(each)] if isinstance(value, dict) else texts(value)


def _of_metric(name: str) -> _Unit | None:
    return next((_Unit(at, names[name]) for at, (names, _) in enumerate(_QUANTITIES) if name in names), None)


def _is_other(unit: _Unit, word: str) -> bool:
    sizes = _QUANTITIES[unit.quantity][1]
    size = sizes.get(word, sizes.get(word.lower()))
    return size is not None and size != unit.size
