"""Removes from long SQL what does not change its effect in kind: comments, empty statements, repeated rows.

A generated seed inserts thousands of rows in the same way: the first row of only literals stands for all. Strings and
comments follow standard SQL. From the first construct that dialects read differently (a backslash, a dollar quote, `#`,
a comment that a server executes), the rest stays unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_LITERAL = r"\s*+(?:'(?:[^'\\]|'')*+'|-?[\d.]++(?:[eE][+-]?\d++)?|NULL|TRUE|FALSE|DEFAULT)\s*+"
_ROW = rf"\(\s*+{_LITERAL}(?:,{_LITERAL})*+\)"
_INTO = r"INSERT\s++INTO\s++[\w.\"`]++\s*+(?:\([\w\s,\"`]*+\)\s*+)?VALUES\s*+"
_SAME = re.compile(
    rf"(?P<head>{_INTO})(?P<row>{_ROW})(?:\s*+,\s*+{_ROW})*+\s*+;"
    rf"(?:\s*+(?P=head){_ROW}(?:\s*+,\s*+{_ROW})*+\s*+;)*+",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"(?P<dropped>(?:(?:--[ \t][^\n]*+|--(?=\n)|/\*(?![!+M])(?:[^*/]|\*(?!/)|/(?!\*))*+\*/)\s*+){1,1000}+)"
    r"|(?P<blank>\s++)"
    r"|(?P<empty>;(?:\s*+;)++)"
    r"|(?P<insert>(?<![\w.])INSERT(?=\s))"
    r"|(?P<kept>'(?:[^'\\]|'')*+'|\"[^\"\\]*+\"|`[^`\\]*+`|\w++|[^\s\w'\"`\\$#/-]|-(?!-)|/(?!\*))",
    re.IGNORECASE,
)
_MOST_TOKENS = 60_000


def without_padding(sql: str) -> str:
    """The script without padding, as far as it can be followed."""
    return "".join(_kept(sql))


def _kept(sql: str) -> Iterator[str]:
    place = 0
    for _ in range(_MOST_TOKENS):
        if (found := _TOKEN.match(sql, place)) is None:
            break
        place = found.end()
        if found["insert"] and (same := _SAME.match(sql, found.start())):
            yield f"{same['head']}{same['row']};"
            place = same.end()
        elif found["dropped"] or found["blank"]:
            yield "\n" if "\n" in found[0] else " "
        else:
            yield ";" if found["empty"] else found[0]
    yield sql[place:]
