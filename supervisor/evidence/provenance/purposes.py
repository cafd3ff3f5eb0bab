"""What the tools of a host are for, as it describes them, and which of them a text speaks of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import islice
from typing import Any

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.prose.passages import fold
from supervisor.evidence.prose.wording import spaced, stems

MAX_TOOLS = 64  # of a host, that are looked at
MAX_DESCRIPTION = 16 * 1024  # characters
_TELLING = 4_000  # characters of a description that say what a tool is for
LONE = 2  # words of a tool that say that it is spoken of, where no other is known: one is a verb that many tools have
_WHOLE = 720720  # a word that describes one tool alone; divided without a rest by how many it describes

Purpose = Mapping[str, int]


def described(context: Context) -> dict[str, str]:
    """The descriptions of the host's tools by their names (the fact `tools: [{name, description}]`)."""
    tools: Any = context.facts.get("tools")
    known = islice(tools, MAX_TOOLS) if isinstance(tools, list) else ()
    named = (tool for tool in known if isinstance(tool, Mapping) and "name" in tool)
    return {str(tool["name"]): str(tool.get("description") or "")[:MAX_DESCRIPTION] for tool in named}


@reader
def purposes(action: Action, context: Context) -> Mapping[str, Purpose]:
    """What each tool of the host is for, and the one that is called."""
    return {name: purpose_of(name, text) for name, text in {action.tool: "", **described(context)}.items()}


def purpose_of(name: str, description: str) -> Purpose:
    """The stems that tell what a tool is for: those of its description count 1, those of its name 2."""
    return dict.fromkeys(stems(fold(description[:_TELLING])), 1) | dict.fromkeys(stems(fold(spaced(name))), 2)


def speaks_of(tool: str, known: Mapping[str, Purpose], order: frozenset[str], task: frozenset[str]) -> bool:
    """Whether an order speaks of one tool's purpose more than of any other's, and more than the task does.

    A word counts the more the fewer tools it describes.
    """
    if order.isdisjoint(known[tool]):
        return False
    tools = Counter(stem for purpose in known.values() for stem in purpose)

    def fit(name: str, said: frozenset[str]) -> int:
        return sum(weight * _WHOLE // tools[stem] for stem, weight in known[name].items() if stem in said)

    own, rivals = fit(tool, order), [fit(name, order) for name in known if name != tool]
    if not rivals and len(order.intersection(known[tool])) < LONE:
        return False
    return own > max(*rivals, fit(tool, task), 0)
