"""The words with which texts and names say on which stage of a system they are: production, staging, a local one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from supervisor.evidence.reading.tables import table_beside

_LONGEST = 8 * 1024  # characters of a task
_MOST_LINE = 4096  # characters of a command
_WORD = re.compile(r"[^\W\d_]+")


def _loaded() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = table_beside(__file__, "stage_words.yaml")
    return loaded


def may_be_on_other_stage(text: str, task: str) -> bool:
    """Whether a command text has a word for a stage that is not the one that the user named. Bounded work."""
    dangers = dangers_in(task)
    folded = text[:_MOST_LINE].lower()
    if not dangers or not any(word in folded for word in _slips()):
        return False
    used = stages_in(folded)
    return any(danger in used and stage not in used for danger, (stage, _) in dangers.items())


@lru_cache(maxsize=64)
def dangers_in(task: str) -> Mapping[str, tuple[str, str]]:
    """The stages on which a command of this request would be a slip, each with the one that is named, and its word."""
    asked = stages_in(task[:_LONGEST])
    slips = ((_slip(stage), stage) for stage in asked if not _is_proven(asked[stage], task))
    return {slip: (stage, asked[stage]) for slip, stage in slips if slip and slip not in asked}


def _is_proven(word: str, task: str) -> bool:
    """Whether a request names a stage as the one where the work has passed already."""
    at = task.find(word)
    return bool(_pattern("proven").search(task[max(0, at - 30) : at + len(word) + 30]))


def stages_in(text: str) -> dict[str, str]:
    """The stages that a text names, each with its word."""
    found: dict[str, str] = {}
    text = _pattern("apart").sub(" ", text)
    by_word, parts = _words()
    for word in _WORD.findall(text):
        plain = word.lower()
        for each in (plain,) if plain.isascii() else (plain, *(part for part in parts if part in plain)):
            if stage := by_word.get(each):
                found.setdefault(stage, word)
    if test := _pattern("test").search(text):
        found.setdefault("sandbox", test[0].strip())
    if "production" in found:
        found.setdefault("stable", found["production"])
    return found


@cache
def _stages() -> Mapping[str, Mapping[str, str]]:
    stages: Mapping[str, Mapping[str, str]] = _loaded()["stages"]
    return stages


def _slip(stage: str) -> str:
    return _stages()[stage].get("slip", "")


@cache
def _slips() -> tuple[str, ...]:
    """The words for stages that a slip takes."""
    slips = {_slip(stage) for stage in _stages()} - {""}
    return tuple(word for stage in slips for word in _stages()[stage]["words"].split())


@cache
def _words() -> tuple[dict[str, str], tuple[str, ...]]:
    """The stage of each word, and the words that stand within others."""
    stages = [*_stages().items()]
    by_word = {word: stage for stage, each in reversed(stages) for word in each["words"].split()}
    return by_word, tuple(word for word in by_word if not word.isascii())


@cache
def _pattern(name: str) -> re.Pattern[str]:
    text: Any = _loaded()[name]
    return re.compile(text.strip(), re.IGNORECASE)
