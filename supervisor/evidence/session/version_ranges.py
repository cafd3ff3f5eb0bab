"""Which versions a report speaks of: a range, or the versions that it names as free of the fault."""

from __future__ import annotations

import re
from itertools import islice

_RANGE = re.compile(r"(>=|<=|<|>|==|=)\s?v?(\d+(?:\.\d+){0,3})")
_VERSION = re.compile(r"(?<![\w.])v?(\d+)\.(\d+)(?:\.(\d+))?(?![\w.]*/)")


def is_affected(version: str, text: str) -> bool:
    """Whether a version lies in the range that a report gives; it does if there is no range, or no version."""
    given = _VERSION.search(version)
    ranges = list(islice(_RANGE.finditer(text), 8))
    if given is None or not ranges or not version[:1].isdigit():
        return given is None or version not in _safe_versions(text)
    number = _numbers(version)
    return any(_holds(number, found[1], _numbers(found[2])) for found in ranges)


def _safe_versions(text: str) -> frozenset[str]:
    """The versions that a report names as those without the fault."""
    fixed = re.finditer(
        r"(?i)(?:fixed|patched|safe|clean|last good|downgrade to|pin(?:ned)? to)\D{0,20}(\d+(?:\.\d+)+)", text
    )
    return frozenset(found[1] for found in islice(fixed, 20))


def _holds(number: tuple[int, ...], sign: str, bound: tuple[int, ...]) -> bool:
    return {
        ">=": number >= bound,
        "<=": number <= bound,
        ">": number > bound,
        "<": number < bound,
    }.get(sign, number == bound)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part[:9]) for part in re.findall(r"\d+", version)[:4])
