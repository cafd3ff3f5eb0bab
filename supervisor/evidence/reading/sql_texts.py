"""Texts that code builds: whether they are SQL, and whether a value or a name stands at a place in them."""

from __future__ import annotations

import re

_BEGINS = re.compile(
    r"(?i)[\s(]{0,40}(?:select\s|insert\s|update\s|delete\s+from\s|delete\s|replace\s+into|merge\s+into|with\s|call\s|exec\s"
    r"|create\s|alter\s|drop\s|truncate\s|grant\s|explain\s|where\s|and\s|or\s|order\s+by\s|union\s)"
)
_BEFORE_VALUE = re.compile(r"(?i)(?:[=<>]|\blike|\bilike|\bbetween|\bin\s*\(|\bthen|\bin)\s*[\"(]?$")
_LISTED = re.compile(r"(?i)\b(?:values\s*\(|in\s*\()[^()]*,\s*$|\bvalues\s*\(\s*$")
_STATEMENT = re.compile(r"(?i)\s{0,40}(?:select\b.+\bfrom\b|insert\s+into\b|update\b.+\bset\b|delete\s+from\b)")


def is_statement(words: str) -> bool:
    """Whether a text begins as SQL: a whole statement or a further clause."""
    return _BEGINS.match(words) is not None


def is_whole_statement(words: str) -> bool:
    """Whether a text can only be SQL, wherever it is used."""
    return _STATEMENT.match(words[:2_000].replace("\n", " ")) is not None


def stands_for_value(before: str) -> bool:
    """Whether a value, not a name, follows these words of a statement."""
    tail = before[-400:].rstrip()
    if before.count("'") % 2:
        return True
    return _BEFORE_VALUE.search(tail) is not None or _LISTED.search(before[-400:]) is not None
