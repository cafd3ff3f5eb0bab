"""Short texts for a report, and the words that an action shares with the user's."""

from __future__ import annotations

import re
from typing import Any

import orjson

from supervisor.action import Action
from supervisor.intake.json_values import plain

MOST = 400  # characters
_LONGEST = 8 * 1024
_WORD = re.compile(r"[^\W\d_]{4,40}|\d{2,20}")
_ENOUGH = 0.5  # the share of an action's words that stand in the user's


def summary(value: Any) -> str:
    """A value as one line of text, cut in the middle of nothing but its end."""
    if isinstance(value, dict) and len(value) == 1:
        (value,) = value.values()
    text = value if isinstance(value, str) else orjson.dumps(plain(value)).decode()
    line = " ".join(text[:_LONGEST].split())
    return line if len(line) <= MOST else f"{line[: MOST - 1]}…"


def is_asked_for(action: Action, said: str) -> bool:
    """Whether at least half of an action's words stand in the user's words: such a stop is likely to be false."""
    mine = {word.lower() for _, text in action.strings() for word in _WORD.findall(text[:_LONGEST])}
    theirs = {word.lower() for word in _WORD.findall(said[:_LONGEST])}
    return bool(mine) and len(mine & theirs) >= _ENOUGH * len(mine)
