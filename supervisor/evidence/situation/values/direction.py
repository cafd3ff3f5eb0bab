"""Whether a command moves a value up that the request wants down, or down what it wants up.

The user says "lower the TTL", an output shows that it is 3600, and the command has 172800.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from supervisor.action import Context
from supervisor.evidence.situation.values.demands import concepts_in, concepts_of
from supervisor.evidence.situation.values.rows import row
from supervisor.evidence.situation.values.seen import Mismatch, lines
from supervisor.evidence.situation.values.settings import Setting, settings

_CLAUSE = re.compile(r"[,;!?\n\u3002]|\.(?=\s|$)|\b(?:and|und|et|y|e)\b")
_MOST_LINES = 400


def may_name_direction(task: str) -> bool:
    """Whether a request says that a value is to go up or down."""
    return _words("lower").search(task) is not None or _words("higher").search(task) is not None


def other_directions(script: str, task: str, context: Context) -> Iterator[Mismatch]:
    """Settings that go the other way than the request says, from the value that an output shows."""
    found = [each for each in settings(script) if each.key and not each.compares]
    if not found:
        return
    for clause in _CLAUSE.split(task):
        down, up = _words("lower").search(clause), _words("higher").search(clause)
        if (down is None) == (up is None):
            continue
        wanted = concepts_in(clause)
        for setting in found:
            if not wanted.isdisjoint(concepts_of(setting.parts)):
                shown = _shown(setting, context)
                if shown is not None and (setting.value > shown if down else setting.value < shown):
                    yield Mismatch((down or up or [""])[0], f"{setting.text}, which was {shown:g}")


def _shown(setting: Setting, context: Context) -> float | None:
    """The value of a setting that the outputs show; None if they show none, or several."""
    values = set[float]()
    for number, line in enumerate(lines(context)):
        if number >= _MOST_LINES:
            break
        if setting.key in line:
            same = (each for each in settings(line) if each.key == setting.key and each.unit == setting.unit)
            values.update(each.value for each in same)
    return values.pop() if len(values) == 1 else None


@cache
def _words(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?i)(?<!\w)(?:{row(name)})(?!\w)")
