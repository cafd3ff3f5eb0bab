"""A tool call as the relations see it: its arguments, the user's words, and what the session's outputs show."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from supervisor.action import Action, Context
from supervisor.evidence import reader
from supervisor.evidence.business.words import words
from supervisor.evidence.prose.concepts import stem
from supervisor.evidence.relations.atoms import Atom, atoms_in, folded
from supervisor.evidence.relations.sources import Known, known, leaves

Features = Counter[str]
_TEXT = 48  # characters; a longer argument of several words is a text


class Slot(NamedTuple):
    """An argument: the words of its name, its value, and whether it is a text for people."""

    label: frozenset[str]
    text: str
    prose: bool
    atoms: tuple[Atom, ...]


def slots_of(action: Action) -> list[Slot]:
    found = []
    for path, text in leaves(action.args):
        label = frozenset(word for part in path[-2:] for word in words(part))
        prose = len(text) > _TEXT and text.count(" ") > 4
        found.append(Slot(label, text, prose, atoms_in(text)))
    return found


class Seen(NamedTuple):
    """What every relation reads."""

    action: Action
    context: Context
    slots: list[Slot]
    known: Known


@reader
def seen(action: Action, context: Context) -> Seen:
    """The arguments of an action beside what is known."""
    return Seen(action, context, slots_of(action), known(context))


_STOP = frozenset(
    "the a an to of for in on and or is are was be with at by from as it its this that we you our your i not no do don please der die das und zu im in den le la les de du des et un une el los las y en il di e per con que que na w z i o och att det som en ett på av för ja on ei the".split()
)


@lru_cache(maxsize=4096)
def stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in re.findall(r"[^\W\d_]{3,}", folded(text)) if word not in _STOP)
