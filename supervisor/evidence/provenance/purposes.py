"""The purposes of a host's tools, from their descriptions, and the tool that a text fits best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import islice
from typing import Any

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.prose.passages import fold
from supervisor.evidence.prose.wording import spaced, stems

MAX_TOOLS = 64  # of a host that are read
MAX_DESCRIPTION = 16 * 1024  # characters
_TELLING = 4_000  # characters of a description that are read for the purpose
LONE = 2  # words that must match if only one tool is known: a single one may be a verb that many tools have
_WHOLE = 720720  # weight of a word that describes only one tool; divisible by every number of tools up to 16

Purpose = Mapping[str, int]


def described(context: Context) -> dict[str, str]:
    """The descriptions of the host's tools by their names (the fact `tools: [{name, description}]`)."""
    tools: Any = context.facts.get("tools")
    known = islice(tools, MAX_TOOLS) if isinstance(tools, list) else ()
    named = (tool for tool in known if isinstance(tool, Mapping) and "name" in tool)
    return {str(tool["name"]): str(tool.get("description") or "")[:MAX_DESCRIPTION] for tool in named}


@reader
def purposes(action: Action, context: Context) -> Mapping[str, Purpose]:
    """The purpose of each tool of the host, and of the called tool."""
    return {name: purpose_of(name, text) for name, text in {action.tool: "", **described(context)}.items()}


def purpose_of(name: str, description: str) -> Purpose:
    """The stems that describe a tool: those of its description weigh 1, those of its name 2."""
    return dict.fromkeys(stems(fold(description[:_TELLING])), 1) | dict.fromkeys(stems(fold(spaced(name))), 2)


def speaks_of(tool: str, known: Mapping[str, Purpose], order: frozenset[str], task: frozenset[str]) -> bool:
    """Whether an order fits one tool's purpose better than any other tool's, and better than the task does.

    A word weighs more the fewer tools it describes.
    """
    if order.isdisjoint(known[tool]):
        return False
    tools = Counter(stem for purpose in known.values() for stem in purpose)

    def fit(name: str, stems: frozenset[str]) -> int:
        return sum(weight * _WHOLE // tools[stem] for stem, weight in known[name].items() if stem in stems)

    own, rivals = fit(tool, order), [fit(name, order) for name in known if name != tool]
    if not rivals and len(order.intersection(known[tool])) < LONE:
        return False
    return own > max(*rivals, fit(tool, task), 0)
