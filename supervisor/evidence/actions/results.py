"""A tool's output, read as values where it is JSON, whether the tool returned it as values or as text."""

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
DEPTH = 3  # levels of nested objects; a deeper value, or one in a list, does not describe the whole output
_BETWEEN = str.maketrans("", "", "_- ")


def text_of(context: Context) -> str:
    """The tool's output as text, up to MAX_TEXT; empty if it returned values."""
    return context.outcome.text[:MAX_TEXT]


def texts_of(context: Context) -> Iterator[str]:
    """The first MOST_TEXTS texts that the tool returned."""
    return (text for _, text in islice(strings_in(context.outcome.output), MOST_TEXTS))


@reader
def returned(action: Action, context: Context) -> Mapping[str, Any]:
    """The object that the tool returned, as values or as JSON; empty if it returned anything else."""
    output = context.outcome.output
    if isinstance(output, str):
        output = _parsed(output)
    return output if isinstance(output, Mapping) else {}


def values_named(value: Mapping[str, Any], names: Set[str]) -> Iterator[tuple[str, Any]]:
    """The fields of an object and of the objects in it that have one of these names (lower case, without separators),
    outermost first."""
    level: list[Mapping[str, Any]] = [value]
    for _ in range(DEPTH):
        below = []
        for each in level:
            for name, item in each.items():
                if name.translate(_BETWEEN).lower() in names:
                    yield name, item
                if isinstance(item, Mapping):
                    below.append(item)
        level = below


def _parsed(text: str) -> Any:
    if len(text) > MAX_JSON or not text.lstrip().startswith("{"):
        return None
    try:
        return json.loads(text, **NUMBERS)
    except (ValueError, RecursionError):
        return None
