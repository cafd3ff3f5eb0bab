"""A name as a whole word of a text, found without a pattern: names come from actions, and a pattern for each would be
compiled anew."""

from __future__ import annotations


def whole_word(name: str, text: str, beside: str = "-") -> int:
    """The first place at which a text has a name as a whole: no letter, digit, underscore or character of `beside`
    stands next to it. -1 if there is none."""
    at = text.find(name) if name else -1
    while at >= 0:
        end = at + len(name)
        if not (_joins(text[at - 1 : at] if at else "", beside) or _joins(text[end : end + 1], beside)):
            return at
        at = text.find(name, at + 1)
    return -1


def has_word(name: str, text: str, beside: str = "-") -> bool:
    """Whether a text has a name as a whole, in the sense of `whole_word`."""
    return whole_word(name, text, beside) >= 0


def _joins(letter: str, beside: str) -> bool:
    return bool(letter) and (letter.isalnum() or letter == "_" or letter in beside)
