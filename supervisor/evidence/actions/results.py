"""What a tool has returned, read as a program would: JSON where it is JSON, whether as values or as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Set
from itertools import islice
from typing import Any

from supervisor.action import Action, Context, strings_in
from supervisor.evidence import reader
from supervisor.intake.documents import NUMBERS

MAX_TEXT = 64 * 1024  # characters of an output that are read
MAX_JSON = 256 * 1024  # characters
MOST_TEXTS = 4_096
DEPTH = 3  # objects within objects; what stands deeper, or in a list, is not said of the whole
_BETWEEN = str.maketrans("", "", "_- ")


def text_of(context: Context) -> str:
    """What the tool said as text, as far as it is read; empty where it returned values."""
    return context.outcome.text[:MAX_TEXT]


def texts_of(context: Context) -> Iterator[str]:
    """Every text that the tool returned, the first MOST_TEXTS of them."""
    return (text for _, text in islice(strings_in(context.outcome.output), MOST_TEXTS))


@reader
def returned(action: Action, context: Context) -> Mapping[str, Any]:
    """The object that the tool returned, as such or as JSON; empty where it returned anything else."""
    output = context.outcome.output
    if isinstance(output, str):
        output = _parsed(output)
    return output if isinstance(output, Mapping) else {}


def told(value: Mapping[str, Any], names: Set[str]) -> Iterator[tuple[str, Any]]:
    """What an object says under these names (lower case, no separators), and so the objects in it: outermost first."""
    level: list[Mapping[str, Any]] = [value]
    for _ in range(DEPTH):
        below = []
        for each in level:
            for name, said in each.items():
                if name.translate(_BETWEEN).lower() in names:
                    yield name, said
                if isinstance(said, Mapping):
                    below.append(said)
        level = below


def _parsed(text: str) -> Any:
    if len(text) > MAX_JSON or not text.lstrip().startswith("{"):
        return None
    try:
        return json.loads(text, **NUMBERS)
    except (ValueError, RecursionError):
        return None
