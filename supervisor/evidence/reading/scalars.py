"""The value of a cell of a table or of a line, which is written without quotes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_WHOLE = re.compile(r"-?(?:0|[1-9]\d{0,14})")
_WORDS: Mapping[str, Any] = {"true": True, "false": False, "null": None, "none": None, "~": None}


def scalar(text: str) -> Any:
    """The value of a cell: a truth value, nothing, a whole number, or the text. A decimal stays a text, because a
    version looks like one. Quotes around it are no part of it; YAML writes `'41.00'`."""
    plain = text.strip().strip('"')
    if len(plain) > 1 and plain[0] == plain[-1] == "'":
        plain = plain[1:-1]
    if plain.lower() in _WORDS:
        return _WORDS[plain.lower()]
    return int(plain) if _WHOLE.fullmatch(plain) else plain
