"""What code in any language does wrong: which value from outside reaches which sensitive place, and which settings are
a weakness by themselves.

One engine reads the syntax trees of all languages; a language is a file of data in `languages/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from supervisor.errors import Unreadable
from supervisor.evidence.flows.grammar import SUFFIXES, language_named
from supervisor.evidence.flows.judging import MAX_HITS, Found, Hit, Judge
from supervisor.evidence.flows.program import Program
from supervisor.evidence.flows.shown import NOTHING, Shown, shown_in
from supervisor.evidence.flows.table import Table, Weakness, table_of, weaknesses

__all__ = ["SUFFIXES", "Found", "Hit", "Weakness", "advice_for", "read", "shown_in", "weaknesses"]

MAX_BYTES = 1024 * 1024
MAX_ALIASES = 50
_ALIAS = re.compile(rb"\b(\w+)(?:\s+as\s+|\s*:\s*)(\w+)(?=[^;\n]{0,200}(?:\bfrom\b|\brequire\())")
_OTHER = re.compile(rb"(?i)pass|pwd|secret|token|\b(?:select|insert\s+into|update|delete\s+from)\s")


def read(language: str, code: str, before: str = "", shown: Shown = NOTHING) -> Found:
    """The weaknesses in code, whole or in part, by name; `before` is what it replaces, and `shown` what other code
    tells of the values that clients set.

    Raises Unreadable beyond MAX_BYTES, the parser's steps, and the values that are followed.
    """
    if len(code) > MAX_BYTES:
        raise Unreadable(f"{len(code):,} characters of code, more than the {MAX_BYTES:,} that are read")
    table, source = table_of(language), code.encode("utf-8", "replace")
    places = [*_places(table, language, source)]
    if not places and not _OTHER.search(source):
        return {}
    program = Program(language_named(language), source, before)
    found: dict[str, list[Hit]] = {}
    for hit in Judge(program, table, shown).hits(at + program.shift for at in places):
        known = found.setdefault(hit.weakness, [])
        if len(known) < MAX_HITS and hit not in known:
            known.append(hit)
    return {name: tuple(hits) for name, hits in found.items()}


def _places(table: Table, language: str, source: bytes) -> Iterator[int]:
    """The places of the names that a row is about, and of other names under which the code imports these."""
    for found in table.places.finditer(source):
        yield found.start()
    if language_named(language).renames:
        for alias in islice(_ALIAS.finditer(source), MAX_ALIASES):
            name = alias[1].decode()
            if name in table.sinks or name in table.faults:
                yield from (use.start() for use in re.finditer(rb"\b%s\b" % alias[2], source))


def advice_for(language: str, weakness: str) -> str:
    """What to write instead in a language."""
    return table_of(language).advice.get(weakness) or weaknesses()[weakness].advice
