"""What an errand on the web is about: flights, cars, jobs; and what is done there: looking, booking, buying.

The words stand in `activities.yaml`, so that a rule that says "book a flight" and a task that says "one-way to Rome,
nonstop" meet in the same thing.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from importlib import resources

import yaml

_LONGEST = 4_000  # characters of a text that are looked at
# Words of dealing that here are none.
_IDIOMS = re.compile(r"\b(?:in|ascending|descending|sort|alphabetical|reverse|of) order\b|\border (?:by|of)\b")


def things_in(text: str) -> frozenset[str]:
    """The sorts of thing that a text speaks of."""
    return _found("things", text)


def verbs_in(text: str) -> frozenset[str]:
    """The sorts of dealing with them that it speaks of."""
    return _found("verbs", text)


@functools.lru_cache(maxsize=512)
def without_verbs(text: str) -> str:
    """The text without those verbs, in lower case: what is dealt with, also where no sort of thing is known for it."""
    told = text[:_LONGEST].lower()
    for pattern in _patterns()["verbs"].values():
        told = pattern.sub(" ", told)
    return told


@functools.lru_cache(maxsize=512)
def _found(part: str, text: str) -> frozenset[str]:
    told = _IDIOMS.sub(" ", " ".join(text[:_LONGEST].lower().replace("_", " ").split()))
    return frozenset(sort for sort, pattern in _patterns()[part].items() if pattern.search(told))


@functools.cache
def _patterns() -> Mapping[str, Mapping[str, re.Pattern[str]]]:
    words = yaml.safe_load((resources.files(__package__) / "activities.yaml").read_text(encoding="utf-8"))
    return {part: {sort: _pattern(listed) for sort, listed in sorts.items()} for part, sorts in words.items()}


def _pattern(listed: list[str]) -> re.Pattern[str]:
    spelled = (re.escape(word).replace(r"\*", r"[\w-]*") for word in listed)
    return re.compile(rf"\b(?:{'|'.join(spelled)})\b")
