"""Removes from long Python what has no effect: blank lines, comment lines, runs of `pass`.

It runs before the parser, whose scanner reads comment lines repeatedly. It follows strings. From a string that is not
closed, or an f-string with quotes inside its braces (Python 3.12), the rest stays unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_BLANK = r"[ \t\f]*+(?:#[^\n]*+)?\n"
_PASS = r"[ \t]*+pass[ \t]*+\n"
_PASSES = r"pass[ \t]*+;[ \t]*+(?!\n)"
_IDLE = re.compile(
    rf"(?:{_BLANK})*+(?:(?P<line>{_PASS})(?:{_BLANK}|{_PASS})*+|(?P<part>[ \t]*+{_PASSES})(?:{_PASSES})*+)?"
)
_TOKEN = re.compile(
    r"(?P<end>\n)|(?P<string>"
    r"\"\"\"(?:[^\"\\]|\\[\s\S]|\"(?!\"\"))*+\"\"\"|'''(?:[^'\\]|\\[\s\S]|'(?!''))*+'''"
    r"|\"(?!\"\")(?:[^\"\\\n]|\\[\s\S])*+\"|'(?!'')(?:[^'\\\n]|\\[\s\S])*+'|\"\"(?!\")|''(?!'))"
    r"|(?:[^\n#'\"\\]++|#[^\n]*+|\\[\s\S])++"
)
_MOST_TOKENS = 60_000  # of about 2 µs each; longer code is not padding


def without_padding(code: str) -> str:
    """The code without what has no effect, as far as its strings can be followed."""
    return "".join(_kept(code))


def _kept(code: str) -> Iterator[str]:
    place = 0
    is_start = True  # whether `place` is at the start of a line
    for _ in range(_MOST_TOKENS):
        if is_start and (idle := _IDLE.match(code, place)) and idle.end() > place:
            yield idle["line"] or idle["part"] or ""
            place = idle.end()
        if (found := _TOKEN.match(code, place)) is None or (found["string"] and _quotes_inside(found, code)):
            break
        yield found[0]
        place, is_start = found.end(), bool(found["end"])
    yield code[place:]


def _quotes_inside(string: re.Match[str], code: str) -> bool:
    """Whether the braces of an f-string are still open at its apparent end."""
    prefix = code[max(0, string.start() - 2) : string.start()].lower()
    text = string["string"]
    return not {"f", "t"}.isdisjoint(prefix) and text.count("{") != text.count("}")
