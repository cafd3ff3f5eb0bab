"""What code in any language does wrong: which value from outside reaches which sensitive place, and which settings are a
weakness by themselves.

One engine reads the syntax trees of all languages; a language is a file of data in `languages/`.
"""

from __future__ import annotations

import functools
import re

from supervisor.errors import Unreadable
from supervisor.evidence.flows.grammar import SUFFIXES, language_named
from supervisor.evidence.flows.judging import MAX_HITS, Found, Hit, Judge
from supervisor.evidence.flows.program import Program
from supervisor.evidence.flows.table import Table, Weakness, table_of, weaknesses

__all__ = ["SUFFIXES", "Found", "Hit", "Weakness", "advice_for", "read", "weaknesses"]

MAX_BYTES = 1024 * 1024
_OTHER = re.compile(r"(?i)pass|pwd|\b(?:select|insert\s+into|update|delete\s+from)\s")
_NAMES = re.compile(r"[A-Za-z_$][\w$]*|[`@]")


def read(language: str, code: str, before: str = "") -> Found:
    """The weaknesses in code, whole or in part, by name; `before` is what it replaces.

    Raises Unreadable beyond MAX_BYTES, the parser's steps, and the values that are followed.
    """
    if len(code) > MAX_BYTES:
        raise Unreadable(f"{len(code):,} characters of code, more than the {MAX_BYTES:,} that are read")
    table = table_of(language)
    if not _may_have(language, code):
        return {}
    program = Program(language_named(language), code.encode("utf-8", "replace"), before)
    found: dict[str, list[Hit]] = {}
    for hit in Judge(program, table).hits():
        known = found.setdefault(hit.weakness, [])
        if len(known) < MAX_HITS:
            known.append(hit)
    return {name: tuple(hits) for name, hits in found.items()}


def _may_have(language: str, code: str) -> bool:
    """Whether a text has a word of any row, or one of a statement of SQL: what has none is not parsed."""
    return not _asked(language).isdisjoint(_NAMES.findall(code)) or _OTHER.search(code) is not None


@functools.cache
def _asked(language: str) -> frozenset[str]:
    table: Table = table_of(language)
    return frozenset((*table.sinks, *table.faults))


def advice_for(language: str, weakness: str) -> str:
    """What to write instead in a language."""
    return table_of(language).advice[weakness]
