"""Backslash escapes in strings, which shells, Python and JavaScript share with C."""

from __future__ import annotations

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "v": "\v"}
_DIGITS = {"x": (2, 16), "u": (4, 16), "U": (8, 16)}


def ansi_c(text: str) -> str:
    """The inside of `$'…'`: `\\n`, `\\x2f`, `\\057`, `\\u002f` and the like."""
    pieces: list[str] = []
    index = 0
    while (found := text.find("\\", index)) >= 0:
        pieces.append(text[index:found])
        letter = text[found + 1 : found + 2]
        longest, base = _DIGITS.get(letter, (3, 8))
        start = found + 2 if letter in _DIGITS else found + 1
        digits = _digits(text[start : start + longest], base)
        if digits:
            code = int(digits, base)
            pieces.append(chr(code) if 0 < code < 0xD800 else "?")
            index = start + len(digits)
        else:
            pieces.append(_ESCAPES.get(letter, letter))
            index = found + 2
    return "".join(pieces) + text[index:]


def _digits(text: str, base: int) -> str:
    allowed = "01234567" if base == 8 else "0123456789abcdefABCDEF"
    return text[: next((index for index, letter in enumerate(text) if letter not in allowed), len(text))]
