"""The values that a command sets: `--ttl 30`, `"temperature": 5`, `SET limit = 80`, what a substitution writes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from supervisor.evidence.situation.values.quantities import parts_of, unit_of_key

_MOST = 60
_NUMBER = r"(?P<number>\d{1,15}(?:[.,]\d{1,6})?)(?P<unit>[A-Za-z%]{0,8})"
_END = r"[\"']?(?![\w.+*/:-]{0,40}[\w(*])"
_SIGN = r"(?P<sign>(?<=[\"'\s]):|:(?=\s)|=>|<=|>=|=|<|>)"
_KEYED = re.compile(
    rf"(?P<key>[A-Za-z_][\w.-]{{0,60}})[\"'\\]{{0,2}}\s{{0,2}}{_SIGN}\s{{0,2}}[\"'\\]{{0,2}}{_NUMBER}{_END}"
)
_OPTION = re.compile(rf"(?<![\w-])--?(?P<key>[A-Za-z][\w.-]{{0,40}})(?:\s{{1,2}}|=)[\"']?\+?{_NUMBER}{_END}")
_TO = re.compile(rf"(?i)\bset\s+(?:\w+\s+)?(?P<key>[A-Za-z_][\w.-]{{2,60}})\s+(?:to\s+)?[\"']?{_NUMBER}{_END}")
_SUBSTITUTES = re.compile(r"(?<![\w])s([/#|,~!@])((?:\\.|(?!\1)[^\n\\]){1,200})\1((?:\\.|(?!\1)[^\n\\]){0,200})\1")
_REPLACES = re.compile(r"-replace\s+(['\"])(.{1,200}?)\1\s*,\s*(['\"])(.{0,200}?)\3")
_DIGITS = re.compile(rf"(?<![\w.]){_NUMBER}(?![\w.])")
_WORD = re.compile(r"[A-Za-z_]{3,}")


class Setting(NamedTuple):
    """A number that a command gives to something; a substitution may have no key."""

    key: str
    value: float
    unit: str
    text: str
    compares: bool = False  # it only selects: `age > 60`

    @property
    def parts(self) -> list[str]:
        return parts_of(self.key)

    @property
    def known_unit(self) -> str:
        """The unit that the value or the end of the key shows."""
        return self.unit or unit_of_key(self.key)


def settings(text: str) -> tuple[Setting, ...]:
    """The numbers that a script sets, each once."""
    found: dict[Setting, None] = {}
    after = written(text)
    for pattern in (_KEYED, _OPTION, _TO):
        for match in islice(pattern.finditer(after), _MOST):
            sign = match.groupdict().get("sign") or "="
            key, digits, unit = match["key"], match["number"], match["unit"]
            found[Setting(key, _number(digits), unit.lower(), f"{key} {digits}{unit}", sign[0] in "<>")] = None
    for old, new in islice(substitutions(text), _MOST):
        found |= dict.fromkeys(_written(old, new))
    return tuple(islice(found, _MOST))


def substitutions(text: str) -> Iterator[tuple[str, str]]:
    """What each substitution looks for, and what it writes."""
    for match in _SUBSTITUTES.finditer(text):
        yield match[2], match[3]
    for match in _REPLACES.finditer(text):
        yield match[2], match[4]


def written(text: str) -> str:
    """A script without the texts that its substitutions look for."""
    plain = _SUBSTITUTES.sub(lambda match: f"s{match[1]}{match[1]}{match[3]}{match[1]}", text)
    return _REPLACES.sub(lambda match: f"-replace '','{match[4]}'", plain)


_REFERENCE = re.compile(r"\\[1-9]|\$\{[1-9]\}")  # a group of the pattern: in `\130s` the number is 30


def _written(old: str, new: str) -> Iterator[Setting]:
    before = {match[0] for match in _DIGITS.finditer(old)}
    if not before or _KEYED.search(new):
        return
    for digits, unit in _DIGITS.findall(_REFERENCE.sub(" ", new)):
        if f"{digits}{unit}" not in before:
            yield Setting(" ".join(_WORD.findall(old))[:60], _number(digits), unit.lower(), f"{old} → {new}"[:120])


def _number(digits: str) -> float:
    return float(digits.replace(",", "."))
