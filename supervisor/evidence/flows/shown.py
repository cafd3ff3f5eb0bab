"""Which values clients set, as other code that the session has shown tells: the parameters of a handler, and the
functions to which the handler passes them on.

A file that is written anew, or a part of one, does not show who calls it. What was read before may.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from supervisor.evidence.flows.grammar import language_named
from supervisor.evidence.flows.table import table_of

_LONGEST = 32 * 1024  # characters of one text
_MOST = 200  # parameters and calls
_ANNOTATED = re.compile(
    r"@(\w{4,40})\b(?:\([^()\n]{0,200}\))?\s+(?:(?:final|@\w{1,40})\s+){0,3}(?:([\w.<>?\[\]]{1,80})\s+(\w{1,60})\s*[,)]"
    r"|(\w{1,60})\s*:\s*([\w.<>?]{1,80}))"
)
_TAKEN = re.compile(
    r"\b(\w{1,60})\s*:?=\s*(?:req|request|ctx|context|c|r)\.(?:query|params|body|cookies|headers|args|form|GET|POST"
    r"|Query|Param|PostForm|FormValue|URL\.Query\(\)\.Get|nextUrl\.searchParams\.get)\b"
)
_CALLED = re.compile(r"\b(\w{2,60})\(([^(){}\n]{1,200})\)")


class Shown(NamedTuple):
    """`names` are values that clients set; `passed` are functions, each with the places at which it gets one."""

    names: frozenset[str] = frozenset()
    passed: frozenset[tuple[str, int]] = frozenset()


NOTHING = Shown()


def shown_in(language: str, texts: Iterable[str]) -> Shown:
    """What texts of code tell of the values that clients set."""
    annotations, inert = table_of(language).sets["client_annotations"], language_named(language).inert
    names, passed = set[str](), set[tuple[str, int]]()
    for text in texts:
        text = text[:_LONGEST]
        own = {name for name, kind in islice(_parameters(text, annotations), _MOST) if kind not in inert}
        names |= own
        for call in islice(_CALLED.finditer(text), _MOST) if own else ():
            words = [word.strip() for word in call[2].split(",")]
            passed |= {(call[1], place) for place, word in enumerate(words) if word in own}
    return Shown(frozenset(names), frozenset(passed)) if names else NOTHING


def _parameters(text: str, annotations: frozenset[str]) -> Iterator[tuple[str, str]]:
    """The values that clients set, each with its type as far as the text has it."""
    for found in _ANNOTATED.finditer(text) if annotations and "@" in text else ():
        if found[1] in annotations:
            yield (found[3], found[2]) if found[3] else (found[4], found[5])
    yield from ((found[1], "") for found in _TAKEN.finditer(text))
