"""What an action comes to, as a set of features: the ground on which two proposals are called near-equivalent.

Commands, queries and code are compared by what they do, anything else by the words and numbers of its arguments; a
rephrased or reformatted proposal keeps its essence.
"""

from __future__ import annotations

import re
from itertools import islice

from supervisor.action import Action, Context, strings_in
from supervisor.errors import Unreadable
from supervisor.evidence import reader

_WORD = re.compile(r"\w+")
_MOST_WORDS = 2000


@reader
def essence(action: Action, context: Context) -> frozenset[str]:
    """The features of one action. Falls back on its words where it cannot be parsed."""
    try:
        features = _parsed(action, context)
    except Unreadable:
        features = frozenset()
    return features or _words(action)


def _parsed(action: Action, context: Context) -> frozenset[str]:
    """What a parser makes of it; each is imported when its kind of action first needs an essence."""
    if action.kind == "shell":
        from supervisor.evidence import shell

        return shell.essence_of(shell.script(action, context))
    if action.kind == "sql":
        from supervisor.evidence import sql

        return sql.essence_of(sql.statements(action, context))
    if action.kind == "python":
        from supervisor.evidence import python

        return python.essence_of(python.module(action, context))
    return frozenset()


def _words(action: Action) -> frozenset[str]:
    found = (word for _, text in strings_in(action.args) for word in _WORD.findall(text.casefold()))
    words = {f"word:{word}" for word in islice(found, _MOST_WORDS)}
    numbers = {f"{name}={value}" for name, value in action.args.items() if isinstance(value, (int, float))}
    return frozenset({f"kind:{action.kind}", *words, *numbers})
