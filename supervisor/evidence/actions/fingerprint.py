"""The fingerprint of an action, by which two proposals are compared for near-equivalence.

Commands, queries and code are compared by what they do, other actions by the values of their arguments. A rephrased or
reformatted proposal keeps its fingerprint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from supervisor.action import Action, Context
from supervisor.errors import Unreadable
from supervisor.evidence import reader

_WORD = re.compile(r"\w+")
_MOST_WORDS = 2000
_LONG = 80  # characters; a longer value is prose and compared by its words


@reader
def fingerprint(action: Action, context: Context) -> frozenset[str]:
    """The features of one action: what it acts on, and the words of its prose, with the prefix `word:`."""
    try:
        features = _parsed(action, context)
    except Unreadable:
        features = frozenset()
    return features or _argument_features(action)


def _parsed(action: Action, context: Context) -> frozenset[str]:
    """The features from a parser. Each parser is imported when its kind of action first needs a fingerprint."""
    if action.kind == "shell":
        from supervisor.evidence import shell
        from supervisor.evidence.actions import scripts

        return shell.fingerprint_of(scripts.script(action, context))
    if action.kind == "sql":
        from supervisor.evidence import sql
        from supervisor.evidence.actions import statements

        return sql.fingerprint_of(statements.statements(action, context))
    if action.kind == "python":
        from supervisor.evidence import python
        from supervisor.evidence.actions import programs

        return python.fingerprint_of(programs.module(action, context))
    if action.kind == "javascript":
        from supervisor.evidence import javascript
        from supervisor.evidence.actions import programs

        return javascript.fingerprint_of(programs.program(action, context))
    return frozenset()


def _argument_features(action: Action) -> frozenset[str]:
    """The features of an action's arguments.

    Short values count whole and with their place, so that another order or another recipient is another action.
    """
    found = {f"kind:{action.kind}"}
    for place, value in _leaves(action.args):
        text = str(value).casefold()
        if len(text) <= _LONG:
            found.add(f"{place}={' '.join(text.split())}")
        else:
            found.update(f"word:{word}" for word in islice(_WORD.findall(text), _MOST_WORDS))
    return frozenset(found)


def _leaves(args: Any) -> Iterator[tuple[str, Any]]:
    """Every value that is neither an object nor a list, with its place."""
    stack: list[tuple[str, Any]] = [("", args)]
    while stack:
        place, node = stack.pop()
        if isinstance(node, dict):
            stack.extend((f"{place}.{name}", item) for name, item in node.items())
        elif isinstance(node, list):
            stack.extend((f"{place}[{number}]", item) for number, item in enumerate(node))
        else:
            yield place, node
