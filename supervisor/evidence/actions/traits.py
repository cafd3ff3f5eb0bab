"""The traits of an action, by which what people said of some actions is carried over to others like them.

They generalise the fingerprint: a path also counts as the folders above it, an address as its host, and digits as the
same digit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, islice

import orjson

from supervisor.action import Action, Context
from supervisor.errors import Unreadable
from supervisor.evidence.actions.fingerprint import fingerprint
from supervisor.intake.json_values import plain

_LARGEST = 8 * 1024  # bytes of an action: a larger one is not like any other
_MOST = 256  # parts
_DEEPEST = 12  # folders of a path
_DIGITS = re.compile(r"\d+")
_URL = re.compile(r"(\w+://[^/\s]+)")
_PROSE = "word:"


@dataclass(frozen=True, slots=True)
class Traits:
    """`parts` has the traits of each thing that an action does or acts on, `around` those of its words and scene."""

    parts: tuple[frozenset[str], ...]
    around: frozenset[str]

    @property
    def all(self) -> frozenset[str]:
        """All traits, each once."""
        return self.around.union(*self.parts)

    @property
    def key(self) -> str:
        """The parts by their most general traits: what actions of one sort have in common."""
        return " · ".join(sorted(min(part, key=lambda each: (len(each), each)) for part in self.parts))


def traits_of(action: Action, context: Context) -> Traits | None:
    """The traits of an action; None if it is too large, or nothing in it is understood. The history of its session is
    not read, so that they are the same wherever they are read."""
    try:
        if len(orjson.dumps(plain(action.args))) > _LARGEST:
            return None
        alone = Action(action.tool, action.args, action.kind, action.fields)
        features = fingerprint(alone, Context(facts=context.facts, agent=context.agent))
    except (Unreadable, RecursionError, TypeError):
        return None
    parts = sorted(each for each in features if not each.startswith((_PROSE, "kind:")))
    if not 0 < len(parts) <= _MOST:
        return None
    words = {_plain(each) for each in features if each.startswith(_PROSE)}
    scene = {f"tool {action.tool}", f"agent {_plain(context.agent or '')}"}
    return Traits(tuple(frozenset(_generalised(each)) for each in parts), frozenset(words | scene))


def _plain(text: str) -> str:
    return _DIGITS.sub("0", text)


def _generalised(feature: str) -> Iterator[str]:
    """A feature without its digits, its host if it is an address, and the folders of its path but the topmost: `/home`
    says nothing about what is in it."""
    yield (whole := _plain(feature))
    if host := _URL.search(whole):
        yield whole[: host.end()]
        return
    before, slash, path = whole.partition("/")
    if slash and "/" in path:
        for folder in islice(accumulate(path.split("/"), "{}/{}".format), 1, _DEEPEST):
            yield f"{before}/{folder}"
