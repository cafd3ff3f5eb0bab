"""The things of an errand on the web (flights, cars, jobs), and the activities (looking, booking, buying).

The words are in `activities.yaml`, so that the rule "book a flight" and the task "one-way to Rome, nonstop" are about
the same thing.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping

from supervisor.evidence.reading.tables import table_beside

_LONGEST = 4_000  # characters of a text that are read
# Phrases in which "order" is not an activity.
_IDIOMS = re.compile(r"\b(?:in|ascending|descending|sort|alphabetical|reverse|of) order\b|\border (?:by|of)\b")


def things_in(text: str) -> frozenset[str]:
    """The sorts of thing that a text mentions."""
    return _found("things", text)


def verbs_in(text: str) -> frozenset[str]:
    """The sorts of activity that a text mentions."""
    return _found("verbs", text)


@functools.lru_cache(maxsize=512)
def without_verbs(text: str) -> str:
    """The text in lower case without the words for activities, which leaves its things, even those of no known sort."""
    remaining = text[:_LONGEST].lower()
    for pattern in _patterns()["verbs"].values():
        remaining = pattern.sub(" ", remaining)
    return remaining


@functools.lru_cache(maxsize=512)
def _found(part: str, text: str) -> frozenset[str]:
    plain = _IDIOMS.sub(" ", " ".join(text[:_LONGEST].lower().replace("_", " ").split()))
    return frozenset(sort for sort, pattern in _patterns()[part].items() if pattern.search(plain))


@functools.cache
def _patterns() -> Mapping[str, Mapping[str, re.Pattern[str]]]:
    words = table_beside(__file__, "activities.yaml")
    return {part: {sort: _pattern(listed) for sort, listed in sorts.items()} for part, sorts in words.items()}


def _pattern(listed: list[str]) -> re.Pattern[str]:
    spelled = (re.escape(word).replace(r"\*", r"[\w-]*") for word in listed)
    return re.compile(rf"\b(?:{'|'.join(spelled)})\b")
